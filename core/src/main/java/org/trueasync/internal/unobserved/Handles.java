package org.trueasync.internal.unobserved;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a handle can't be used any more. Any thread.
 *
 * <p>As the JDK's {@code Cleaner}, but without its lock: a coroutine that met it would be parked in the middle of what it does to its runtime's state, and others would find
 * that half done. Here a few instructions exclude each other by spinning; no coroutine is ever parked between them.
 */
public final class Handles {
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
    private static final VarHandle TAKEN;
    private static volatile boolean taken;
    private static @Nullable Watch first;

    static {
        try {
            TAKEN = MethodHandles.lookup().findStaticVarHandle(Handles.class, "taken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        // one for all runtimes of the process
        Thread.ofPlatform()
                .daemon()
                .name("trueasync-handles")
                .inheritInheritableThreadLocals(false)
                .start(Handles::tell);
    }

    private Handles() {}

    /**
     * Has an action run when a handle is unreachable.
     *
     * @param handle what to watch
     * @param action run on a thread of its own; must not know the handle, and should be short
     * @return to run the action at once instead
     */
    public static Watch whenUnreachable(Object handle, Runnable action) {
        var watch = new Watch(handle, action);
        lock();
        watch.next = first;
        if (first != null) first.previous = watch;
        first = watch;
        taken = false;
        return watch;
    }

    /** Nothing is called before {@code taken} is false again: a stack that overflows in between would leave it true. */
    private static void lock() {
        while (taken || !TAKEN.compareAndSet(false, true)) Thread.onSpinWait();
    }

    private static void tell() {
        while (true) {
            try {
                ((Watch) GONE.remove()).clean();
            } catch (InterruptedException e) {
                // nobody has a reason to
            } catch (Throwable e) {
                complain(e);
            }
        }
    }

    /** Nothing ends this thread: it is the only one. */
    private static void complain(Throwable error) {
        try {
            Thread self = Thread.currentThread();
            self.getUncaughtExceptionHandler().uncaughtException(self, error);
        } catch (Throwable noMemory) {
            // the end of the run tells of what was lost
        }
    }

    /** One handle that is watched; in a list, so that the watch itself can be reached. */
    public static final class Watch extends PhantomReference<Object> {
        private final Runnable action;
        private @Nullable Watch previous;
        private @Nullable Watch next;
        private boolean done;

        private Watch(Object handle, Runnable action) {
            super(handle, GONE);
            this.action = action;
        }

        /** Runs the action, here and now, unless it has run; the handle is watched no longer. */
        public void clean() {
            if (!leave()) return;
            clear();
            action.run();
        }

        private boolean leave() {
            lock();
            boolean leaves = !done;
            done = true;
            if (leaves) {
                if (previous != null) previous.next = next;
                else first = next;
                if (next != null) next.previous = previous;
                previous = null;
                next = null;
            }
            taken = false;
            return leaves;
        }
    }
}
