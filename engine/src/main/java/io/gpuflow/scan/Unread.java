package io.gpuflow.scan;

/**
 * Something that was named or found and not read, or not to its end.
 *
 * @param evidence it is, or may well be, evidence: without it nobody can say that all is well
 */
public record Unread(String file, String why, boolean evidence) {
    /** What tells nothing about a job: a picture, an empty file. */
    public Unread(String file, String why) {
        this(file, why, false);
    }
}
