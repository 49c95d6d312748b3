package io.gpuflow.advise.memory;

import java.util.List;

/** Where weights, gradients and optimizer states are kept, and what moves them around. */
interface Keeping extends Decoder.Wrapper, Parameter.Taker {
    /** Before the first step. */
    void setUp(Weights weights);

    /** What the optimizer of this GPU sees of these parameters. */
    List<OptimizerStep.Local> local(List<Parameter> parameters);

    /** Before each forward pass; micro-steps of one optimizer step are counted from 0. */
    default void beginForward() {}

    /** All gradients are there. */
    default void endBackward() {}

    /** Before the optimizer runs. */
    default void beforeStep() {}

    /** zero_grad(set_to_none=True). */
    void dropGradients();
}
