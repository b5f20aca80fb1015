package org.trueasync.spi;

import org.trueasync.Coroutine;

/**
 * Where {@link SwitchHandler}s are registered.
 *
 * <p>Loop thread only, or on the thread on which a run is about to begin; {@code addToMainAtStart}: any thread.
 */
public final class SwitchHandlers {
    private SwitchHandlers() {}

    /**
     * Adds a handler to the running coroutine; while no runtime runs on this thread, to the next main coroutine that starts on it.
     *
     * @param handler called in order of registration
     */
    public static void add(SwitchHandler handler) {
        SchedulerProvider.get().addSwitchHandler(handler);
    }

    /**
     * Adds a handler to one coroutine.
     *
     * @param coroutine not completed
     * @param handler called in order of registration
     * @throws org.trueasync.AsyncException if the coroutine has completed
     */
    public static void add(Coroutine<?> coroutine, SwitchHandler handler) {
        SchedulerProvider.get().addSwitchHandler(coroutine, handler);
    }

    /**
     * Adds a handler to every main coroutine that starts from now on, in any thread; it is called with ENTER when one starts.
     *
     * @param handler one object for all of them; it must tolerate several threads
     * @return gives the registration up; handlers already added to a main coroutine stay
     */
    public static Registration addToMainAtStart(SwitchHandler handler) {
        return SchedulerProvider.get().addMainStartHandler(handler);
    }

    /** Something registered that can be taken back. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        /** Takes it back; again does nothing. */
        @Override
        void close();
    }
}
