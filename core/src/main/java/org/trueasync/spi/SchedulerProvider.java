package org.trueasync.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;

/**
 * Gives this package access to the scheduler of the current thread. There is one provider, in {@code core}; it is found
 * by {@link ServiceLoader}, so that this package does not depend on the kernel.
 *
 * <p>Loop thread only, except {@code get}, {@code addMainStartHandler}, {@code socketPolling}, {@code textOfContext}
 * and {@code giveContext}.
 */
public interface SchedulerProvider {
    /** The provider. */
    static SchedulerProvider get() {
        return InstalledScheduler.INSTANCE;
    }

    /**
     * Says, for people, what polls the sockets on which JDK code parks a coroutine: {@code the loop}, or
     * {@code the JDK} and the reason. Any thread.
     *
     * @param reactor the runtime's reactor
     */
    String socketPolling(Reactor reactor);

    /** See {@link Waker#current()}. */
    Waker newWait();

    /**
     * See {@link Microtask#enqueue()}.
     *
     * @param microtask the microtask to enqueue
     */
    void enqueue(Microtask microtask);

    /**
     * See {@link SwitchHandlers#add(SwitchHandler)}.
     *
     * @param handler the handler
     */
    void addSwitchHandler(SwitchHandler handler);

    /**
     * See {@link SwitchHandlers#add(Coroutine, SwitchHandler)}.
     *
     * @param coroutine the coroutine
     * @param handler the handler
     */
    void addSwitchHandler(Coroutine<?> coroutine, SwitchHandler handler);

    /**
     * See {@link SwitchHandlers#addToMainAtStart}.
     *
     * @param handler the handler
     * @return the registration; closing it ends it
     */
    SwitchHandlers.Registration addMainStartHandler(SwitchHandler handler);

    /**
     * See {@link ForeignCalls#begin}.
     *
     * @param call called on a cancellation
     */
    void beginForeignCall(ForeignCall call);

    /**
     * See {@link ForeignCalls#beginShielded}.
     *
     * @param call called on a cancellation
     * @return true if a cancellation is pending already
     */
    boolean beginShieldedForeignCall(ForeignCall call);

    /**
     * See {@link ForeignCalls#end}.
     *
     * @param thrown what the call has thrown, or null
     */
    @Nullable
    Throwable endForeignCall(@Nullable Throwable thrown);

    /**
     * See {@link ForeignCalls#interrupt}.
     *
     * @param coroutine the coroutine
     */
    void interruptForeignCall(Coroutine<?> coroutine);

    /**
     * As {@link org.trueasync.Async#protect}, for a section that must run although a cancellation is pending already:
     * to release something that other coroutines wait for, for instance. The cancellation is thrown at the next wait
     * after the section.
     *
     * @param section called in the current coroutine
     * @return its value
     */
    <T> T shield(Callable<T> section);

    /**
     * See {@link ExitActions#add}.
     *
     * @param action the action to add
     */
    void addExitAction(Runnable action);

    /** See {@link Cleanup#atEnd}. */
    void addCleanup(org.trueasync.Body action);

    /** See {@link Cleanup#onDrain}. */
    Cleanup.Registration addDrainHook(org.trueasync.Body hook);

    /** See {@link ContextPropagator#callersText}. Any thread. */
    Map<String, String> textOfContext();

    /**
     * See {@link ContextPropagator#giveText}. Any thread.
     *
     * @param text the text
     */
    void giveContext(Map<String, String> text);

    /**
     * See {@link Poll#watch(int, int, java.util.function.BooleanSupplier)}.
     *
     * @param descriptor the descriptor
     * @param interest the readiness to wait for
     * @param buffered true while the owner's buffer has bytes
     */
    PollEvent poll(int descriptor, int interest, BooleanSupplier buffered);

    /**
     * See {@link Poll#select}.
     *
     * @param events the proxies
     * @param timeout how long to wait; null for no limit
     */
    List<PollEvent> select(Collection<PollEvent> events, @Nullable Duration timeout);

    /**
     * Returns an executor by which a library serves callers outside of the runtime on this thread. Any thread may call
     * it. It is as {@link org.trueasync.Async#executor()}, callers that flood it included, with three differences: it
     * hides no deadlock while somebody holds it, a shutdown's drain does not wait for its tasks, and each of them is a
     * coroutine of the main scope, whoever brings it.
     */
    Executor hiddenExecutor();

    /** The reactor of the runtime on this thread. */
    Reactor reactor();

    /** The count of active events of the runtime on this thread. */
    ActiveEvents activeEvents();

    /** The timers of the runtime on this thread. */
    Timers timers();
}
