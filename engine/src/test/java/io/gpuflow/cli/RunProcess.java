package io.gpuflow.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** gpuflow as a process of its own, to be interrupted and killed. */
final class RunProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private RunProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static RunProcess start(Path folder, String... arguments) throws IOException {
        return start(folder, Map.of(), arguments);
    }

    static RunProcess start(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        return start(folder, environment, null, arguments);
    }

    /**
     * @param stdout where standard output goes, or null for the same file as standard error
     */
    static RunProcess start(
            Path folder, Map<String, String> environment, File stdout, String... arguments)
            throws IOException {
        List<String> argv = new ArrayList<>();
        argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        argv.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        argv.add("-Dgpuflow.home=" + System.getProperty("gpuflow.home"));
        argv.addAll(List.of("-cp", System.getProperty("java.class.path")));
        argv.add("io.gpuflow.cli.Main");
        argv.addAll(List.of(arguments));
        Path output = Files.createTempFile(folder, "out", ".txt");
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.directory(folder.toFile());
        builder.environment().putAll(environment);
        if (stdout == null) {
            builder.redirectErrorStream(true).redirectOutput(output.toFile());
        } else {
            builder.redirectOutput(stdout).redirectError(output.toFile());
        }
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        return new RunProcess(builder.start(), output);
    }

    /** Sends a signal by name: INT, TERM, KILL. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    /** True when the process was started with SIGINT ignored, as background jobs of a shell are. */
    boolean ignoresInterrupt() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("SigIgn:")) {
                return (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0;
            }
        }
        return true;
    }

    /** Exit code; fails when it does not end in time. */
    int exit() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("it does not end: " + output());
        }
        return process.exitValue();
    }

    boolean alive() {
        return process.isAlive();
    }

    String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Live processes whose command line has this text, zombies left out. */
    static List<String> processesWith(String text) {
        return ProcessHandle.allProcesses()
                .map(p -> p.info().commandLine().orElse(""))
                .filter(line -> line.contains(text))
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
