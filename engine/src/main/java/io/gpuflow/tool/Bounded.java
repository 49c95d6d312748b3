package io.gpuflow.tool;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Does something that the kernel may never answer (a file of a dead driver, of a process stuck in
 * it, of a lost network mount) in a thread that can be left behind.
 */
final class Bounded {
    /** More threads than this are stuck only where every further try would be stuck as well. */
    private static final int THREADS = 64;

    private static final ThreadPoolExecutor POOL =
            new ThreadPoolExecutor(
                    0, THREADS, 2, TimeUnit.SECONDS, new SynchronousQueue<>(), Bounded::thread);

    private Bounded() {}

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "gpuflow-bounded");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * @throws TimeoutException when there is no result within the limit; the work goes on, unheard
     * @throws ExecutionException with what the work threw as its cause
     */
    static <T> T within(Duration limit, Callable<T> work)
            throws TimeoutException, ExecutionException, InterruptedException {
        Future<T> result;
        try {
            result = POOL.submit(work);
        } catch (RejectedExecutionException e) {
            throw new TimeoutException();
        }
        try {
            return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | InterruptedException e) {
            result.cancel(true);
            throw e;
        }
    }
}
