package io.gpuflow.trace;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuflow.parse.RasParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged and hostile dumps are refused in words; nothing in them is run. */
class TraceFuzzTest {
    private static final int ROUNDS = Integer.getInteger("trace.fuzz", 1500);

    @Test
    void damagedDumps() throws IOException {
        MadeJob job = new MadeJob(2, 2, 1, 2);
        job.absent.put(1, 9);
        job.run();
        byte[] pickle = PickleWriter.write(job.dump(0, 2000));
        byte[] json = new ObjectMapper().writeValueAsBytes(job.dump(0, 2000));
        Random random = new Random(6);
        for (int i = 0; i < ROUNDS; i++) {
            read(damaged(pickle, random));
            read(damaged(json, random));
        }
    }

    @Test
    void damagedRas() throws IOException {
        Path samples = Path.of(System.getProperty("gpuflow.home", "."), "engine/samples/ras");
        Random random = new Random(7);
        for (String name : new String[] {"dgx-x4--many-ranks.out", "one-node-x4--json.out"}) {
            byte[] text = Files.readAllBytes(samples.resolve(name));
            for (int i = 0; i < ROUNDS / 3; i++) {
                String made = new String(damaged(text, random), StandardCharsets.UTF_8);
                new RasParser().parse(made).facts("ras.txt");
            }
        }
    }

    @Test
    void callsAreRefused() {
        // cos\nsystem\n(X…true tR.  with and without the protocol's mark
        byte[] call = "cos\nsystem\n(X\4\0\0\0truetR.".getBytes(StandardCharsets.ISO_8859_1);
        byte[] marked = new byte[call.length + 2];
        marked[0] = (byte) 0x80;
        marked[1] = 2;
        System.arraycopy(call, 0, marked, 2, call.length);
        assertThrows(TraceException.class, () -> Pickle.read(marked));
        byte[] stackGlobal = {
            (byte) 0x80, 4, (byte) 0x8c, 2, 'o', 's', (byte) 0x8c, 1, 'x', (byte) 0x93, '.'
        };
        assertThrows(TraceException.class, () -> Pickle.read(stackGlobal));
    }

    private static byte[] damaged(byte[] data, Random random) {
        byte[] copy = data.clone();
        int changes = 1 + random.nextInt(8);
        for (int i = 0; i < changes; i++) {
            copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
        }
        int length = random.nextInt(4) == 0 ? random.nextInt(copy.length) : copy.length;
        return java.util.Arrays.copyOf(copy, length);
    }

    private static void read(byte[] data) {
        Dumps dumps = new Dumps();
        try {
            dumps.add(0, "dump_0", data);
            dumps.facts();
        } catch (TraceException refused) {
            return;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            fail("no answer but " + e, e);
        }
    }
}
