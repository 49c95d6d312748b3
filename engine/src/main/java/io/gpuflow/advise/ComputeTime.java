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

    /**
     * Forward and backward. GPU and host are each behind in some layers, so a step for which both
     * need the same time takes longer than either: the fourth root of the sum of fourth powers.
     */
    public double microStep() {
        double gpu = forward + backward;
        double host = hostForward + hostBackward;
        return Math.pow(Math.pow(gpu, 4) + Math.pow(host, 4), 0.25);
    }

    /** The host, not the GPU, sets the pace. */
    public boolean hostBound() {
        return hostForward + hostBackward > forward + backward;
    }
}
