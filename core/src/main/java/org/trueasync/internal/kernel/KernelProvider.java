package org.trueasync.internal.kernel;

import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandler;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.Timers;
import org.trueasync.spi.Waker;

/** The extension side's door into the kernel. */
public final class KernelProvider implements SchedulerProvider {
    /** For {@link java.util.ServiceLoader}. */
    public KernelProvider() {}

    @Override
    public Waker newWait() {
        CoroutineImpl<?> running = Runtimes.here("Waker.current").requireCurrent("Waker.current");
        running.reset();
        return running;
    }

    @Override
    public void enqueue(Microtask microtask) {
        Runtimes.here("Microtask.enqueue").microtasks.add(microtask);
    }

    @Override
    public void addSwitchHandler(SwitchHandler handler) {
        Scheduler scheduler = Runtimes.hereOrNull();
        if (scheduler == null) MainStartHandlers.addForThisThread(handler);
        else scheduler.requireCurrent("SwitchHandlers.add").addSwitchHandler(handler);
    }

    @Override
    public void addSwitchHandler(Coroutine<?> coroutine, SwitchHandler handler) {
        ((CoroutineImpl<?>) coroutine).addSwitchHandler(handler);
    }

    @Override
    public SwitchHandlers.Registration addMainStartHandler(SwitchHandler handler) {
        return MainStartHandlers.add(handler);
    }

    @Override
    public void addCleanup(Body action) {
        Runtimes.here("Cleanup.atEnd").cleanups.add(action);
    }

    @Override
    public Reactor reactor() {
        return Runtimes.here("the reactor").reactor;
    }

    @Override
    public ActiveEvents activeEvents() {
        return Runtimes.here("the count of active events").activeEvents;
    }

    @Override
    public Timers timers() {
        return Runtimes.here("a timer").timers;
    }
}
