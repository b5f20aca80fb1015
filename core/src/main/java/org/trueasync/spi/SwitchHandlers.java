package org.trueasync.spi;

import org.trueasync.Coroutine;

/**
 * Registers {@link SwitchHandler}s.
 *
 * <p>Loop thread only, or the thread on which a run is about to begin; {@code addToMainAtStart}: any thread.
 */
public final class SwitchHandlers {
    private SwitchHandlers() {}

    /**
     * Adds a handler to the running coroutine. If no runtime runs on this thread, adds it to the next main coroutine
     * that starts on this thread.
     *
     * @param handler called in order of registration
     * @throws org.trueasync.AsyncException inside a runtime, but outside a coroutine
     */
    public static void add(SwitchHandler handler) {
        SchedulerProvider.get().addSwitchHandler(handler);
    }

    /**
     * Adds a handler to one coroutine.
     *
     * @param coroutine not completed
     * @param handler called in order of registration
     * @throws org.trueasync.AsyncException if the coroutine has completed, or belongs to another thread's loop
     */
    public static void add(Coroutine<?> coroutine, SwitchHandler handler) {
        SchedulerProvider.get().addSwitchHandler(coroutine, handler);
    }

    /**
     * Adds a handler to every main coroutine that starts from now on, in any thread; it is called with ENTER when one
     * starts.
     *
     * @param handler called for all of them, so it must be thread-safe
     * @return the registration; closing it does not remove the handler from main coroutines that have started already
     */
    public static Registration addToMainAtStart(SwitchHandler handler) {
        return SchedulerProvider.get().addMainStartHandler(handler);
    }

    /** A registration that can be ended. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        /** Ends the registration. Idempotent. */
        @Override
        void close();
    }
}
