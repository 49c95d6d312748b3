package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * The time of one optimizer step.
 *
 * @param seconds all of it; null when the GPU's speed or the links are not known
 * @param compute what the GPU computes, and the host where it is slower; null when not known
 * @param communication all of it, hidden or not; null when the links are not known
 * @param exposed the part that nothing hides; null likewise
 * @param bubble time in which pipeline stages wait for each other
 * @param tokensPerSecond of all GPUs together; null when not known
 * @param hostBound the host can't start kernels as fast as the GPU runs them
 * @param lines the arithmetic
 */
public record StepTime(
        Double seconds,
        Double compute,
        Double communication,
        Double exposed,
        double bubble,
        Double tokensPerSecond,
        boolean hostBound,
        List<TimeLine> lines) {

    /** As measured steps of the same kind say: all parts take so many times as long. */
    public StepTime corrected(double factor, String because) {
        if (seconds == null) {
            return this;
        }
        List<TimeLine> more = new ArrayList<>(lines);
        more.add(new TimeLine("correction", seconds * (factor - 1), because));
        return new StepTime(
                seconds * factor,
                compute * factor,
                communication * factor,
                exposed * factor,
                bubble * factor,
                tokensPerSecond / factor,
                hostBound,
                List.copyOf(more));
    }
}
