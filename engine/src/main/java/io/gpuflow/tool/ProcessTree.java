package io.gpuflow.tool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * All processes of one command: those that carry its mark, those of its session, those seen before,
 * and whatever descends from them. Never told by name; a pid counts only with its start time.
 */
final class ProcessTree {
    /** How long a killed process may take to vanish before it is reported as stuck. */
    private static final Duration KILL_LIMIT = Duration.ofSeconds(5);

    private static final int LONGEST = 200;

    private final Mark mark;
    private final long leader;
    private final long firstPid;

    /** Nothing that started before the command descends from it. */
    private final long since;

    private final Map<Long, Proc> known = new HashMap<>();

    /**
     * @param leader pid of the command itself
     * @param ownSession whether it leads a session of its own
     */
    ProcessTree(Mark mark, long leader, boolean ownSession) {
        this.mark = mark;
        this.leader = ownSession ? leader : -1;
        this.firstPid = leader;
        Proc proc = Proc.read(leader);
        if (proc != null) {
            known.put(leader, proc);
        }
        Proc self = Proc.read(ProcessHandle.current().pid());
        this.since = proc != null ? proc.started() : self != null ? self.started() : 0;
    }

    /** All that are alive, the command itself first. */
    List<Proc> alive() throws InterruptedException {
        return alive(Proc.all());
    }

    /**
     * All that are alive, looking only at processes younger than the command: ids are given in
     * turn, so a few milliseconds tell on a machine with thousands of processes. Right as long as
     * the ids have not come round since, which takes many seconds.
     */
    List<Proc> aliveAmongYounger() throws InterruptedException {
        long last = Proc.lastGiven();
        if (last < 0) {
            return alive();
        }
        List<Long> younger = new ArrayList<>();
        for (long pid : Proc.all()) {
            boolean after = pid > firstPid;
            if (last >= firstPid ? after && pid <= last : after || pid <= last) {
                younger.add(pid);
            }
        }
        return alive(younger.stream().mapToLong(Long::longValue).toArray());
    }

    private List<Proc> alive(long[] pids) throws InterruptedException {
        Map<Long, Proc> all = new HashMap<>();
        for (long pid : pids) {
            Proc proc = Proc.read(pid);
            if (proc != null && !proc.over() && proc.started() >= since) {
                all.put(pid, proc);
            }
        }
        all.remove(ProcessHandle.current().pid());
        Map<Long, Proc> ours = new HashMap<>();
        for (Proc proc : all.values()) {
            if (seenBefore(proc) || proc.session() == leader || mark.on(proc.pid())) {
                ours.put(proc.pid(), proc);
            }
        }
        addDescendants(ours, all);
        known.putAll(ours);
        List<Proc> sorted = new ArrayList<>(ours.values());
        sorted.sort((a, b) -> Boolean.compare(b.pid() == firstPid, a.pid() == firstPid));
        return sorted;
    }

    private boolean seenBefore(Proc proc) {
        Proc seen = known.get(proc.pid());
        return seen != null && seen.started() == proc.started();
    }

    private static void addDescendants(Map<Long, Proc> ours, Map<Long, Proc> all) {
        Map<Long, List<Proc>> children = new HashMap<>();
        for (Proc proc : all.values()) {
            children.computeIfAbsent(proc.parent(), pid -> new ArrayList<>()).add(proc);
        }
        List<Proc> open = new ArrayList<>(ours.values());
        while (!open.isEmpty()) {
            Proc parent = open.remove(open.size() - 1);
            for (Proc child : children.getOrDefault(parent.pid(), List.of())) {
                if (ours.putIfAbsent(child.pid(), child) == null) {
                    open.add(child);
                }
            }
        }
    }

    /**
     * Ends them all: asks, waits, kills, and looks again until none is left, since a process may
     * fork while its parent is being killed.
     *
     * @param grace time to end by themselves after being asked
     * @param hurry asked while waiting: true cuts the grace short
     * @return those that even a kill has not ended, because they are stuck in the kernel
     */
    List<Proc> end(Duration grace, BooleanSupplier hurry) throws InterruptedException {
        Set<Long> asked = new HashSet<>();
        long graceEnd = System.nanoTime() + grace.toNanos();
        List<Proc> left = alive();
        while (!left.isEmpty() && System.nanoTime() < graceEnd && !hurry.getAsBoolean()) {
            for (Proc proc : left) {
                if (asked.add(proc.pid())) {
                    signal(proc, false);
                }
            }
            awaitAny(left, graceEnd, hurry);
            left = alive();
        }
        long killEnd = System.nanoTime() + KILL_LIMIT.toNanos();
        while (!left.isEmpty() && System.nanoTime() < killEnd) {
            left.forEach(proc -> signal(proc, true));
            awaitAny(left, System.nanoTime() + 100_000_000L, () -> false);
            left = alive();
        }
        return left;
    }

    /** Returns when all of these are gone, or at the deadline; cheap, since it looks at few. */
    private static void awaitAny(List<Proc> procs, long deadline, BooleanSupplier hurry)
            throws InterruptedException {
        while (System.nanoTime() < deadline
                && !hurry.getAsBoolean()
                && procs.stream().anyMatch(Proc::alive)) {
            Thread.sleep(10);
        }
    }

    private static void signal(Proc proc, boolean kill) {
        ProcessHandle handle = ProcessHandle.of(proc.pid()).orElse(null);
        // The handle remembers the start time of the process it was made for and signals no other.
        if (handle != null && proc.alive()) {
            if (kill) {
                handle.destroyForcibly();
            } else {
                handle.destroy();
            }
        }
    }

    /** A process for the eyes of a user: its id and its command line, or only its name. */
    static String describe(Proc proc) {
        String command = "";
        try {
            Path file = Path.of("/proc/" + proc.pid() + "/cmdline");
            command =
                    Bounded.within(Duration.ofSeconds(1), () -> Files.readString(file, ISO_8859_1));
        } catch (TimeoutException | ExecutionException e) {
            // Its name is known in any case.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String words = command.replace('\0', ' ').strip();
        String text = words.isEmpty() ? "(" + proc.name() + ")" : words;
        return proc.pid() + " " + (text.length() > LONGEST ? text.substring(0, LONGEST) : text);
    }
}
