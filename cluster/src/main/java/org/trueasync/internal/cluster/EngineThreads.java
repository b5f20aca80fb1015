package org.trueasync.internal.cluster;

import com.hazelcast.internal.util.ConcurrencyUtil;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;

/** Where the engine completes what depends on its asynchronous calls. */
final class EngineThreads {
    private static boolean done;

    private EngineThreads() {}

    /**
     * On one or two processors the engine begins a thread for each completion, which costs many times what the call does: the threads are used again from now on, in the whole process. Where there are more it uses the common pool,
     * and a program that has set something else keeps it.
     */
    static synchronized void reuse() {
        if (done) return;
        done = true;
        Executor set = ConcurrencyUtil.getDefaultAsyncExecutor();
        boolean isEnginesOwn = set.getClass().getName().startsWith(ConcurrencyUtil.class.getName());
        if (ForkJoinPool.getCommonPoolParallelism() > 1 || !isEnginesOwn) return;
        ConcurrencyUtil.setDefaultAsyncExecutor(Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name("trueasync-cluster-", 1).factory()));
    }
}
