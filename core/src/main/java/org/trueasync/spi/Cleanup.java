package org.trueasync.spi;

import org.trueasync.Body;

/**
 * Actions for the end of a run: hooks for its drain, and actions for when all coroutines have ended.
 *
 * <p>Loop thread only.
 */
public final class Cleanup {
    private Cleanup() {}

    /**
     * Runs the action once all coroutines of the current run have ended, or were ended by a shutdown, and before the
     * reactor stops. Actions run one after another, the last registered first, in one coroutine; when an action
     * suspends, another coroutine continues with the next one. All have ended when {@code run} returns. If an action
     * throws, the other actions still run, and {@code run} throws the error at its end, unless it is a cancellation.
     *
     * @param action may suspend
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static void atEnd(Body action) {
        SchedulerProvider.get().addCleanup(action);
    }

    /**
     * Registers a hook for the drain of the current run: the first part of a graceful shutdown, before any coroutine is
     * cancelled. A server's hook stops accepting, and waits until its requests have been answered. Each hook runs in a
     * coroutine of its own, and may wait. The drain waits for it, at most for the
     * {@linkplain org.trueasync.AsyncRuntime.Builder#drainTimeout drain timeout}; then its wait throws the cancellation
     * of the shutdown. A hook that throws is reported, and the drain goes on. A hook that is registered during the
     * drain begins at once. Where a run ends without a drain, its hooks are not called: after an unhandled error, when
     * all coroutines have ended by themselves, and with a drain timeout of 0.
     *
     * <p>Other threads use {@link org.trueasync.AsyncRuntime#onDrain}.
     *
     * @param hook may suspend
     * @return the registration; closed on the loop thread
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static Registration onDrain(Body hook) {
        return SchedulerProvider.get().addDrainHook(hook);
    }

    /** A registration that can be ended. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        /** Ends the registration. A hook that has begun runs on. Idempotent. */
        @Override
        void close();
    }
}
