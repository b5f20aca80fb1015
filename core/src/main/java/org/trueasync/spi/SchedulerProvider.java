package org.trueasync.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;

/**
 * How the extension side reaches the scheduler of the current thread. There is one provider, in {@code core}; it is found by
 * {@link ServiceLoader} so that this package need not know the kernel.
 *
 * <p>Loop thread only, except {@code get}, {@code addMainStartHandler} and {@code socketPolling}.
 */
public interface SchedulerProvider {
    /** The provider. */
    static SchedulerProvider get() {
        return InstalledScheduler.INSTANCE;
    }

    /**
     * Who polls the sockets for which JDK code parks a coroutine, for people: {@code the loop}, or {@code the JDK} and why. Any thread.
     *
     * @param reactor of the runtime
     */
    String socketPolling(Reactor reactor);

    /** See {@link Waker#current()}. */
    Waker newWait();

    /**
     * See {@link Microtask#enqueue()}.
     *
     * @param microtask the next one
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
     * @param coroutine whose
     * @param handler the handler
     */
    void addSwitchHandler(Coroutine<?> coroutine, SwitchHandler handler);

    /**
     * See {@link SwitchHandlers#addToMainAtStart}.
     *
     * @param handler the handler
     * @return gives the registration up
     */
    SwitchHandlers.Registration addMainStartHandler(SwitchHandler handler);

    /**
     * See {@link ForeignCalls#begin}.
     *
     * @param call told of a cancellation
     */
    void beginForeignCall(ForeignCall call);

    /**
     * See {@link ForeignCalls#beginShielded}.
     *
     * @param call told of a cancellation
     * @return true if one is due already
     */
    boolean beginShieldedForeignCall(ForeignCall call);

    /**
     * See {@link ForeignCalls#end}.
     *
     * @param thrown how the call failed, or null
     */
    @Nullable
    Throwable endForeignCall(@Nullable Throwable thrown);

    /**
     * See {@link ForeignCalls#interrupt}.
     *
     * @param coroutine whose
     */
    void interruptForeignCall(Coroutine<?> coroutine);

    /**
     * As {@link org.trueasync.Async#protect}, for what has to be done although a cancellation is due already: giving something back that others wait for. It is
     * thrown at the next wait afterwards.
     *
     * @param section called in the current coroutine
     * @return its value
     */
    <T> T shield(Callable<T> section);

    /**
     * See {@link ExitActions#add}.
     *
     * @param action what to do
     */
    void addExitAction(Runnable action);

    /** See {@link Cleanup#atEnd}. */
    void addCleanup(org.trueasync.Body action);

    /**
     * See {@link Poll#watch(int, int, java.util.function.BooleanSupplier)}.
     *
     * @param descriptor the descriptor
     * @param interest the mask
     * @param buffered whether bytes wait in the owner's buffer
     */
    PollEvent poll(int descriptor, int interest, BooleanSupplier buffered);

    /**
     * See {@link Poll#select}.
     *
     * @param events the proxies
     * @param timeout how long, null for no limit
     */
    List<PollEvent> select(Collection<PollEvent> events, @Nullable Duration timeout);

    /** The reactor of the runtime on this thread. */
    Reactor reactor();

    /** The count of active events of the runtime on this thread. */
    ActiveEvents activeEvents();

    /** The timers of the runtime on this thread. */
    Timers timers();
}
