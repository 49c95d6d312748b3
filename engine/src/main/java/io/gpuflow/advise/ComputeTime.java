package io.gpuflow.advise;

import java.util.List;

/**
 * What one rank computes in a micro-step, seconds. Kernels run one after the other, so their times
 * add up; where the host can't start them fast enough, its own time counts instead.
 *
 * @param forward on the GPU
 * @param backward on the GPU, recomputation with it
 * @param hostForward time in which the host starts the forward pass's kernels
 * @param hostBackward likewise
 * @param optimizer the optimizer's step, once in a step
 * @param lines of one micro-step, and the optimizer
 */
public record ComputeTime(
        double forward,
        double backward,
        double hostForward,
        double hostBackward,
        double optimizer,
        List<TimeLine> lines) {

    /** Forward pass, as long as GPU or host take. */
    public double forwardPass() {
        return Math.max(forward, hostForward);
    }

    public double backwardPass() {
        return Math.max(backward, hostBackward);
    }

    /** Forward and backward; the host may be ahead in one and behind in the other. */
    public double microStep() {
        return Math.max(forward + backward, hostForward + hostBackward);
    }

    /** The host, not the GPU, sets the pace. */
    public boolean hostBound() {
        return hostForward + hostBackward > forward + backward;
    }
}
