package org.trueasync.internal.jdbc;

import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;

/** Tells whether the caller is a coroutine, of whichever runtime, or another thread. */
final class Callers {
    private Callers() {}

    /** Returns the calling coroutine; null on any other thread, also on a library thread. */
    static @Nullable Coroutine<?> coroutine() {
        try {
            return Async.currentCoroutine();
        } catch (AsyncException none) {
            return null;
        }
    }

    /** Returns the runtime on whose loop this is called; null if the thread is not of a loop. */
    static @Nullable Reactor runtime() {
        try {
            return SchedulerProvider.get().reactor();
        } catch (AsyncException none) {
            return null;
        }
    }

    /** True in a callback on the loop thread itself, where a wait would block the loop. */
    static boolean isLoopItself() {
        return !Thread.currentThread().isVirtual() && runtime() != null;
    }

    /** Returns the caller's name for messages. */
    static String name() {
        Coroutine<?> coroutine = coroutine();
        if (coroutine != null) return "coroutine #" + coroutine.id();
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        return name.isEmpty() ? "thread #" + thread.threadId() : "thread '" + name + "'";
    }
}
