package io.gpuflow.parse;

import io.gpuflow.facts.SmokeRank;
import io.gpuflow.parse.GpuflowLines.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the ranks of the DDP smoke test, gpuflow_smoke.py, and their launcher print. */
public final class SmokeOutput implements Parser<SmokeReport> {
    /** The stages, in the order in which a rank passes them. */
    public static final List<String> STAGES =
            List.of("none", "start", "init", "first-collective", "sum", "train", "done");

    // torchrun's report of a failed worker:
    //   rank      : 1 (local_rank: 1)
    //   exitcode  : -9 (pid: 2557)
    private static final Pattern RANK = Pattern.compile("^\\s*rank\\s*: (\\d{1,6}) \\(local_rank");
    private static final Pattern EXIT = Pattern.compile("^\\s*exitcode\\s*: (-?\\d{1,4}) \\(pid");

    private static final int MAX_RANKS = 4096;

    @Override
    public String kind() {
        return "ddp-smoke";
    }

    @Override
    public int recognises(String head) {
        return head.contains(GpuflowLines.MARK) && head.contains("\"first-collective\"")
                        || head.contains(GpuflowLines.MARK) && head.contains("\"visible\"")
                ? 95
                : 0;
    }

    @Override
    public SmokeReport parse(String text) {
        return parse(text, "");
    }

    /**
     * @param errors standard error, where torchrun tells how workers ended; empty when the text
     *     holds both
     */
    public SmokeReport parse(String text, String errors) {
        List<String> lines = Lines.of(text);
        GpuflowLines.Read read = GpuflowLines.of(lines);
        Map<Integer, List<Event>> byRank = new TreeMap<>();
        int world = 0;
        for (Event event : read.events()) {
            Integer rank = event.rank();
            if (rank != null && rank >= 0 && rank < MAX_RANKS) {
                byRank.computeIfAbsent(rank, r -> new ArrayList<>()).add(event);
                world = Math.max(world, rank + 1);
            }
            Integer told = event.whole("world");
            if (told != null && told <= MAX_RANKS) {
                world = Math.max(world, told);
            }
        }
        if (world == 0) {
            return SmokeReport.without("no rank of the smoke test has reported", read.unparsed());
        }
        Map<Integer, Integer> exits = exits(read.events(), Lines.of(text + "\n" + errors));
        List<Noted> ranks = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            List<Event> events = byRank.getOrDefault(rank, List.of());
            ranks.add(rank(rank, events, exits.get(rank), lines));
        }
        return SmokeReport.of(markShared(ranks, byRank), read.events(), read.unparsed());
    }

    private static Map<Integer, Integer> exits(List<Event> events, List<String> lines) {
        Map<Integer, Integer> exits = new HashMap<>();
        Integer rank = null;
        for (String line : lines) {
            Matcher r = RANK.matcher(line);
            Matcher e = EXIT.matcher(line);
            if (r.find()) {
                rank = Integer.valueOf(r.group(1));
            } else if (e.find() && rank != null) {
                exits.put(rank, Integer.valueOf(e.group(1)));
                rank = null;
            }
        }
        for (Event event : events) {
            if (event.is("exit") && event.whole("of") != null && event.whole("code") != null) {
                exits.put(event.whole("of"), event.whole("code"));
            }
        }
        return exits;
    }

    private static Noted rank(int rank, List<Event> events, Integer exit, List<String> lines) {
        Integer localRank = null;
        Integer device = null;
        String busId = null;
        String stage = "none";
        Boolean right = null;
        Integer sum = null;
        Double seconds = null;
        String error = null;
        int line = 0;
        for (Event event : events) {
            String reached = event.text("stage");
            if (reached != null
                    && event.is("stage")
                    && STAGES.indexOf(reached) > STAGES.indexOf(stage)) {
                stage = reached;
                line = line == 0 || error == null ? event.line() : line;
            }
            if (event.is("stage") && "start".equals(reached)) {
                localRank = event.whole("local_rank");
                seconds = event.number("at");
                device = event.whole("device");
                busId = mig(event) ? event.text("uuid") : event.text("bus_id");
            } else if (event.is("sum")) {
                sum = event.whole("value");
                boolean same = event.large("value") != null && sameNumbers(event);
                right = (right == null || right) && same;
            } else if (event.is("pattern")) {
                boolean same = Long.valueOf(0).equals(event.large("wrong"));
                right = (right == null || right) && same;
            } else if (event.is("error") && error == null) {
                error = words(event);
                line = event.line();
            }
        }
        if (error == null && device != null && localRank != null && !device.equals(localRank)) {
            error = "runs on device " + device + ", should run on device " + localRank;
        }
        return Noted.at(
                new SmokeRank(
                        rank, localRank, device, busId, stage, right, sum, seconds, error, exit,
                        null, null),
                line,
                lines);
    }

    private static boolean sameNumbers(Event event) {
        return event.large("value").equals(event.large("expected"));
    }

    /** A MIG device shares its GPU's address with others; only its own UUID tells it apart. */
    private static boolean mig(Event start) {
        String gpu = start.text("gpu");
        return gpu != null && gpu.contains(" MIG ") && start.text("uuid") != null;
    }

    private static String words(Event error) {
        String type = error.text("type") == null ? "error" : error.text("type");
        String first = error.text("first");
        String last = error.text("text");
        String text = last == null || last.isEmpty() ? first : last;
        String where = error.text("where");
        return type
                + (text == null || text.isEmpty() ? "" : ": " + text)
                + (where == null ? "" : " (" + where + ")");
    }

    /** Two ranks on one GPU: said of the higher rank, unless it already tells of something else. */
    private static List<Noted> markShared(List<Noted> ranks, Map<Integer, List<Event>> byRank) {
        Map<String, Integer> owner = new HashMap<>();
        List<Noted> marked = new ArrayList<>();
        for (Noted note : ranks) {
            SmokeRank r = (SmokeRank) note.fact();
            Integer other = r.busId() == null ? null : owner.putIfAbsent(r.busId(), r.rank());
            if (other == null) {
                marked.add(note);
                continue;
            }
            String shared = "uses the same GPU " + r.busId() + " as rank " + other;
            SmokeRank with =
                    new SmokeRank(
                            r.rank(),
                            r.localRank(),
                            r.device(),
                            r.busId(),
                            r.stage(),
                            r.sumRight(),
                            r.sum(),
                            r.seconds(),
                            r.error() == null ? shared : shared + "; " + r.error(),
                            r.exit(),
                            null,
                            null);
            marked.add(new Noted(with, note.line(), note.excerpt()));
        }
        return marked;
    }
}
