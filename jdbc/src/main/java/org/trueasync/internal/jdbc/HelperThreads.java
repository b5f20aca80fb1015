package org.trueasync.internal.jdbc;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.spi.ProcessorPin;

/** Platform threads for calls of drivers that block their thread. As many as are needed: each connection has one call under way, and one that is cancelled a second. */
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

    /** Has a call made there. Whoever waits for it waits in the JDK's way, as for the socket of any other driver. */
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

    /** An error from there, with the frames of the caller in place of the thread's own. */
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
