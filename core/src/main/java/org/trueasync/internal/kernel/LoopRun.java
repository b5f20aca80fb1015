package org.trueasync.internal.kernel;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.jdk.Interrupts;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.recorder.FlightRecording;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.LoopThread;
import org.trueasync.internal.task.Settings;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandler;

/** Runs a runtime from its beginning to its end. */
public final class LoopRun {
    private LoopRun() {}

    /**
     * Runs a runtime on the calling thread, or on one of its own if the settings ask for a stack size or the calling
     * thread is virtual; returns when main and everything that it started have ended.
     *
     * @param settings what to build it from
     * @param main the task of the main coroutine
     * @param started told of the loop, on the loop thread, before main begins
     * @return what main returned; null if it was cancelled
     * @throws org.trueasync.AsyncException if a runtime runs on this thread already; what else is thrown is the error
     *     that has ended the run
     */
    public static <T> @Nullable T run(Settings settings, Callable<T> main, Consumer<Loop> started) {
        VirtualThreads.requireAccess();
        Loop here = Runtimes.hereOrNull();
        if (here != null) throw Misuse.runtimeHere(here);
        List<SwitchHandler> handlers = MainStartHandlers.take();
        if (settings.stackSize() == 0 && !Thread.currentThread().isVirtual())
            return runHere(settings, main, handlers, started);
        Callable<T> task = Inheritance.withContext(main);
        return new LoopThread<T>(settings, () -> runHere(settings, task, handlers, started)).runAndWait();
    }

    private static <T> @Nullable T runHere(
            Settings settings, Callable<T> main, List<SwitchHandler> handlers, Consumer<Loop> started) {
        // Loaded here rather than by its first use, which may be on a stack without room for a class initialiser.
        SchedulerProvider.get();
        FlightRecording.prepare();
        Interrupts.prepare();
        RemoteQueue.prepare();
        JdkWait.install();
        // Mounting a coroutine overwrites the interrupt status.
        boolean interrupted = Thread.interrupted();
        Reactor reactor = settings.reactor().get();
        Throwable thrown = null;
        try {
            return runOn(reactor, settings, main, handlers, started);
        } catch (Throwable e) {
            thrown = e;
            throw e;
        } finally {
            close(reactor, thrown);
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    /**
     * Closes the reactor. Not by try-with-resources, which fails if closing throws the same object as the run: the JVM
     * has only one error for an exhausted heap.
     */
    private static void close(Reactor reactor, @Nullable Throwable thrown) {
        try {
            reactor.close();
        } catch (Throwable e) {
            if (thrown == null) throw e;
            Throwable both = Causes.joined(thrown, e);
            if (both != thrown) throw Throwing.sneaky(both);
        }
    }

    private static <T> @Nullable T runOn(
            Reactor reactor,
            Settings settings,
            Callable<T> main,
            List<SwitchHandler> handlers,
            Consumer<Loop> started) {
        var loop = new Loop(settings, reactor);
        var eventLoop = new EventLoop(loop);
        Runnable stopService = eventLoop::stop; // here, as a full heap could not link it
        Runtimes.register(loop);
        try {
            started.accept(loop);
            spawnMain(loop, main, handlers);
            eventLoop.run();
            Throwable exit = loop.errors.exit();
            if (exit != null) throw Throwing.sneaky(Throwing.forAwaiter(exit));
            return resultOfMain(loop);
        } finally {
            try {
                if (eventLoop.isCutOff()) loop.shutdown.release();
                else loop.stop(stopService);
                loop.shutdown.reportSurvivors();
            } finally {
                Runtimes.unregister(loop);
            }
        }
    }

    /** Here, so that no frame of the loop thread holds the coroutine. */
    private static void spawnMain(Loop loop, Callable<?> task, List<SwitchHandler> handlers) {
        CoroutineImpl<?> main = loop.spawner.spawn(loop.mainScope, CoroutineKind.MAIN, null, task);
        for (SwitchHandler handler : handlers) main.addSwitchHandler(handler);
        loop.main = main;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T> @Nullable T resultOfMain(Loop loop) {
        return (T) Objects.requireNonNull(loop.main).result();
    }
}
