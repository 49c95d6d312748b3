package io.gpuflow.report;

import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.PeakMemory;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.StepTime;
import io.gpuflow.advise.TimeLine;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What advise found, for a person. */
public final class AdviceText {
    private static final double GIB = 1L << 30;

    /** How the reason ends that a prediction was never held against a real step. */
    private static final String UNMEASURED = "not checked against measured steps";

    /** How an assumption begins that is none: the GPU's memory is not known. */
    private static final String UNTOLD = "whether it fits can't be told";

    /** Reasons that a row or the first candidate gives already. */
    private static final Pattern SHOWN =
            Pattern.compile(
                    "(micro-batch |time not known|\\d+ tokens a second|DDP's peak|\\S+ groups?: GPUs).*");

    private final StringBuilder out = new StringBuilder();
    private final Terminal terminal;

    private AdviceText(Terminal terminal) {
        this.terminal = terminal;
    }

    public static String of(
            Request request, List<Candidate> candidates, List<String> assumed, Terminal terminal) {
        AdviceText text = new AdviceText(terminal);
        text.head(request, assumed);
        boolean explained = !candidates.get(0).peak().lines().isEmpty();
        for (int i = 0; i < candidates.size(); i++) {
            text.candidate(candidates.get(i), i == 0, explained);
        }
        if (!explained) {
            text.line("");
            text.wrapped(
                    "",
                    "--explain gives the arithmetic and every reason, --strategy NAME one way alone.");
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
                        : format(
                                " with %.1f GiB%s",
                                request.gpuMemory() / GIB, request.gpus() == 1 ? "" : " each"));
        m.assumed().forEach(a -> wrapped("  ", "assumed: " + a));
        List<String> taken = assumed.stream().filter(a -> !a.startsWith(UNTOLD)).toList();
        if (!taken.isEmpty()) {
            wrapped("  ", "not given, so taken: " + String.join(", ", taken));
        }
        assumed.stream().filter(a -> a.startsWith(UNTOLD)).forEach(a -> wrapped("  ", a));
        line("");
    }

    private void candidate(Candidate c, boolean first, boolean all) {
        boolean not = c.forbidden() || Boolean.FALSE.equals(c.fits());
        String mark = not ? "no " : c.fits() == null ? "?  " : first ? "-> " : "   ";
        line(
                "%s%-22s micro-batch %-3d %s%s",
                mark,
                c.layout().option(),
                c.workload().microBatch(),
                c.workload().recompute() ? "recompute  " : "",
                times(c));
        c.because().stream()
                .filter(b -> first || all || tells(b, not))
                .forEach(b -> wrapped("      ", b));
        if (!c.peak().lines().isEmpty()) {
            explained(c.peak());
            if (c.time() != null) {
                explained(c.time());
            }
        }
    }

    /** Of what is not first: what rules say of it, how sure it is, and why it can't be used. */
    private static boolean tells(String reason, boolean not) {
        return reason.endsWith("]")
                || reason.endsWith(UNMEASURED)
                || (not && !SHOWN.matcher(reason).matches());
    }

    private static String times(Candidate c) {
        if (c.stepSeconds() == null) {
            return format("%.1f GiB", c.peak().total() / GIB);
        }
        String comm =
                c.commSeconds() == null ? "" : format(", communication %.3f s", c.commSeconds());
        String tokens =
                c.time() == null ? "" : format(", %.0f tokens/s", c.time().tokensPerSecond());
        return format(
                "%.1f GiB, step %.3f s%s%s", c.peak().total() / GIB, c.stepSeconds(), comm, tokens);
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
            String seconds =
                    Double.isNaN(l.seconds()) ? "  unknown  " : format("%9.4f s", l.seconds());
            wrapped("      ", seconds + "  " + l.text() + " = " + l.formula());
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
