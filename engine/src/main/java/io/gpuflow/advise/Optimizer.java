package io.gpuflow.advise;

/** The optimizers whose memory is known, by what {@code --optimizer} calls them. */
public enum Optimizer {
    /** torch.optim.AdamW as it comes: the foreach implementation. */
    ADAMW("adamw"),
    /** torch.optim.AdamW(fused=True). */
    ADAMW_FUSED("adamw-fused"),
    /** bitsandbytes' AdamW8bit. */
    ADAM8BIT("adam8bit"),
    /** torch.optim.SGD without momentum. */
    SGD("sgd"),
    SGD_MOMENTUM("sgd-momentum"),
    /** torch.optim.Adafactor: factored second moments, no first. */
    ADAFACTOR("adafactor"),
    /** One momentum a parameter. */
    LION("lion"),
    /** torch.optim.Muon for the layers' matrices, AdamW for the rest. */
    MUON("muon");

    private final String word;

    Optimizer(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
