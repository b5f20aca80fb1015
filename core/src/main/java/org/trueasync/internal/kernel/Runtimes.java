package org.trueasync.internal.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.jdk.Interrupts;
import org.trueasync.internal.jdk.StackHeadroom;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.owner.Owner;
import org.trueasync.internal.recorder.FlightRecording;
import org.trueasync.internal.settings.LoopThread;
import org.trueasync.internal.settings.Settings;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.unobserved.Handles;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandler;

/** The runtimes of this process: finds the one on the calling thread, runs a new one. */
public final class Runtimes {
    /** Copied on write: there are few runtimes, and almost every call looks one up. */
    private static volatile Loop[] running = {};

    private static final ThreadLocal<Loop> SECTION = new ThreadLocal<>();

    static {
        Owner.install(Runtimes::hereOrNull);
    }

    private Runtimes() {}

    /** The loop whose thread the calling thread is, or is mounted on; null if there is none. */
    public static @Nullable Loop hereOrNull() {
        Loop[] all = running;
        if (all.length == 0) return null;
        Thread carrier = VirtualThreads.carrier();
        for (Loop loop : all) if (loop.loopThread == carrier) return loop;
        return null;
    }

    /**
     * Runs a blocking section of a coroutine on the calling thread, which has no loop. Calls for the loop are refused
     * there by the name of the place.
     *
     * @param loop the coroutine's
     */
    public static <T extends @Nullable Object> T runSection(Loop loop, Callable<T> section) throws Exception {
        SECTION.set(loop);
        try {
            return section.call();
        } finally {
            SECTION.remove();
        }
    }

    /** The loop whose blocking section runs on the calling thread; null if there is none. */
    static @Nullable Loop sectionOrNull() {
        return SECTION.get();
    }

    /** The runtimes of this process that have not ended. Any thread. */
    public static List<Loop> all() {
        return List.of(running);
    }

    /** The name of the calling thread, for messages; in a coroutine, that of its loop's thread. */
    public static String threadName() {
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        return name.isEmpty() || (thread.isVirtual() && hereOrNull() != null)
                ? VirtualThreads.carrier().getName()
                : name;
    }

    /** The label of the coroutine that runs here, for messages; empty if none does. */
    public static String labelHere() {
        Loop here = hereOrNull();
        CoroutineImpl<?> self = here == null ? null : here.current;
        return self == null ? "" : self.label();
    }

    /**
     * The loop of the calling thread.
     *
     * @param call what needs it, for the message
     * @throws org.trueasync.AsyncException if there is none; names {@code Async.run} and the launcher
     * @throws StackOverflowError if the stack is too full to go on from here
     */
    public static Loop here(String call) {
        StackHeadroom.require();
        Loop loop = hereOrNull();
        if (loop == null) throw Misuse.noRuntime(call);
        return loop;
    }

    /**
     * The coroutine that runs here.
     *
     * @param call what needs it, for the message
     * @throws org.trueasync.AsyncException if there is none
     */
    public static CoroutineImpl<?> currentCoroutine(String call) {
        return here(call).requireCurrent(call);
    }

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
        Loop here = hereOrNull();
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
        JdkPark.prepare();
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
        Loop loop = new Loop(settings, reactor);
        register(loop);
        try {
            loop.service.prepare();
            started.accept(loop);
            CoroutineImpl<T> coroutine = loop.spawner.spawn(loop.mainScope, CoroutineKind.MAIN, null, main);
            for (SwitchHandler handler : handlers) coroutine.addSwitchHandler(handler);
            loop.eventLoop.run();
            Throwable exit = loop.errors.exit();
            if (exit != null) throw Throwing.sneaky(Throwing.forAwaiter(exit));
            return coroutine.result();
        } finally {
            try {
                loop.stop();
                loop.shutdown.reportSurvivors();
            } finally {
                unregister(loop);
            }
        }
    }

    private static synchronized void register(Loop loop) {
        Loop[] more = Arrays.copyOf(running, running.length + 1);
        more[running.length] = loop;
        Handles.runBegins();
        running = more;
    }

    private static synchronized void unregister(Loop loop) {
        running = Arrays.stream(running).filter(s -> s != loop).toArray(Loop[]::new);
        Handles.runEnds();
    }
}
