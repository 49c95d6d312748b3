package io.gpuflow.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one file, or one part of a large one, told. */
final class FileLog {
    final String file;

    /** Events in order of their first line. */
    final List<Event> events = new ArrayList<>();

    /** Last progress before a rank's first sign of failure; key −1 for lines without a rank. */
    final Map<Integer, Progress> before = new TreeMap<>();

    /** Last progress line of the file, or null. */
    Progress last;

    /** Its line from the end of the file, 0 for the last line, or −1. */
    int lastFromEnd = -1;

    /** Newlines in it. */
    long newlines;

    long bytes;

    /** Events that were counted and not kept, because there were too many different ones. */
    long dropped;

    /** Every rank that a line's prefix named. */
    final List<Integer> ranks = new ArrayList<>();

    FileLog(String file) {
        this.file = file;
    }
}
