package io.gpuflow.tool;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A small shell process that notices when gpuflow is killed so hard that it can't clean up, and
 * then ends what gpuflow had started. It waits on a pipe that only gpuflow holds open.
 */
final class Guardian {
    private final Mark mark;
    private final Set<Long> running = new HashSet<>();
    private Process shell;
    private OutputStream pipe;
    private String trouble;

    Guardian(Mark mark) {
        this.mark = mark;
    }

    /** Starts it if it does not run; called before each command. */
    synchronized void ensure() {
        if (shell != null && shell.isAlive() || trouble != null && shell == null) {
            return;
        }
        try {
            start();
        } catch (IOException e) {
            shell = null;
            trouble = "no guardian: " + Words.ofStart(e);
        }
    }

    private void start() throws IOException {
        List<String> argv = new ArrayList<>(Session.prefix());
        argv.addAll(List.of("sh", "-c", script(), "gpuflow-guardian"));
        ProcessBuilder builder = new ProcessBuilder(argv);
        // It must not hold open what the user pipes gpuflow's output into, nor any folder.
        builder.directory(new File("/"));
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        shell = builder.start();
        pipe = shell.getOutputStream();
        tell(mark.text());
        tell(LimitMark.works() ? String.valueOf(mark.limit().prefix()) : "-");
        running.forEach(pid -> tell("start " + pid));
    }

    static String script() throws IOException {
        try (InputStream in = Guardian.class.getResourceAsStream("guardian.sh")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    synchronized void started(long pid) {
        running.add(pid);
        tell("start " + pid);
    }

    synchronized void ended(long pid) {
        running.remove(pid);
        tell("end " + pid);
    }

    /** Lets it go: nothing of ours runs any more. */
    synchronized void release() {
        if (shell != null) {
            tell("bye");
            shell = null;
        }
    }

    /** Why there is none, or null. */
    synchronized String trouble() {
        return trouble;
    }

    private void tell(String line) {
        if (pipe == null) {
            return;
        }
        try {
            pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            // It was killed; the next command starts another one.
            pipe = null;
        }
    }
}
