package org.trueasync.internal.foreign;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.jdk.VirtualThreads;

/**
 * Virtual threads that libraries started inside our coroutines. They inherit our scheduler, so their tasks come to us.
 * They are no coroutines and do not keep the run alive. While one lives it may wake any coroutine, so there is no
 * deadlock.
 */
public final class LibraryThreads {
    private final IdentityHashMap<Runnable, Thread> threads = new IdentityHashMap<>();

    /** The thread that runs now; read by other threads. */
    private @Nullable Thread running;

    /** Runs a thread until it blocks or ends. In the loop's frame. */
    public void run(Runnable task) {
        Thread thread = threads.get(task);
        if (thread == null) thread = register(task);
        running = thread;
        try {
            task.run();
        } finally {
            running = null;
        }
        if (thread != null && !thread.isAlive()) threads.remove(task);
    }

    private @Nullable Thread register(Runnable task) {
        Thread thread = VirtualThreads.threadOf(task);
        if (thread != null) threads.put(task, thread);
        return thread;
    }

    /** The library thread that runs on the loop now, or null. Any thread, in a race. */
    public @Nullable Thread running() {
        return running;
    }

    public boolean anyAlive() {
        if (threads.isEmpty()) return false;
        threads.values().removeIf(t -> !t.isAlive());
        return !threads.isEmpty();
    }
}
