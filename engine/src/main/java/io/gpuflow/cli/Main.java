package io.gpuflow.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;

/**
 * Finds the verb and runs it. Only the class of the verb that was typed is loaded: reading the
 * annotations of all of them costs more than most verbs do.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one command line and returns its exit code; tests call this. */
    public static int run(String... args) {
        if (args.length == 0) {
            System.err.println("gpuflow: say what to do; gpuflow --help lists the verbs");
            return ExitCode.USAGE;
        }
        Callable<Integer> verb = Verbs.named(args[0]);
        if (verb == null) {
            System.err.println("gpuflow: no verb " + args[0] + "; gpuflow --help lists them");
            return ExitCode.USAGE;
        }
        String[] rest = java.util.Arrays.copyOfRange(args, 1, args.length);
        return new CommandLine(verb).setCommandName("gpuflow " + args[0]).execute(rest);
    }
}
