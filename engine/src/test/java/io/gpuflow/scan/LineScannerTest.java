package io.gpuflow.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LineScannerTest {
    private static final List<String> TEXTS =
            List.of("error", "err", "rror: x", "Xid", "aab", "ab", "timeout", "out of");

    /** What the scanner hands over: line number and texts found. */
    private static List<String> scanned(byte[] log, int most) throws IOException {
        List<String> lines = new ArrayList<>();
        List<byte[]> texts = TEXTS.stream().map(LineScannerTest::bytes).toList();
        LineScanner scanner =
                new LineScanner(
                        Automaton.of(texts),
                        new LineScanner.Receiver() {
                            @Override
                            public int line(LineScanner.Line line) {
                                TreeSet<String> found = new TreeSet<>();
                                for (int i = 0; i < line.textCount; i++) {
                                    found.add(TEXTS.get(line.texts[i]));
                                }
                                lines.add(line.number + " " + found);
                                return 0;
                            }

                            @Override
                            public void end(byte[] buffer, int from, int to) {}
                        });
        scanner.scan(new Dribble(log, most), Long.MAX_VALUE);
        long newlines = 0;
        for (byte b : log) {
            newlines += b == '\n' ? 1 : 0;
        }
        assertEquals(newlines, scanner.newlines());
        return lines;
    }

    private static List<String> expected(byte[] log) {
        List<String> lines = new ArrayList<>();
        String[] all = new String(log, StandardCharsets.ISO_8859_1).split("\n", -1);
        for (int i = 0; i < all.length; i++) {
            TreeSet<String> found = new TreeSet<>();
            for (String text : TEXTS) {
                if (all[i].contains(text)) {
                    found.add(text);
                }
            }
            if (!found.isEmpty()) {
                lines.add((i + 1) + " " + found);
            }
        }
        return lines;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void findsWhatAPlainSearchFinds() throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 60; round++) {
            byte[] log = log(random, 1 + random.nextInt(40_000), 2 + random.nextInt(60));
            assertEquals(expected(log), scanned(log, 1 + random.nextInt(9_000)), "round " + round);
        }
    }

    @Test
    void findsItAcrossTheBuffersBorders() throws IOException {
        Random random = new Random(8);
        byte[] log = log(random, 3_000_000, 90);
        assertEquals(expected(log), scanned(log, 1 << 20));
    }

    @Test
    void aLineLongerThanTheBufferIsReadInPieces() throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        log.write(bytes("first error\n"));
        byte[] filler = new byte[700_000];
        java.util.Arrays.fill(filler, (byte) 'z');
        for (int i = 0; i < 4; i++) {
            log.write(filler);
            log.write(bytes("timeout"));
        }
        log.write(bytes("\nlast error\n"));
        List<String> lines = scanned(log.toByteArray(), 1 << 20);
        assertEquals("1 [err, error]", lines.get(0));
        assertEquals("3 [err, error]", lines.get(lines.size() - 1));
        assertTrue(
                lines.stream().filter(l -> l.equals("2 [timeout]")).count() >= 3, lines::toString);
    }

    private static byte[] log(Random random, int size, int lineLength) {
        byte[] log = new byte[size];
        for (int i = 0; i < size; i++) {
            log[i] = (byte) "abeXidrro: xtmu f".charAt(random.nextInt(17));
        }
        for (int i = random.nextInt(lineLength); i < size; i += 1 + random.nextInt(lineLength)) {
            log[i] = '\n';
        }
        for (int i = 0; i < size / 300; i++) {
            byte[] text = bytes(TEXTS.get(random.nextInt(TEXTS.size())));
            int at = random.nextInt(size);
            System.arraycopy(text, 0, log, at, Math.min(text.length, size - at));
        }
        return log;
    }

    /** Gives at most so many bytes a read. */
    private static final class Dribble extends InputStream {
        private final InputStream in;
        private final int most;

        Dribble(byte[] content, int most) {
            this.in = new ByteArrayInputStream(content);
            this.most = most;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] b, int off, int len) throws IOException {
            return in.read(b, off, Math.min(len, most));
        }
    }
}
