package io.gpuflow.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Dumps of few bytes that unfold to much work through the memo: each is judged or refused at once,
 * where it once took minutes.
 */
class HostileDumpTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MANY = 400_000;

    @Test
    void longListOfLongTypesInManyEntries() {
        List<Object> types = texts(100);
        refused(entries(MANY, entry(1, Map.of("input_dtypes", types))));
    }

    @Test
    void listAsGroupNameInManyEntries() {
        soon(entries(MANY, entry(1, Map.of("process_group", List.of(texts(64), "d")))));
    }

    @Test
    void longNumberInManyEntries() {
        String zeros = "0".repeat(4_000_000);
        soon(entries(MANY, entry(1, Map.of("input_sizes", List.of(List.of(zeros, zeros))))));
    }

    @Test
    void longPathInManyFrames() {
        String path = "a/b-".repeat(1_000) + "/torch/x.py";
        List<Object> frames =
                Collections.nCopies(MANY, null).stream()
                        .map(n -> (Object) Map.of("filename", path))
                        .toList();
        soon(entries(1, entry(1, Map.of("frames", frames))));
    }

    @Test
    void namesOfDigits() {
        String digits = "1".repeat(4_000);
        soon(
                IntStream.range(0, 5_000)
                        .mapToObj(
                                i -> entry(i, Map.of("profiling_name", "x:1 " + i + " " + digits)))
                        .toList());
    }

    @Test
    void sendsToManyPeersThatAreOneRank() {
        List<Map<String, Object>> entries =
                IntStream.range(0, 50_000)
                        .mapToObj(i -> entry(i, Map.of("profiling_name", "nccl:send 0->" + i)))
                        .toList();
        soon(entries, "0,".repeat(100_000));
    }

    @Test
    void ranksWithoutACommonNumber() {
        assertTimeoutPreemptively(
                SOON,
                () -> {
                    Dumps dumps = new Dumps();
                    for (int rank = 0; rank < 300; rank++) {
                        int first = rank;
                        dumps.add(
                                rank,
                                "dump_" + rank,
                                dump(
                                        IntStream.range(0, 1_000)
                                                .mapToObj(i -> entry(300 * i + first, Map.of()))
                                                .toList(),
                                        "0, 1"));
                    }
                    dumps.facts();
                });
    }

    @Test
    void moreGroupsThanAnyJob() {
        refused(
                IntStream.range(0, 60_000)
                        .mapToObj(i -> entry(1, Map.of("process_group", List.of("g" + i, "d"))))
                        .toList());
    }

    @Test
    void moreRanksThanAnyJob() {
        List<Map<String, Object>> one = List.of(entry(1, Map.of()));
        byte[] dump = dump(one, "1,".repeat(10_000_000));
        assertThrows(TraceException.class, () -> new Dumps().add(0, "dump_0", dump));
    }

    @Test
    void entriesThatAreNoOperation() {
        refused(entries(3, Map.of()));
    }

    @Test
    void containersOfOneByteOrTwo() throws Exception {
        for (String one : List.of("}", "(d", "(l", "(t", "N\u0085")) {
            String pickle = "\u0080\u0004](" + one.repeat(6_100_000) + "e.";
            byte[] bytes = pickle.getBytes(ISO_8859_1);
            assertThrows(TraceException.class, () -> Pickle.read(bytes), one);
        }
        byte[] json = ("[" + "{},".repeat(6_100_000) + "1]").getBytes(UTF_8);
        assertThrows(TraceException.class, () -> JsonDump.read(json));
    }

    @Test
    void moreDumpsThanFitIntoMemory() throws Exception {
        DumpReader reader = new DumpReader();
        byte[] dump = dump(entries(2_000_000, entry(1, Map.of())), "0, 1");
        TraceException full =
                assertThrows(
                        TraceException.class,
                        () -> {
                            for (int i = 0; i < 20; i++) {
                                reader.read(i, "dump_" + i, dump);
                            }
                        });
        assertEquals(
                "the dumps read before it hold all that fits into memory; give fewer",
                full.getMessage());
    }

    private static List<Object> texts(int count) {
        return IntStream.range(0, count).mapToObj(i -> (Object) (i + "x".repeat(4_000))).toList();
    }

    private static Map<String, Object> entry(int number, Map<String, Object> more) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("process_group", List.of("0", "default_pg"));
        entry.put("collective_seq_id", number);
        entry.put("profiling_name", "nccl:all_reduce");
        entry.put("state", "scheduled");
        entry.putAll(more);
        return entry;
    }

    private static List<Object> entries(int count, Map<String, Object> one) {
        return Collections.nCopies(count, (Object) one);
    }

    private static void soon(List<? extends Object> entries) {
        soon(entries, "0, 1");
    }

    private static void soon(List<? extends Object> entries, String ranks) {
        byte[] dump = dump(entries, ranks);
        assertTimeoutPreemptively(
                SOON,
                () -> {
                    Dumps dumps = new Dumps();
                    dumps.add(0, "dump_0", dump);
                    return dumps.facts();
                });
    }

    private static void refused(List<? extends Object> entries) {
        byte[] dump = dump(entries, "0, 1");
        assertTimeoutPreemptively(
                SOON,
                () -> assertThrows(TraceException.class, () -> new Dumps().add(0, "dump_0", dump)));
    }

    private static byte[] dump(List<? extends Object> entries, String ranks) {
        Memoised out = new Memoised();
        out.top(entries, ranks);
        return out.bytes.toByteArray();
    }

    /** A pickle in which the same object is written once. */
    private static final class Memoised {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Map<Object, Integer> known = new java.util.IdentityHashMap<>();

        void top(List<? extends Object> entries, String ranks) {
            Map<String, Object> top = new LinkedHashMap<>();
            top.put("version", "2.10");
            top.put("pg_config", Map.of("0", Map.of("desc", "default_pg", "ranks", ranks)));
            top.put("entries", entries);
            op(0x80, 4);
            value(top);
            op('.');
        }

        private void value(Object value) {
            Integer place = known.get(value);
            if (place != null) {
                op('j');
                four(place);
                return;
            }
            if (value instanceof Integer number) {
                op('J');
                four(number);
                return;
            }
            if (value instanceof String text) {
                byte[] utf = text.getBytes(UTF_8);
                op('X');
                four(utf.length);
                bytes.writeBytes(utf);
            } else if (value instanceof List<?> list) {
                op(']', '(');
                list.forEach(this::value);
                op('e');
            } else {
                op('}', '(');
                ((Map<?, ?>) value)
                        .forEach(
                                (k, v) -> {
                                    value(k);
                                    value(v);
                                });
                op('u');
            }
            op('r');
            four(known.size());
            known.put(value, known.size());
        }

        private void op(int... codes) {
            for (int code : codes) {
                bytes.write(code);
            }
        }

        private void four(int number) {
            op(number, number >> 8, number >> 16, number >> 24);
        }
    }
}
