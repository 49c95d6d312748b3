package io.gpuflow.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/**
 * Finds the verb and runs it. Only the class of the verb that was typed is loaded: reading the
 * annotations of all of them costs more than most verbs do.
 */
public final class Main {
    /** Verbs that start and write nothing. */
    private static final Set<String> READ_ONLY = Set.of("diagnose", "facts");

    private Main() {}

    public static void main(String[] args) {
        int exit;
        try {
            exit = run(args);
        } catch (Throwable e) {
            // Java's own exit code would be 1, which says that something was found.
            exit = failed(args[0], e);
        }
        exit = written(exit);
        if (args.length > 0 && READ_ONLY.contains(args[0])) {
            // An orderly exit first looks for a logger, 8 ms, and there is nothing to put in order.
            System.out.flush();
            Runtime.getRuntime().halt(exit);
        }
        System.exit(exit);
    }

    /**
     * A result that a full disk has not taken is none. A pipe that its reader has closed is no
     * mistake: {@code gpuflow … | head}.
     */
    private static int written(int exit) {
        if (!System.out.checkError()) {
            return exit;
        }
        try {
            Path to = Files.readSymbolicLink(Path.of("/proc/self/fd/1"));
            if (to.toString().startsWith("pipe:")) {
                return exit;
            }
        } catch (IOException e) {
            // Not Linux's /proc: told as if it were a file.
        }
        System.err.println("gpuflow: the output could not be written; is the disk full?");
        return ExitCode.INTERNAL;
    }

    /** Runs one command line and returns its exit code; tests call this. */
    public static int run(String... args) {
        String first = args.length == 0 ? "" : args[0];
        return switch (first) {
            case "" -> usage("say what to do");
            case "--version", "-V" -> print("version.txt");
            case "--help", "-h" -> print("help.txt");
            case "help" -> args.length == 1 ? print("help.txt") : run(args[1], "--help");
            default -> verb(first, Arrays.copyOfRange(args, 1, args.length));
        };
    }

    private static int verb(String name, String[] args) {
        Callable<Integer> verb = Verbs.named(name);
        if (verb == null) {
            return usage("there is no verb " + name);
        }
        Object described = verb instanceof DescribedInCode inCode ? inCode.spec() : verb;
        return new CommandLine(described)
                .setCommandName("gpuflow " + name)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, all) -> mistyped(e))
                .setExecutionExceptionHandler((e, line, parsed) -> failed(name, e))
                .execute(args);
    }

    /** A wrong option or value, in one line: the whole help would hide what was wrong. */
    private static int mistyped(CommandLine.ParameterException e) {
        String verb = e.getCommandLine().getCommandSpec().qualifiedName();
        String problem =
                e.getMessage()
                        .replaceFirst("is not an? (int|long)\\b", "is not a whole number")
                        .replaceFirst("is not a (double|float)\\b", "is not a number");
        String near =
                e instanceof CommandLine.UnmatchedArgumentException unmatched
                                && !unmatched.getSuggestions().isEmpty()
                        ? "; did you mean " + unmatched.getSuggestions().get(0) + "?"
                        : "";
        problem = Character.toLowerCase(problem.charAt(0)) + problem.substring(1) + near;
        System.err.println(verb + ": " + problem + "; " + verb + " --help tells the options");
        return ExitCode.USAGE;
    }

    /** What no verb foresaw: our fault, and never to be taken for a finding about the machine. */
    private static int failed(String verb, Throwable e) {
        if (e instanceof UncheckedIOException || e instanceof IOException) {
            System.err.println("gpuflow " + verb + ": " + e.getMessage());
        } else {
            System.err.println("gpuflow " + verb + " failed; please report this:");
            e.printStackTrace();
        }
        return ExitCode.INTERNAL;
    }

    private static int usage(String problem) {
        System.err.println("gpuflow: " + problem + "; gpuflow --help lists the verbs");
        return ExitCode.USAGE;
    }

    private static int print(String resource) {
        try (InputStream text = Main.class.getResourceAsStream(resource)) {
            System.out.print(new String(text.readAllBytes(), StandardCharsets.UTF_8));
            return ExitCode.OK;
        } catch (IOException e) {
            System.err.println("gpuflow: " + resource + " can't be read: " + e.getMessage());
            return ExitCode.INTERNAL;
        }
    }
}
