package io.gpuflow.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Flight Recorder dumps, pickle and JSON, of every format version so far (2.0 to 2.10;
 * unknown keys are ignored). One reader for all dumps of a job, so that equal texts are kept once.
 *
 * <p>The keys: pytorch/pytorch torch/csrc/distributed/c10d/FlightRecorder.hpp and
 * FlightRecorderDetail.hpp.
 */
public final class DumpReader {
    private static final Pattern RANK =
            Pattern.compile(
                    "(\\d+)(?:\\.(?:pkl|pickle|json|pt|txt|bin))?(?:\\.(?:gz|zst|xz))?$"
                            + "|rank[_-]?(\\d+)[^/!]*$");
    private static final Pattern PEERS = Pattern.compile("(\\d+)\\s*(?:->|<-)\\s*(\\d+)");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** Frames of these are torch's own; the first other one is the user's. */
    private static final Pattern LIBRARY =
            Pattern.compile("/(site|dist)-packages/|/torch/|^<|/lib/python3|_dynamo|<frozen");

    /** The names of a dump's keys; one of them is in its first bytes, wherever it is cut off. */
    private static final Pattern KEYS =
            Pattern.compile(
                    "\"(?:pg_config|pg_status|comm_lib_version|collective_seq_id|p2p_seq_id|profiling_name)\"");

    private final Map<String, String> texts = new ConcurrentHashMap<>();

    /**
     * True when the first bytes are those of a dump: a pickled dict, or JSON with a dump's keys.
     */
    public static boolean looksLike(byte[] head) {
        if (Pickle.looksLike(head)) {
            return true;
        }
        String text = new String(head, java.nio.charset.StandardCharsets.ISO_8859_1).stripLeading();
        return text.startsWith("{") && KEYS.matcher(text).find();
    }

    /** The rank that a dump's file name ends with: nccl_trace_rank_12, or null. */
    public static Integer rankOf(String file) {
        Matcher m = RANK.matcher(file);
        if (!m.find()) {
            return null;
        }
        String digits = m.group(1) != null ? m.group(1) : m.group(2);
        return digits.length() < 9 ? Integer.valueOf(digits) : null;
    }

    /** Reads a whole dump. */
    RankDump read(int rank, String file, byte[] data) throws TraceException {
        Object value = Pickle.looksLike(data) ? Pickle.read(data) : json(data);
        if (!(value instanceof Map<?, ?> top)
                || !(top.containsKey("version") || top.containsKey("entries"))) {
            throw new TraceException(
                    "it is no Flight Recorder dump: version and entries are missing");
        }
        return new Conversion(rank, file, top).dump();
    }

    private static Object json(byte[] data) throws TraceException {
        JsonMapper mapper =
                JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
        mapper.getFactory()
                .setStreamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(64).build());
        try {
            return mapper.readValue(data, Map.class);
        } catch (JsonProcessingException e) {
            throw new TraceException("its JSON is damaged: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new TraceException(e.getMessage());
        }
    }

    /**
     * Text, number, or a list of those as text. Never what is nested: a hostile dump may hold
     * itself or a list of lists of the same list, whose text has no end.
     */
    private static String plain(Object value) {
        if (value instanceof List<?> items) {
            StringBuilder text = new StringBuilder("[");
            for (Object item : items) {
                String one = item instanceof List<?> ? "?" : plain(item);
                text.append(text.length() > 1 ? ", " : "").append(one);
            }
            return text.append(']').toString();
        }
        return value instanceof Map<?, ?> ? "?" : String.valueOf(value);
    }

    private String once(String text) {
        String known = texts.putIfAbsent(text, text);
        return known == null ? text : known;
    }

    /** One dump on its way from plain values to records. */
    private final class Conversion {
        private final int rank;
        private final String file;
        private final Map<?, ?> top;
        private final Map<String, Integer> groupIndex = new LinkedHashMap<>();
        private final Map<String, String> kinds = new HashMap<>();
        private final Map<String, List<Integer>> members = new HashMap<>();
        private final Map<Integer, String> statusId = new HashMap<>();

        Conversion(int rank, String file, Map<?, ?> top) {
            this.rank = rank;
            this.file = file;
            this.top = top;
        }

        RankDump dump() {
            map(top.get("pg_config")).forEach((name, config) -> group(plain(name), map(config)));
            List<Call> calls = new ArrayList<>();
            for (Object entry : list(top.get("entries"))) {
                call(map(entry), calls);
            }
            Map<?, ?> status = map(top.get("pg_status"));
            List<RankDump.Group> groups = new ArrayList<>();
            groupIndex.forEach(
                    (name, index) -> {
                        Map<?, ?> state = map(status.get(statusId.getOrDefault(index, "")));
                        groups.add(
                                new RankDump.Group(
                                        name,
                                        kinds.get(name),
                                        members.getOrDefault(name, List.of()),
                                        number(state.get("last_enqueued_collective"), -1),
                                        number(state.get("last_completed_collective"), -1)));
                    });
            return new RankDump(rank, file, plain(top.get("version")), groups, calls);
        }

        private void group(String name, Map<?, ?> config) {
            String key = once(name);
            groupIndex.putIfAbsent(key, groupIndex.size());
            kinds.putIfAbsent(key, once(plain(config.get("desc"))));
            Object ranks = config.get("ranks");
            List<Integer> found = new ArrayList<>();
            Matcher m = NUMBER.matcher(plain(ranks));
            while (m.find() && m.group().length() < 9) {
                found.add(Integer.valueOf(m.group()));
            }
            members.put(key, List.copyOf(found));
        }

        private void call(Map<?, ?> entry, List<Call> calls) {
            List<?> pair = list(entry.get("process_group"));
            String name = once(pair.isEmpty() ? plain(entry.get("pg_name")) : plain(pair.get(0)));
            groupIndex.putIfAbsent(name, groupIndex.size());
            if (pair.size() > 1) {
                kinds.putIfAbsent(name, once(plain(pair.get(1))));
            }
            int group = groupIndex.get(name);
            if (entry.get("pg_id") != null) {
                statusId.putIfAbsent(group, plain(entry.get("pg_id")));
            }
            String full = plain(entry.get("profiling_name"));
            String operation = full.substring(full.indexOf(':') + 1);
            int peer = -1;
            boolean p2p = Boolean.TRUE.equals(entry.get("is_p2p"));
            Matcher peers = PEERS.matcher(operation);
            if (peers.find()) {
                p2p = true;
                peer = Integer.parseInt(peers.group(2));
                operation = operation.substring(0, operation.indexOf(' '));
            }
            long sequence =
                    number(entry.get(p2p && peer >= 0 ? "p2p_seq_id" : "collective_seq_id"), -1);
            if (sequence < 0) {
                sequence = number(entry.get("seq_id"), -1);
            }
            calls.add(
                    new Call(
                            group,
                            sequence,
                            once(operation),
                            peer,
                            elements(entry.get("input_sizes")),
                            once(types(entry.get("input_dtypes"))),
                            "completed".equals(entry.get("state")),
                            number(entry.get("record_id"), calls.size()),
                            number(entry.get("time_created_ns"), 0),
                            where(list(entry.get("frames")))));
        }

        private String where(List<?> frames) {
            for (Object value : frames) {
                Map<?, ?> frame = map(value);
                String path = plain(frame.get("filename"));
                if (!path.isEmpty() && !LIBRARY.matcher(path).find()) {
                    String name = path.substring(path.lastIndexOf('/') + 1);
                    return once(
                            name
                                    + ":"
                                    + number(frame.get("line"), 0)
                                    + " in "
                                    + plain(frame.get("name")));
                }
            }
            return null;
        }
    }

    private static String types(Object value) {
        List<String> types = new ArrayList<>();
        for (Object type : list(value)) {
            if (!types.contains(plain(type))) {
                types.add(plain(type));
            }
        }
        return String.join("/", types);
    }

    private static long elements(Object sizes) {
        if (!(sizes instanceof List<?> tensors)) {
            return -1;
        }
        long total = 0;
        for (Object tensor : tensors) {
            long product = 1;
            for (Object size : list(tensor)) {
                product *= number(size, 1);
            }
            total += product;
        }
        return total;
    }

    private static Map<?, ?> map(Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static long number(Object value, long otherwise) {
        if (value instanceof Number n) {
            return n.longValue();
        }
        if (value instanceof String s) {
            try {
                return Long.parseLong(s);
            } catch (NumberFormatException e) {
                return otherwise;
            }
        }
        return otherwise;
    }
}
