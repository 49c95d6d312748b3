package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A command that starts processes which are hard to get rid of, each of which leaves its pid in a
 * folder: a child, a grandchild in a session of its own, a daemon whose parents are gone, ones that
 * ignore every polite signal, a stopped one, one without the environment it was born with, and,
 * where {@link LimitMark} works, one that has lost environment, session, parents and open files.
 */
record NastyTree(Path pids) {
    private static final List<String> KINDS =
            LimitMark.works()
                    ? List.of("child", "setsid", "daemon", "deaf", "stopped", "bare", "lost")
                    : List.of("child", "setsid", "daemon", "deaf", "stopped", "bare");

    /** Twice away from its parents, in a third session, with nothing that it was given. */
    private static final String LOST =
            "(env -i PATH=\"$PATH\" setsid sh -c '(setsid sh -c \"echo \\$\\$ > lost.new; mv lost.new"
                    + " lost; cd /; exec sleep 300\" </dev/null >/dev/null 2>&1 3>&- &)' &)\n"
                    + "while ! [ -e lost ]; do sleep 0.02; done\n";

    /** The script; its last command decides how the leader itself goes on. */
    String script(String last) {
        String in = "cd " + pids + "; ";
        return in
                + "put() { echo $1 > $2.new; mv $2.new $2; }\n"
                + "sleep 300 & put $! child\n"
                + "setsid sh -c 'echo $$ > setsid.new; mv setsid.new setsid; sleep 300 & wait' &\n"
                + "(setsid sh -c 'echo $$ > daemon.new; mv daemon.new daemon; exec sleep 300'"
                + " </dev/null >/dev/null 2>&1 &)\n"
                + "setsid sh -c 'trap \"\" TERM HUP INT; echo $$ > deaf.new; mv deaf.new deaf;"
                + " while :; do sleep 300; done' &\n"
                + "sleep 300 & kill -STOP $!; put $! stopped\n"
                + "env -i sleep 300 & put $! bare\n"
                + (KINDS.contains("lost") ? LOST : "")
                + "while ! [ -e setsid ] || ! [ -e daemon ] || ! [ -e deaf ]; do sleep 0.02; done\n"
                + "echo ready\n"
                + last
                + "\n";
    }

    boolean complete() {
        return KINDS.stream().allMatch(kind -> Files.exists(pids.resolve(kind)));
    }

    /** Fails naming those that are still alive after at most this many milliseconds. */
    void assertGone(long millis) throws Exception {
        long end = System.currentTimeMillis() + millis;
        while (!alive().isEmpty() && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        assertEquals(Map.of(), alive());
    }

    /** So that a test that fails leaves nothing behind either. */
    void end() throws IOException {
        for (Proc proc : alive().values()) {
            ProcessHandle.of(proc.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private Map<String, Proc> alive() throws IOException {
        Map<String, Proc> alive = new TreeMap<>();
        try (Stream<Path> files = Files.list(pids)) {
            for (Path file : files.toList()) {
                Proc proc = Proc.read(Long.parseLong(Files.readString(file).strip()));
                if (proc != null && !proc.over()) {
                    alive.put(file.getFileName().toString(), proc);
                }
            }
        }
        return alive;
    }
}
