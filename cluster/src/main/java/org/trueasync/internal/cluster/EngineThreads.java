package org.trueasync.internal.cluster;

import com.hazelcast.internal.util.ConcurrencyUtil;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads on which the engine completes what depends on its asynchronous calls. */
final class EngineThreads {
    private static boolean done;

    private EngineThreads() {}

    /**
     * Makes the engine reuse threads, in the whole process. On one or two processors it starts a thread for each
     * completion, which costs many times as much as the call. With more processors it uses the common pool, which is
     * left as it is; so is an executor that the program has set.
     */
    static synchronized void reuse() {
        if (done) return;
        done = true;
        Executor set = ConcurrencyUtil.getDefaultAsyncExecutor();
        boolean isEnginesOwn = set.getClass().getName().startsWith(ConcurrencyUtil.class.getName());
        if (ForkJoinPool.getCommonPoolParallelism() > 1 || !isEnginesOwn) return;
        ConcurrencyUtil.setDefaultAsyncExecutor(new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("trueasync-cluster-", 1).factory()));
    }
}
