package io.gpuflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LiveDisplayTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long nanos;
    private final LiveDisplay display =
            new LiveDisplay(
                    new PrintStream(bytes, true, StandardCharsets.UTF_8),
                    Style.PLAIN,
                    80,
                    () -> nanos,
                    false);

    @Test
    void eachRunningStepHasALineWithItsTimeAndTheToolsLastLine() {
        display.stepStarted("probe", null);
        display.stepStarted("disks", null);
        display.line("probe", "asking \u001b[31mnvidia-smi\u001b[0m -q");
        nanos += 1_500_000_000L;
        display.draw();
        assertEquals(List.of("▸ probe  1.5 s  asking nvidia-smi -q", "▸ disks  1.5 s"), screen());
    }

    @Test
    void whatEndedStaysAboveTheLiveLines() {
        display.stepStarted("probe", null);
        display.stepStarted("disks", null);
        display.draw();
        nanos += 2_000_000_000L;
        display.stepEnded("probe", "passed", "2 GPUs", 2);
        display.draw();
        assertEquals(List.of("passed probe  2.0 s  2 GPUs", "▸ disks  2.0 s"), screen());
        display.stepEnded("disks", "failed", "exit 3: no disk", 2.1);
        display.close();
        assertEquals(
                List.of("passed probe  2.0 s  2 GPUs", "failed disks  2.1 s  exit 3: no disk"),
                screen());
    }

    @Test
    void whatEndedTakesOneLine() {
        display.stepStarted("bench", null);
        display.stepEnded("bench", "passed", "339 GB/s ".repeat(50), 2);
        display.close();
        assertEquals(1, screen().size());
        assertTrue(screen().get(0).length() <= 80, screen().get(0));
        assertTrue(screen().get(0).endsWith("…"));
    }

    @Test
    void retriesAndExperimentsAreShown() {
        display.stepStarted("smoke", "it failed");
        display.attemptStarted("smoke", "experiment p2p-off: NCCL_P2P_DISABLE=1");
        display.draw();
        assertEquals(
                List.of(
                        "  smoke runs again: it failed",
                        "▸ smoke  0.0 s  experiment p2p-off: NCCL_P2P_DISABLE=1"),
                screen());
        display.experimentEnded("smoke", "p2p-off", "confirmed", "works");
        display.draw();
        assertEquals("  confirmed p2p-off on smoke: works", screen().get(1));
    }

    @Test
    void aPictureIsOneWriteThatLeavesWrappingOn() {
        int[] writes = {0};
        PrintStream counting =
                new PrintStream(bytes, false, StandardCharsets.UTF_8) {
                    @Override
                    public void print(Object text) {
                        writes[0]++;
                        super.print(text);
                    }
                };
        LiveDisplay shown = new LiveDisplay(counting, Style.PLAIN, 80, () -> nanos, false);
        shown.stepStarted("probe", null);
        shown.draw();
        shown.draw();
        assertEquals(2, writes[0]);
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertTrue(text.endsWith("\u001b[?7h"), text);
    }

    @Test
    void plainLinesHaveNoControlCodes() {
        PlainDisplay plain = new PlainDisplay(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        plain.stepStarted("smoke", "it failed");
        plain.attemptStarted("smoke", "again after timeout");
        plain.line("smoke", "\u001b[31mred");
        plain.experimentEnded("smoke", "p2p-off", "confirmed", "works\u001b[0m");
        plain.stepEnded("smoke", "failed", "hung\r\n", 121);
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertFalse(text.contains("\u001b"), text);
        assertEquals(
                """
                start smoke again: it failed
                  smoke: again after timeout
                  smoke: experiment p2p-off confirmed: works
                failed smoke (2 m 01 s): hung
                """,
                text);
    }

    @Test
    void onlyARealTerminalIsAnimatedOrColoured() {
        Map<String, String> xterm = Map.of("TERM", "xterm-256color");
        assertTrue(Terminal.of(true, xterm).live());
        assertEquals(Style.COLOURED, Terminal.of(true, xterm).style());
        assertEquals(Terminal.NONE, Terminal.of(false, xterm));
        assertFalse(Terminal.of(true, Map.of("TERM", "dumb")).live());
        assertFalse(Terminal.of(true, Map.of()).live());
        Terminal noColour = Terminal.of(true, Map.of("TERM", "xterm", "NO_COLOR", "1"));
        assertTrue(noColour.live());
        assertEquals(Style.PLAIN, noColour.style());
        assertEquals(100, Terminal.of(true, Map.of("TERM", "x", "COLUMNS", "100")).width());
        assertEquals(80, Terminal.of(true, Map.of("TERM", "x", "COLUMNS", "0")).width());
        assertEquals(60, Terminal.of(false, Map.of("COLUMNS", "60")).width());
        assertFalse(Terminal.of(false, Map.of("COLUMNS", "60")).live());
    }

    /** What a terminal shows after all that was written: enough of one for what we use. */
    private List<String> screen() {
        List<StringBuilder> rows = new ArrayList<>(List.of(new StringBuilder()));
        int row = 0;
        int column = 0;
        String text = bytes.toString(StandardCharsets.UTF_8);
        Matcher codes = Pattern.compile("\u001b\\[(\\??[0-9]*)([A-Za-z])").matcher(text);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\u001b' && codes.find(i) && codes.start() == i) {
                switch (codes.group(2)) {
                    case "A" -> row -= Integer.parseInt(codes.group(1));
                    case "K" -> rows.get(row).setLength(Math.min(column, rows.get(row).length()));
                    default -> assertTrue(codes.group(1).startsWith("?7"), codes.group());
                }
                i = codes.end() - 1;
            } else if (c == '\r') {
                column = 0;
            } else if (c == '\n') {
                row++;
                column = 0;
                while (rows.size() <= row) {
                    rows.add(new StringBuilder());
                }
            } else {
                StringBuilder line = rows.get(row);
                line.setLength(Math.max(line.length(), column + 1));
                line.setCharAt(column++, c);
            }
        }
        return rows.stream().map(StringBuilder::toString).filter(l -> !l.isEmpty()).toList();
    }
}
