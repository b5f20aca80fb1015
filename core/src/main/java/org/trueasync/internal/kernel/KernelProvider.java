package org.trueasync.internal.kernel;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.foreign.LoopSockets;
import org.trueasync.internal.foreign.Select;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.task.Drain;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.ForeignCall;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.PollEvent;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandler;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.Timers;
import org.trueasync.spi.Waker;

/** The kernel's implementation of the SPI. */
public final class KernelProvider implements SchedulerProvider {
    /** For {@link java.util.ServiceLoader}. */
    public KernelProvider() {}

    @Override
    public String socketPolling(Reactor reactor) {
        JdkWait.install();
        return LoopSockets.description(reactor);
    }

    @Override
    public Waker newWait() {
        CoroutineImpl<?> running = Runtimes.here("Waker.current").requireCurrent("Waker.current");
        running.newWait();
        return running.waker();
    }

    @Override
    public void enqueue(Microtask microtask) {
        Runtimes.here("Microtask.enqueue").agenda.microtasks.add(microtask);
    }

    @Override
    public void addSwitchHandler(SwitchHandler handler) {
        Loop loop = Runtimes.hereOrNull();
        if (loop == null) MainStartHandlers.addForThisThread(handler);
        else loop.requireCurrent("SwitchHandlers.add").addSwitchHandler(handler);
    }

    @Override
    public void addSwitchHandler(Coroutine<?> coroutine, SwitchHandler handler) {
        CoroutineImpl.of(coroutine).addSwitchHandler(handler);
    }

    @Override
    public SwitchHandlers.Registration addMainStartHandler(SwitchHandler handler) {
        return MainStartHandlers.add(handler);
    }

    @Override
    public void beginForeignCall(ForeignCall call) {
        CoroutineImpl<?> self = Runtimes.currentCoroutine("ForeignCalls.begin");
        self.throwPending();
        self.cancellation().begin(call);
    }

    @Override
    public boolean beginShieldedForeignCall(ForeignCall call) {
        return Runtimes.currentCoroutine("ForeignCalls.beginShielded")
                .cancellation()
                .beginShielded(call);
    }

    @Override
    public @Nullable Throwable endForeignCall(@Nullable Throwable thrown) {
        return Runtimes.currentCoroutine("ForeignCalls.end").cancellation().end(thrown);
    }

    @Override
    public void interruptForeignCall(Coroutine<?> coroutine) {
        CoroutineImpl<?> caller = CoroutineImpl.of(coroutine);
        caller.loop().requireLoopThread("ForeignCalls.interrupt");
        Cancellation cancellation = caller.cancellationOrNull();
        if (cancellation != null) cancellation.interruptForeignCall();
    }

    @Override
    public <T> T shield(Callable<T> section) {
        return Runtimes.currentCoroutine("SchedulerProvider.shield").shield(section);
    }

    @Override
    public void addExitAction(Runnable action) {
        Runtimes.currentCoroutine("ExitActions.add").addExitAction(action);
    }

    @Override
    public void addCleanup(Body action) {
        Runtimes.here("Cleanup.atEnd").atEnd(action);
    }

    @Override
    public Cleanup.Registration addDrainHook(Body hook) {
        Drain drain = Runtimes.here("Cleanup.onDrain").drain();
        var registered = new Drain.Hook(hook);
        drain.add(registered);
        return () -> drain.remove(registered);
    }

    @Override
    public Map<String, String> textOfContext() {
        return Inheritance.textOfCaller();
    }

    @Override
    public void giveContext(Map<String, String> text) {
        Inheritance.giveText(text);
    }

    @Override
    public PollEvent poll(int descriptor, int interest, BooleanSupplier buffered) {
        return Runtimes.here("Poll.watch").watches.proxy(descriptor, interest, buffered);
    }

    @Override
    public List<PollEvent> select(Collection<PollEvent> events, @Nullable Duration timeout) {
        return Select.among(events, timeout, Runtimes.here("Poll.select").timers());
    }

    @Override
    public Executor hiddenExecutor() {
        return LoopExecutor.hidden(Runtimes.here("SchedulerProvider.hiddenExecutor"));
    }

    @Override
    public Reactor reactor() {
        return Runtimes.here("the reactor").reactor();
    }

    @Override
    public ActiveEvents activeEvents() {
        return Runtimes.here("the count of active events").activeEvents();
    }

    @Override
    public Timers timers() {
        return Runtimes.here("a timer").timers();
    }
}
