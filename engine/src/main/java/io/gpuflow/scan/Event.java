package io.gpuflow.scan;

import java.util.Map;

/**
 * Equal lines of one signature in one file, by rank, host and captured values.
 *
 * <p>Mutable while a file is read: equal lines are counted, not kept.
 */
final class Event {
    final Signature signature;
    final Map<String, String> values;
    final String file;

    /** First line, from 1. */
    long line;

    /** The first line, shortened, as it stood. */
    final String text;

    Integer rank;
    Integer localRank;
    String host;
    Integer pid;
    Integer device;
    Double time;
    long count = 1;

    /** Line of the last such line. */
    long lastLine;

    /** Ranks of which one said it, when it can't be told which. */
    java.util.List<Integer> candidates = java.util.List.of();

    /**
     * What each rank (−1: lines without one) had shown last before an end, or an exception that no
     * logger wrote; null for other events.
     */
    Map<Integer, Progress> before;

    /** Times of the last line above it and the first below it that bear one, or null. */
    Double timeAbove;

    Double timeBelow;

    /** What a rank's user code was at, from the traceback that ended here, or null. */
    String where;

    Event(Signature signature, Map<String, String> values, String file, long line, String text) {
        this.signature = signature;
        this.values = values;
        this.file = file;
        this.line = line;
        this.lastLine = line;
        this.text = text;
    }

    /** When it happened, by its own word or its line's. */
    static Double time(Event e) {
        String told = e.values.get("time");
        Double own = told == null ? null : Prefix.of(told + " ", 2000).time;
        return own != null ? own : e.time;
    }

    String id() {
        return signature.id();
    }

    /** Equal keys are the same event. */
    String key() {
        return id() + '\u0000' + rank + '\u0000' + localRank + '\u0000' + host + '\u0000' + pid
                + '\u0000' + values;
    }
}
