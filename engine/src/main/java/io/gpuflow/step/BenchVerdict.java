package io.gpuflow.step;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.State;
import io.gpuflow.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Whether the benchmark did its work, and what it showed in one line. Slow is for rules to say. */
record BenchVerdict(State state, String reason) {

    static BenchVerdict of(Bench bench, List<Fact> ceilings, ToolResult result) {
        String measured = measured(bench) + share(bench, ceilings);
        if (bench.wrong() != null && bench.wrong() > 0) {
            return new BenchVerdict(
                    State.FAILED, bench.wrong() + " elements came out wrong; " + measured);
        }
        if (result.outcome() == ToolResult.Outcome.TIMED_OUT) {
            return new BenchVerdict(State.BROKEN, result.why() + "; until then " + measured);
        }
        if (!result.ok()) {
            String last = LastLine.of(result.stderr());
            String why = "exit " + result.exit() + (last.isEmpty() ? "" : ": " + last);
            return new BenchVerdict(State.FAILED, why + "; until then " + measured);
        }
        String wrong = bench.wrong() == null ? ", results not checked" : ", no wrong element";
        if (Boolean.FALSE.equals(bench.completed())) {
            return new BenchVerdict(
                    State.BROKEN, "it ended before its end; until then " + measured);
        }
        return new BenchVerdict(State.PASSED, measured + wrong);
    }

    private static String measured(Bench bench) {
        return bench.op()
                + " over "
                + bench.ranks()
                + " ranks by "
                + bench.tool()
                + ": "
                + number(bench.largeBusbwGbps())
                + " GB/s at "
                + size(bench.largeBytes())
                + " (peak "
                + number(bench.peakBusbwGbps())
                + ", average "
                + number(bench.averageBusbwGbps())
                + ")"
                + (bench.transport() == null ? "" : " over " + bench.transport());
    }

    /** Of the best that the links allow, then of the other paths, which are those in use. */
    private static String share(Bench bench, List<Fact> ceilings) {
        StringBuilder text = new StringBuilder();
        boolean known = ceilings.stream().anyMatch(BusCeiling.class::isInstance);
        for (Fact fact : ceilings) {
            if (fact instanceof Unknown unknown && !known) {
                text.append(", ceiling unknown: ").append(unknown.why());
            } else if (fact instanceof BusCeiling ceiling && bench.largeBusbwGbps() != null) {
                boolean best = fact == ceilings.get(0);
                long percent = Math.round(100 * bench.largeBusbwGbps() / ceiling.gbps());
                text.append(", ").append(percent).append(" % of the ");
                text.append(number(ceiling.gbps())).append(" GB/s that ");
                text.append(best ? "the links allow" : ceiling.transport() + " allows");
                text.append(compared(ceiling));
            }
        }
        return text.toString();
    }

    /** What healthy machines reach by these links, and what was measured on such a machine. */
    private static String compared(BusCeiling ceiling) {
        List<String> with = new ArrayList<>();
        if (ceiling.expectedGbps() != null) {
            with.add("healthy: " + number(ceiling.expectedGbps()));
        }
        if (ceiling.referenceGbps() != null) {
            with.add(
                    "measured elsewhere: "
                            + number(ceiling.referenceGbps())
                            + " on "
                            + ceiling.reference().replaceFirst(" \\(.*", ""));
        }
        return with.isEmpty() ? "" : " (" + String.join("; ", with) + ")";
    }

    /** 2 GiB, 8 B. */
    private static String size(Long bytes) {
        if (bytes == null) {
            return "an unknown size";
        }
        String words = MessageSizes.words(bytes);
        char unit = words.charAt(words.length() - 1);
        return Character.isDigit(unit)
                ? words + " B"
                : words.substring(0, words.length() - 1) + " " + unit + "iB";
    }

    private static String number(Double gbps) {
        if (gbps == null) {
            return "?";
        }
        String format = gbps >= 100 ? "%.0f" : gbps >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, gbps);
    }
}
