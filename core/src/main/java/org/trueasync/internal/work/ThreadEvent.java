package org.trueasync.internal.work;

import java.time.Duration;
import org.trueasync.internal.event.OnceEvent;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * The end of a thread. From the first start on, a virtual thread of the JDK's scheduler joins that thread, until it or
 * the run has ended.
 */
public final class ThreadEvent extends OnceEvent {
    /** How often the virtual thread looks whether the run has ended. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Loop loop;
    private final Thread thread;
    private boolean joined;

    public ThreadEvent(Loop loop, Thread thread) {
        super(loop.activeEvents());
        if (thread.getState() == Thread.State.NEW)
            throw new IllegalArgumentException(
                    "thread '" + thread.getName() + "' has not been started, so it can't end; start it first");
        if (thread == Thread.currentThread() || loop.isLoopOn(thread))
            throw new IllegalArgumentException(
                    "thread '" + thread.getName() + "' can't wait for its own end; wait on another thread");
        this.loop = loop;
        this.thread = thread;
    }

    @Override
    protected void armSource() {
        if (joined) return;
        joined = true;
        // Started from a platform thread, because a virtual thread inherits the scheduler of the thread that starts it.
        Workers.PROCESSES.execute(
                () -> Thread.ofVirtual().name("trueasync-join").start(this::join));
    }

    @SuppressWarnings("ThreadJoinLoop") // it is a loop until it succeeds
    private void join() {
        while (true) {
            try {
                if (thread.join(LOOK)) break;
                if (!Runtimes.all().contains(loop)) return;
            } catch (InterruptedException e) {
                // No code has a reason to interrupt this thread. It waits on.
            }
        }
        loop.post(() -> happen(null, null));
    }

    @Override
    public String info() {
        return "end of thread '" + thread.getName() + "'" + (hasHappened() ? ", ended" : "");
    }
}
