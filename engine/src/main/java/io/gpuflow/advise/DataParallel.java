package io.gpuflow.advise;

/** What the data-parallel ranks divide among them. */
public enum DataParallel {
    /** One rank: nothing to divide. */
    NONE("single"),
    /** Nothing: every rank has all weights, gradients and optimizer states. */
    DDP("ddp"),
    /** Optimizer states (DeepSpeed stage 1). */
    ZERO1("zero1"),
    /** Optimizer states and gradients (DeepSpeed stage 2). */
    ZERO2("zero2"),
    /** Everything (DeepSpeed stage 3). */
    ZERO3("zero3"),
    /** Everything; a layer's weights are gathered for its forward and again for its backward. */
    FSDP2("fsdp2"),
    /** As FSDP2, but the gathered weights stay from forward to backward. */
    FSDP2_NO_RESHARD("fsdp2-no-reshard");

    private final String word;

    DataParallel(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public boolean fsdp2() {
        return this == FSDP2 || this == FSDP2_NO_RESHARD;
    }

    public boolean deepSpeed() {
        return this == ZERO1 || this == ZERO2 || this == ZERO3;
    }
}
