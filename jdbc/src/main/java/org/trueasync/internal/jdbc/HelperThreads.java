package org.trueasync.internal.jdbc;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.spi.ProcessorPin;

/**
 * Platform threads for calls of drivers that block their thread. Their number has no limit: each connection has one
 * call under way, and a second one during a cancellation, or for the close that waits for an abandoned call.
 */
final class HelperThreads {
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final Executor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Runnable anywhere = () -> {
                    ProcessorPin.leave();
                    work.run();
                };
                var thread = new Thread(null, anywhere, "trueasync-jdbc-" + COUNTER.incrementAndGet(), 0, false);
                thread.setDaemon(true);
                return thread;
            });

    private HelperThreads() {}

    /**
     * Has a helper thread make a call. The caller waits for the future as for the socket of any other driver, in the
     * JDK's way.
     */
    static <T> CompletableFuture<T> call(Callable<T> call) {
        var done = new CompletableFuture<T>();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        THREADS.execute(() -> {
            Thread.currentThread().setContextClassLoader(loader);
            try {
                done.complete(call.call());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            } finally {
                Thread.currentThread().setContextClassLoader(null);
            }
        });
        return done;
    }

    /** Returns an error of a helper thread, with the frames of the caller in place of the thread's own. */
    static Throwable asOfCaller(Throwable error) {
        StackTraceElement[] theirs = error.getStackTrace();
        int kept = 0;
        while (kept < theirs.length && !theirs[kept].getClassName().startsWith(HelperThreads.class.getName())) kept++;
        if (kept == theirs.length) return error;
        StackTraceElement[] ours = new Throwable().getStackTrace();
        var both = new StackTraceElement[kept + ours.length];
        System.arraycopy(theirs, 0, both, 0, kept);
        System.arraycopy(ours, 0, both, kept, ours.length);
        error.setStackTrace(both);
        return error;
    }
}
