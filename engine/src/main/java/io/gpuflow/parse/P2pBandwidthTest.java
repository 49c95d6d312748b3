package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.P2pCopyTest;
import io.gpuflow.facts.Source;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads what p2pBandwidthLatencyTest of the CUDA samples prints. */
public final class P2pBandwidthTest implements Parser<P2pBandwidthTest.Reading> {
    private static final String TITLE = "[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]";
    private static final Pattern DEVICE = Pattern.compile("^Device: (\\d+), .*");
    private static final Pattern ACCESS =
            Pattern.compile("^Device=\\d+ (CAN|CANNOT) Access Peer Device=\\d+");
    private static final Pattern TABLE =
            Pattern.compile("^Unidirectional P2P=(Disabled|Enabled) Bandwidth.*Matrix.*");
    private static final Pattern ROW = Pattern.compile("^\\s*(\\d{1,4})((?:\\s+[\\d.]+)+)\\s*$");

    /**
     * @param gbPerSecondOff of the pair that gains least by peer access, without it
     * @param gbPerSecondOn the same with peer access
     * @param line the line of the table with peer access on, or of the last one that was begun
     */
    public record Reading(
            int gpus,
            boolean canAccess,
            Double gbPerSecondOff,
            Double gbPerSecondOn,
            boolean finished,
            int line,
            String error,
            List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            if (error != null) {
                return List.of();
            }
            P2pCopyTest test =
                    new P2pCopyTest(gpus, canAccess, gbPerSecondOff, gbPerSecondOn, finished);
            return List.of(new Observed(test, new Source(sourceName, line, TITLE)));
        }
    }

    @Override
    public String kind() {
        return "p2p-bandwidth-test";
    }

    @Override
    public int recognises(String head) {
        boolean part =
                head.contains("P2P Connectivity Matrix")
                        || head.contains("P2P=Disabled Bandwidth")
                        || head.contains("P2P=Enabled Bandwidth");
        return head.contains(TITLE) ? 95 : part ? 90 : 0;
    }

    @Override
    public Reading parse(String text) {
        int gpus = 0;
        boolean can = true;
        boolean finished = false;
        int line = 1;
        String table = null;
        Map<String, Double> off = new TreeMap<>();
        Map<String, Double> on = new TreeMap<>();
        List<String> lines = Lines.of(text);
        for (int i = 0; i < lines.size(); i++) {
            String l = lines.get(i);
            Matcher access = ACCESS.matcher(l);
            Matcher head = TABLE.matcher(l);
            Matcher row = ROW.matcher(l);
            if (DEVICE.matcher(l).matches()) {
                gpus++;
            } else if (access.find()) {
                can &= access.group(1).equals("CAN");
            } else if (head.matches()) {
                table = head.group(1);
                line = i + 1;
            } else if (l.contains("Latency") && l.contains("Matrix")) {
                finished = true;
                table = null;
            } else if (l.contains("Matrix")) {
                table = null;
            } else if (table != null && row.matches()) {
                add(table.equals("Enabled") ? on : off, row);
            }
        }
        // An excerpt may begin below the list of devices.
        gpus = gpus > 0 ? gpus : devices(off, on);
        String error = gpus == 0 ? "no device is listed" : null;
        String worst = worst(off, on);
        Double slow = worst == null ? median(off) : off.get(worst);
        Double fast = worst == null ? median(on) : on.get(worst);
        return new Reading(gpus, can, slow, fast, finished, line, error, List.of());
    }

    private static int devices(Map<String, Double> off, Map<String, Double> on) {
        return (int)
                Stream.concat(off.keySet().stream(), on.keySet().stream())
                        .map(pair -> pair.substring(0, pair.indexOf(' ')))
                        .distinct()
                        .count();
    }

    /** The cells of a row but the one on the diagonal. */
    private static void add(Map<String, Double> cells, Matcher row) {
        int self = Integer.parseInt(row.group(1));
        String[] values = row.group(2).strip().split("\\s+");
        for (int i = 0; i < values.length; i++) {
            if (i != self) {
                try {
                    cells.put(self + " " + i, Double.valueOf(values[i]));
                } catch (NumberFormatException e) {
                    return;
                }
            }
        }
    }

    /** The pair that gains least (or loses most) by peer access, or null without both tables. */
    private static String worst(Map<String, Double> off, Map<String, Double> on) {
        return on.keySet().stream()
                .filter(pair -> off.getOrDefault(pair, 0.0) > 0)
                .min(Comparator.comparingDouble(pair -> on.get(pair) / off.get(pair)))
                .orElse(null);
    }

    private static Double median(Map<String, Double> cells) {
        return cells.isEmpty()
                ? null
                : cells.values().stream().sorted().skip(cells.size() / 2).findFirst().orElse(null);
    }
}
