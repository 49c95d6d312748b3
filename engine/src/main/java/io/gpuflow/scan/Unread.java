package io.gpuflow.scan;

/** Something that was named or found and not read, or not to its end. */
public record Unread(String file, String why) {}
