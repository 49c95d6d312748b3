package io.gpuflow.advise;

/** What the ranks of a group are joined by. */
public enum Scope {
    /** Every two directly, by NVLink or Infinity Fabric. */
    FAST("NVLink or Infinity Fabric"),
    /** On one machine, some of them over PCIe. */
    MACHINE("PCIe"),
    /** Over the network. */
    NETWORK("the network");

    private final String words;

    Scope(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
