package io.gpuflow.advise.memory;

/** What a piece of memory is for. */
enum Part {
    WEIGHTS,
    GRADIENTS,
    OPTIMIZER,
    /** 16-bit copies of the weights that autocast keeps. */
    CAST_WEIGHTS,
    ACTIVATIONS,
    LOGITS,
    /** Of the communication: buckets, gathered weights. */
    BUFFERS,
    /** Lives for a moment. */
    TEMPORARY,
    /** cuBLAS's workspaces, allocated through torch. */
    WORKSPACE;

    boolean state() {
        return this == WEIGHTS || this == GRADIENTS || this == OPTIMIZER;
    }
}
