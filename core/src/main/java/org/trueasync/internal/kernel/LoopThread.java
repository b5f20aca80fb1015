package org.trueasync.internal.kernel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A platform thread that runs one runtime while the caller waits; for a stack of its own size, and for callers that are virtual threads. */
final class LoopThread<T> {
    private final Thread thread;
    private @Nullable T result;
    private @Nullable Throwable thrown;

    LoopThread(Settings settings, Supplier<@Nullable T> run) {
        thread = new Thread(
                Thread.currentThread().getThreadGroup(),
                () -> {
                    try {
                        result = run.get();
                    } catch (Throwable e) {
                        thrown = e;
                    }
                },
                settings.name(),
                settings.stackSize());
    }

    @Nullable
    T runAndWait() {
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
        if (thrown != null) throw Throwing.sneaky(thrown);
        return result;
    }
}
