package org.trueasync.internal.jdbc;

import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;

/** Who calls: a coroutine, of whichever runtime, or a thread. */
final class Callers {
    private Callers() {}

    /** The coroutine that calls; null for any other thread, a virtual one of a library's on the loop included. */
    static @Nullable Coroutine<?> coroutine() {
        try {
            return Async.currentCoroutine();
        } catch (AsyncException none) {
            return null;
        }
    }

    /** The runtime on whose loop this is called; null if there is none. */
    static @Nullable Reactor runtime() {
        try {
            return SchedulerProvider.get().reactor();
        } catch (AsyncException none) {
            return null;
        }
    }

    /** True in a callback on a loop thread itself, where to wait is to wait for oneself. */
    static boolean isLoopItself() {
        return !Thread.currentThread().isVirtual() && runtime() != null;
    }

    /** For messages. */
    static String name() {
        Coroutine<?> coroutine = coroutine();
        if (coroutine != null) return "coroutine #" + coroutine.id();
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        return name.isEmpty() ? "thread #" + thread.threadId() : "thread '" + name + "'";
    }
}
