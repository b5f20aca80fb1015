package org.trueasync.internal.work;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * A user's task on a helper thread. It can be interrupted; the interrupt reaches this task or none.
 *
 * <pre>
 *  WAITS -> thread       the task begins
 *  WAITS -> OVER         abandoned before it began: it is not run
 *  thread -> OVER        it has ended
 *  thread -> INTERRUPTS -> OVER   it is being interrupted; the thread takes no other task before that is done
 * </pre>
 */
public final class Blocking<T extends @Nullable Object> implements Callable<T> {
    private static final Object WAITS = new Object();
    private static final Object INTERRUPTS = new Object();
    private static final Object OVER = new Object();

    private final Loop loop;
    private final Callable<T> task;
    private final @Nullable ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    private final @Nullable Inheritance inheritance = Inheritance.withoutLoader();
    private final AtomicReference<Object> state = new AtomicReference<>(WAITS);

    private Blocking(Loop loop, Callable<T> task) {
        this.loop = loop;
        this.task = task;
    }

    /**
     * Runs a task on a helper thread; suspends the running coroutine until the task has ended, and throws what the task
     * has thrown. If the wait ends earlier, the task is interrupted, or not run if it has not begun.
     *
     * @param task the user's task
     */
    public static <T extends @Nullable Object> T call(Callable<T> task) {
        Runtimes.currentCoroutine("Async.blocking");
        Loop loop = Runtimes.here("Async.blocking");
        var blocking = new Blocking<T>(loop, task);
        boolean ended = false;
        try {
            Ended<T> outcome =
                    Work.await(loop, Workers.BLOCKING, "blocking task", () -> new Ended<>(blocking), null, null);
            ended = true;
            return outcome.get();
        } finally {
            // An interrupt may run code of the JDK or of users: it closes a channel, for instance.
            if (!ended) loop.inService(blocking::interrupt);
        }
    }

    /** The outcome of a task, which is kept apart from the outcome of the wait. */
    private static final class Ended<T extends @Nullable Object> {
        private @Nullable T value;
        private @Nullable Throwable error;

        Ended(Callable<T> task) {
            try {
                value = task.call();
            } catch (Throwable e) {
                error = e;
            }
        }

        @SuppressWarnings("NullAway") // a value may be null where T says so
        T get() {
            if (error != null) throw Throwing.sneaky(Throwing.forAwaiter(error));
            return value;
        }
    }

    @Override
    public T call() throws Exception {
        Thread thread = Thread.currentThread();
        if (!state.compareAndSet(WAITS, thread)) throw new CancellationException("abandoned before it began");
        ClassLoader own = thread.getContextClassLoader();
        String name = thread.getName();
        thread.setContextClassLoader(classLoader);
        try {
            return Inheritance.callOnHelper(inheritance, () -> Runtimes.runSection(loop, task));
        } finally {
            while (!state.compareAndSet(thread, OVER) && state.get() != OVER) Thread.onSpinWait();
            // the next task must not find what this one has set
            VirtualThreads.wipe(thread, name, own);
            thread.setUncaughtExceptionHandler(null);
        }
    }

    /** Interrupts the task, or withdraws it. In the service coroutine. */
    private void interrupt() {
        if (state.compareAndSet(WAITS, OVER)) return;
        if (!(state.get() instanceof Thread thread) || !state.compareAndSet(thread, INTERRUPTS)) return;
        try {
            thread.interrupt();
        } finally {
            state.set(OVER);
        }
    }
}
