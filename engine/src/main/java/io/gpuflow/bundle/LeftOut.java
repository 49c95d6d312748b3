package io.gpuflow.bundle;

import java.io.IOException;

/** A file that can't go into a bundle as it should, with the reason in words. */
final class LeftOut extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean evidence;

    LeftOut(String why, boolean evidence) {
        super(why);
        this.evidence = evidence;
    }

    /** It may well have told something about a job. */
    boolean evidence() {
        return evidence;
    }
}
