package io.gpuflow.advise;

/** How attention is computed; decides whether the scores exist in memory. */
public enum Attention {
    /** torch's scaled_dot_product_attention: the flash kernel wherever it can be used. */
    SDPA("sdpa"),
    /** Matrix products and a softmax: the scores are kept, sequence × sequence for every head. */
    EAGER("eager"),
    /** The flash-attn package. */
    FLASH("flash");

    private final String word;

    Attention(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
