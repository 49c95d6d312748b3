package io.gpuflow.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A process as /proc/PID/stat shows it. Reading that file takes none of the locks that a process
 * stuck in a driver may hold, unlike its environ and cmdline.
 *
 * @param state the kernel's letter: R, S, D, T, Z …
 * @param started clock ticks from boot; with the pid it names a process for good
 */
record Proc(long pid, long parent, long session, char state, long started, String name) {

    /** Fields of stat behind the name: state, parent, group, session … start time is the 20th. */
    private static final int PARENT = 1, SESSION = 3, STARTED = 19;

    /** Null when there is no such process, or /proc does not show it. */
    static Proc read(long pid) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/stat"));
            return parse(pid, new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return null;
        }
    }

    private static Proc parse(long pid, String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        if (open < 0 || close < open) {
            return null;
        }
        String[] fields = stat.substring(close + 1).strip().split(" ");
        if (fields.length <= STARTED) {
            return null;
        }
        return new Proc(
                pid,
                Long.parseLong(fields[PARENT]),
                Long.parseLong(fields[SESSION]),
                fields[0].charAt(0),
                Long.parseLong(fields[STARTED]),
                stat.substring(open + 1, close));
    }

    /** Ids of all processes that /proc shows. */
    static long[] all() {
        String[] names = Path.of("/proc").toFile().list();
        if (names == null) {
            return new long[0];
        }
        return Arrays.stream(names)
                .filter(name -> Character.isDigit(name.charAt(0)))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** The id that the kernel gave away last, or −1 when it does not say. Ids are given in turn. */
    static long lastGiven() {
        try {
            String[] fields = Files.readString(Path.of("/proc/loadavg")).strip().split(" ");
            return Long.parseLong(fields[fields.length - 1]);
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    /** Dead, though its parent has not yet asked for its exit status. */
    boolean over() {
        return state == 'Z' || state == 'X' || state == 'x';
    }

    /** Whether the same process still runs. */
    boolean alive() {
        Proc now = read(pid);
        return now != null && now.started == started && !now.over();
    }
}
