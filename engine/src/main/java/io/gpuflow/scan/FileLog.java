package io.gpuflow.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What one file, or one part of a large one, told. */
final class FileLog {
    final String file;

    /** Events in order of their first line. */
    final List<Event> events = new ArrayList<>();

    /**
     * Each rank's last progress before the first sign of failure; key −1 for lines without rank.
     */
    final Map<Integer, Progress> before = new TreeMap<>();

    /** Ranks whose last line before a failure says that they were done, with that line. */
    final Map<Integer, Line> done = new TreeMap<>();

    /** A line and what it says, shortened. */
    record Line(long number, String text) {}

    /** Last progress line of the file, or null. */
    Progress last;

    /** The rank that printed it, or −1. */
    int lastRank = -1;

    /** Newlines from its line to the end of the file, or −1. */
    int lastFromEnd = -1;

    /** Its last lines hold some that are printed while a job starts ({@link StartUp}). */
    boolean starts;

    /** Its last line is one of those. */
    boolean endsStarting;

    /** Its last lines show that work was done. */
    boolean worked;

    /** What the ranks (−1: lines without one) showed last in it. */
    final Map<Integer, Pace.Steps> steps = new TreeMap<>();

    /** Its last lines close a job or a tool's output ({@link Ending}). */
    boolean ended;

    /** Newlines from there to the end of the file. */
    int endedFromEnd;

    /** Newlines from the summary of tests that all passed to the end of the file, or −1. */
    int testsPassedFromEnd = -1;

    /** It is lines picked out of a log. */
    boolean excerpt;

    /** Most of its last lines are the kernel's. */
    boolean kernel;

    /** Its last line that is no banner, or null. */
    String lastLine;

    /** Its last lines show channels between ranks. */
    boolean connected;

    /** Most of its last lines begin as those of logs do: with a time, a rank, a process. */
    boolean prefixed;

    /** Newlines in it. */
    long newlines;

    long bytes;

    /** Events that were counted and not kept, because there were too many different ones. */
    long dropped;

    /** Rank by host and GPU, as NCCL's channel lines before a failure tell it. */
    final Map<String, Integer> rankOfDevice = new TreeMap<>();

    /** Ranks whose traceback began. */
    final Set<Integer> raised = new TreeSet<>();

    /** Every rank that a line's prefix named. */
    final List<Integer> ranks = new ArrayList<>();

    FileLog(String file) {
        this.file = file;
    }
}
