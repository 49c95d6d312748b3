package io.gpuflow.scan;

import java.util.regex.Pattern;

/** Lines that close a job, or the whole output of a tool: silence after one of them is no hang. */
final class Ending {
    private static final Pattern LINE =
            Pattern.compile(
                    // NCCL; PyTorch's process group at the exit of its process
                    "- (?:Destroy|Abort) COMPLETE"
                            + "|destroy_process_group\\(\\) was not called before program exit"
                            // nccl-tests, p2pBandwidthLatencyTest, gpu-burn
                            + "|# Out of bounds values : 0 OK|# Avg bus bandwidth"
                            + "|# Collective test concluded|Tested \\d+ GPUs:"
                            // trainers
                            + "|train_runtime\\W|`Trainer\\.(?:fit|test)` stopped"
                            + "|(?i:training (?:is )?(?:completed?|finished|done|over)\\b)"
                            // torchelastic, servers, shells, Slurm, Kubernetes
                            + "|(?i:workers? (?:groups? )?successfully finished)"
                            + "|WorkerState\\.SUCCEEDED|Finished server process"
                            + "|(?i:application shutdown complete)"
                            + "|(?i:\\bexit(?:ed)?(?: with)?(?: status| code)?[ :=]+0\\b)"
                            + "|\\bCOMPLETED +0:0|State=COMPLETED|Reason: +Completed"
                            + "|Job \\S+ (?:has )?(?:is )?successfully completed");

    private static final Pattern PYTEST =
            Pattern.compile("=+ (?!.*(?:\\bfailed|\\berror)).*\\b\\d+ passed.* in [\\d.:s ()]+=+");

    private static final Pattern UNITTEST = Pattern.compile("OK(?: \\(.*\\))?");
    private static final Pattern RAN = Pattern.compile("\\bRan \\d+ tests? in \\d");

    private Ending() {}

    static boolean ends(String line) {
        return LINE.matcher(line).find();
    }

    /**
     * The summary of a run of pytest in which no test failed: the failures above were made by the
     * tests, and were what they expected.
     */
    static boolean testsPassed(String body) {
        return PYTEST.matcher(body.strip()).matches();
    }

    /** The same of unittest, when what it ran stands above. */
    static boolean unittestOk(String body) {
        return UNITTEST.matcher(body.strip()).matches();
    }

    static boolean unittestRan(String line) {
        return RAN.matcher(line).find();
    }
}
