package io.gpuflow.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A mark that a process can't put off: the limit on file locks. Linux has not enforced it since
 * 2.4.25 (getrlimit(2), RLIMIT_LOCKS), so that any number will do; it is inherited whatever a
 * process does to its environment, session, parents and open files, and can't be raised again
 * without privileges. {@code prlimit} (util-linux) sets it, /proc/PID/limits shows it.
 *
 * @param prefix the first digits of the limits of all commands of one gpuflow process
 */
record LimitMark(long prefix) {
    /** Room for the number of a command behind the prefix. */
    private static final long CALLS = 10_000_000;

    private static final String NAME = "Max file locks";

    /** The program where it works here, else null: it is asked once. */
    private static final class Program {
        static final Path PATH = find();

        private static Path find() {
            Path program =
                    ProgramLookup.find(
                                    "prlimit",
                                    System.getenv().getOrDefault("PATH", "/usr/bin:/bin"),
                                    null)
                            .program();
            return program != null && isFree() && works(program) ? program : null;
        }

        /** Within another gpuflow, whose mark must stay, or where somebody has set it. */
        private static boolean isFree() {
            return "unlimited".equals(of("self"));
        }

        private static boolean works(Path program) {
            try {
                Process trial =
                        new ProcessBuilder(program.toString(), "--locks=" + CALLS, "true")
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start();
                return trial.waitFor(2, TimeUnit.SECONDS) && trial.exitValue() == 0;
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    static LimitMark random() {
        return new LimitMark(10_000_000_000L + new SecureRandom().nextInt(1_000_000_000));
    }

    static boolean works() {
        return Program.PATH != null;
    }

    /** The limit of one command. */
    long call(long number) {
        return prefix * CALLS + number % CALLS;
    }

    /** What to put before a command; empty where it can't be set. */
    List<String> command(long number) {
        return works() ? List.of(Program.PATH.toString(), "--locks=" + call(number)) : List.of();
    }

    /** Whether a process has the limit of this command. Takes no lock that a driver may hold. */
    boolean on(long pid, long number) {
        return String.valueOf(call(number)).equals(of(String.valueOf(pid)));
    }

    private static String of(String pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/limits"))) {
                if (line.startsWith(NAME)) {
                    // Max file locks  <soft>  <hard>  locks: a process may lower the first one.
                    String[] fields = line.substring(NAME.length()).strip().split(" +");
                    return fields.length < 2 ? null : fields[1];
                }
            }
        } catch (IOException e) {
            // It is gone, or another user's.
        }
        return null;
    }
}
