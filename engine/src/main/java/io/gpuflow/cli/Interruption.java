package io.gpuflow.cli;

import io.gpuflow.flow.Runner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C, SIGTERM and a lost terminal end a run in order: its tools are ended, the journal is
 * closed and the recap printed before the process ends. Java itself then exits with 128 + the
 * signal's number.
 */
final class Interruption {
    /** Ending a process tree takes seconds at most; after this the process ends all the same. */
    private static final long PATIENCE_SECONDS = 30;

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook;

    Interruption(Runner runner) {
        hook =
                new Thread(
                        () -> {
                            runner.interrupt();
                            await();
                        },
                        "gpuflow-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void await() {
        try {
            over.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing is left to be ended. */
    void over() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending: the hook is what waits for us
        }
    }
}
