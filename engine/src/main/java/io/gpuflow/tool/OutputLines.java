package io.gpuflow.tool;

/** Told of each line a running command prints, for the live display and for noticing a stall. */
@FunctionalInterface
public interface OutputLines {
    void line(boolean stderr, String text);
}
