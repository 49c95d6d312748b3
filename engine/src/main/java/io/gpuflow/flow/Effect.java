package io.gpuflow.flow;

/** What a step does to the machine, the least first. */
public enum Effect {
    /** Looks only: runs side by side with others, and in a dry run. */
    READ,
    /** Holds the GPUs: runs alone. */
    LOAD,
    /** Changes the machine: refused without {@code --allow-change}. */
    CHANGE;

    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
