package io.gpuflow.report;

import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.PeakMemory;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.StepTime;
import io.gpuflow.advise.TimeLine;
import java.util.List;
import java.util.Locale;

/** What advise found, for a person. */
public final class AdviceText {
    private static final double GIB = 1L << 30;

    private final StringBuilder out = new StringBuilder();
    private final Terminal terminal;

    private AdviceText(Terminal terminal) {
        this.terminal = terminal;
    }

    public static String of(
            Request request, List<Candidate> candidates, List<String> assumed, Terminal terminal) {
        AdviceText text = new AdviceText(terminal);
        text.head(request, assumed);
        for (int i = 0; i < candidates.size(); i++) {
            text.candidate(candidates.get(i), i == 0);
        }
        return text.out.toString();
    }

    private void head(Request request, List<String> assumed) {
        ModelShape m = request.model();
        line(
                "%s, %s parameters%s, on %d GPU%s%s",
                m.family().equals("parameters") ? "a model" : m.family(),
                count(m.parameters().total()),
                m.experts() == null ? "" : " (" + count(m.parameters().active()) + " for a token)",
                request.gpus(),
                request.gpus() == 1 ? "" : "s",
                request.gpuMemory() == null
                        ? " whose memory is not known"
                        : format(" with %.1f GiB each", request.gpuMemory() / GIB));
        m.assumed().forEach(a -> wrapped("  ", "assumed: " + a));
        if (!assumed.isEmpty()) {
            wrapped("  ", "not given, so taken: " + String.join(", ", assumed));
        }
        line("");
    }

    private void candidate(Candidate c, boolean first) {
        boolean not = c.forbidden() || Boolean.FALSE.equals(c.fits());
        String mark = not ? "no " : first ? "-> " : "   ";
        line(
                "%s%-22s micro-batch %-3d %s%s",
                mark,
                c.layout().option(),
                c.workload().microBatch(),
                c.workload().recompute() ? "recompute  " : "",
                times(c));
        c.because().forEach(b -> wrapped("      ", b));
        if (!c.peak().lines().isEmpty()) {
            explained(c.peak());
            if (c.time() != null) {
                explained(c.time());
            }
        }
    }

    private static String times(Candidate c) {
        if (c.stepSeconds() == null) {
            return format("%.1f GiB", c.peak().total() / GIB);
        }
        String comm =
                c.commSeconds() == null ? "" : format(", communication %.3f s", c.commSeconds());
        return format("%.1f GiB, step %.3f s%s", c.peak().total() / GIB, c.stepSeconds(), comm);
    }

    private void explained(PeakMemory p) {
        line("");
        line("      What is allocated at the peak, in the %s (GiB are 2^30 bytes):", p.phase());
        for (PeakMemory.Line l : p.lines()) {
            line("      %9.3f GiB  %s%s", l.bytes() / GIB, l.text(), equation(l));
        }
        line("      %9.3f GiB  allocated (torch.cuda.max_memory_allocated)", p.allocated() / GIB);
        line("      %9.3f GiB  reserved by the allocator for it", p.reserved() / GIB);
        line("      %9.3f GiB  outside of it: CUDA context, libraries, NCCL", p.overhead() / GIB);
        line("      %9.3f GiB  in all", p.total() / GIB);
        line("");
    }

    private void explained(StepTime t) {
        line("      What a step takes, seconds:");
        for (TimeLine l : t.lines()) {
            String seconds = Double.isNaN(l.seconds()) ? "  unknown" : format("%9.4f", l.seconds());
            wrapped("      ", seconds + " s  " + l.text() + " = " + l.formula());
        }
        if (t.seconds() != null) {
            line("      %9.4f s  the step", t.seconds());
        }
        line("");
    }

    private static String equation(PeakMemory.Line l) {
        return l.formula().isEmpty() ? "" : " = " + l.formula();
    }

    private void wrapped(String indent, String text) {
        for (String part : new Wrap(terminal.width()).hanging(indent, indent.length(), text)) {
            out.append(part).append('\n');
        }
    }

    private void line(String pattern, Object... values) {
        out.append(format(pattern, values).stripTrailing()).append('\n');
    }

    private static String count(long parameters) {
        return parameters >= 1_000_000_000
                ? format("%.2f billion", parameters / 1e9)
                : format("%.0f million", parameters / 1e6);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
