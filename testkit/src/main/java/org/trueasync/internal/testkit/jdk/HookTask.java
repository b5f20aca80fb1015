package org.trueasync.internal.testkit.jdk;

import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A task of the JDK's common pool, on a thread of the loop's; see {@link Hook}, beside which it is defined. */
final class HookTask implements Runnable {
    private final ForkJoinTask<?> task;
    private final long deadline;

    /** @param deadline by {@link Hook#nanoTime}; until then the task can be cancelled */
    HookTask(ForkJoinTask<?> task, long deadline) {
        this.task = task;
        this.deadline = deadline;
    }

    @Override
    public void run() {
        try {
            long left;
            while ((left = deadline - Hook.nanoTime()) > 0) {
                // the join may end one nanosecond late
                if (left == 1) LockSupport.parkNanos(1);
                else if (task.quietlyJoin(left - 1, TimeUnit.NANOSECONDS)) return;
            }
            task.quietlyInvoke();
        } catch (InterruptedException e) {
            task.cancel(false); // nobody else has this thread
        }
    }
}
