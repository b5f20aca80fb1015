package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Suspends by {@code Thread.yield}: the JDK hands the thread's task back to the scheduler at once, and it is withheld until the thread is to go on.
 * Cheaper than park and unpark, and built on public behaviour alone.
 */
final class YieldSwitch implements ContextSwitch {
    @Override
    public boolean start(ExecutionContext context) {
        context.thread.start();
        return false;
    }

    @Override
    public void run(ExecutionContext context) {
        context.task().run();
    }

    @Override
    public void resume(ExecutionContext context) {
        context.task().run();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // it is our scheduler that the yield goes to
    public boolean leave(ExecutionContext context) {
        Scheduler scheduler = context.scheduler;
        scheduler.leaving = context;
        try {
            Thread.yield();
        } catch (Throwable e) {
            scheduler.leaving = null;
            throw e;
        }
        @Nullable ExecutionContext stillLeaving = scheduler.leaving;
        if (stillLeaving != context) return true;
        scheduler.leaving = null;
        return false;
    }

    @Override
    public boolean isHandingOver(ExecutionContext context) {
        Scheduler scheduler = context.scheduler;
        if (scheduler.leaving != context || !scheduler.isLoopThread()) return false;
        scheduler.leaving = null;
        return true;
    }

    @Override
    public StackTraceElement[] trace(ExecutionContext context) {
        return context.thread.getStackTrace();
    }
}
