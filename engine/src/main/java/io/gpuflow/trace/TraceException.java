package io.gpuflow.trace;

import java.io.IOException;

/** A dump or report that can't be read, in words a user can act on. */
public final class TraceException extends IOException {
    private static final long serialVersionUID = 1L;

    public TraceException(String why) {
        super(why);
    }
}
