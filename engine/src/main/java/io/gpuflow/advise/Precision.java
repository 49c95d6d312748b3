package io.gpuflow.advise;

/** The number formats that a training step computes and keeps its weights in. */
public enum Precision {
    /** Everything in fp32. */
    FP32("fp32", 4, false),
    /** fp32 weights, computing in bf16: by autocast, or by the mixed-precision policy of FSDP2. */
    MIXED("mixed", 4, true),
    /** Weights, gradients and optimizer states in bf16. */
    BF16("bf16", 2, false),
    /** fp32 weights, computing in fp16 by autocast, with a loss scaler. */
    FP16("fp16", 4, true);

    private final String word;
    private final int weightBytes;
    private final boolean casts;

    Precision(String word, int weightBytes, boolean casts) {
        this.word = word;
        this.weightBytes = weightBytes;
        this.casts = casts;
    }

    /** What {@code --precision} calls it. */
    public String word() {
        return word;
    }

    /** Bytes of one weight as the optimizer sees it. */
    public int weightBytes() {
        return weightBytes;
    }

    /** Bytes of one number that the matrix products read. */
    public int computeBytes() {
        return this == FP32 ? 4 : 2;
    }

    /** Computes in another format than the weights are kept in. */
    public boolean casts() {
        return casts;
    }
}
