package org.trueasync.internal.testkit.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the changed classes call where they start threads, and where they ask something of a thread. A platform thread
 * that a host of a simulation starts runs on a virtual thread of the host's loop, see {@link HostThread}. Classes of
 * {@code java.base} have that one as their current thread: locks, thread locals and waits are its own. All others have
 * the one that was started. Any thread; elsewhere nothing changes.
 *
 * <p>Defined into {@code java.lang} beside {@link Hook}, and as that without lambdas.
 */
public final class ThreadHook {
    /** Whose frames don't tell who starts a thread. */
    private static final String[] MEANS = {
        "java.lang.System$",
        "java.lang.Thread",
        "java.lang.TrueAsync",
        "java.util.Timer",
        "java.util.concurrent.",
        "jdk.internal.vm."
    };

    /** What starts threads for the whole process, by the first other frame. */
    private static final String[] OF_PROCESS = {"java.", "jdk.internal.", "sun.", "org.trueasync.internal."};

    /** Of the above, what does not. */
    private static final String[] OF_PROGRAM = {
        "java.util.", "jdk.internal.net.http.", "sun.net.httpserver.", "org.trueasync.internal.http."
    };

    /** Below them is a task of the program's, unless they start a thread themselves. */
    private static final String[] RUNS = {"org.trueasync.internal.kernel.", "org.trueasync.internal.task."};

    private ThreadHook() {}

    // ---- starting

    /**
     * For the native start of a thread.
     *
     * @return whom to tell of its interrupts, if it runs on the loop of the host that starts it; null if it is outside
     */
    static @Nullable InternalInterruptible start(Thread thread) {
        BooleanSupplier host = Hook.host();
        if (HostThread.of(thread) != null) throw new IllegalThreadStateException();
        if (host == null || !Thread.currentThread().isVirtual() || !isOfProgram(thread)) return null;
        var started = new HostThread(thread, host);
        Hook.add(started);
        started.start();
        return started;
    }

    /** False if it is started for the whole process, by the JDK or by TrueAsync. */
    static boolean isOfProgram(Thread thread) {
        if (thread instanceof ForkJoinWorkerThread worker && worker.getPool() == ForkJoinPool.commonPool())
            return false;
        boolean direct = true;
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String type = frame.getClassName();
            // above run are those of the loop; the other methods start carriers, and what the JVM needs
            if (type.equals("java.lang.VirtualThread"))
                return frame.getMethodName().equals("run");
            if (startsWithOneOf(type, MEANS)) {
                if (!type.startsWith("java.lang.T")) direct = false;
            } else {
                if (startsWithOneOf(type, OF_PROGRAM)) return true;
                return startsWithOneOf(type, RUNS) ? !direct : !startsWithOneOf(type, OF_PROCESS);
            }
        }
        return true;
    }

    private static boolean startsWithOneOf(String name, String[] prefixes) {
        for (String prefix : prefixes) if (name.startsWith(prefix)) return true;
        return false;
    }

    static void ended(HostThread thread) {
        Hook.remove(thread);
    }

    /** True if a thread is of a host that is no more: then it must not run. */
    static boolean isOver(Thread virtual) {
        HostThread host = onLoop(virtual);
        return host != null && host.over.getAsBoolean();
    }

    /** Waits until the threads of the caller's host have ended that are no daemons. */
    public static void awaitThreads() throws InterruptedException {
        HostThread left;
        do {
            left = null;
            for (HostThread one : Hook.threads(Hook.host())) if (!one.daemon) left = one;
            if (left != null) left.platform.join();
        } while (left != null);
    }

    /** The threads of the host whose loop runs here, for people. */
    public static List<String> threads() {
        List<String> text = new ArrayList<>();
        for (HostThread one : Hook.threads(Hook.host()))
            text.add((one.daemon ? "daemon '" : "thread '")
                    .concat(one.platform.getName())
                    .concat("', ")
                    .concat(one.state().toString()));
        return text;
    }

    // ---- what is asked of a thread

    private static @Nullable HostThread onLoop(Thread thread) {
        return thread.getUncaughtExceptionHandler() instanceof HostThread host ? host : null;
    }

    /** For {@link Thread#currentThread}. */
    public static Thread currentThread() {
        Thread current = Thread.currentThread();
        if (!Hook.isAnywhere() || !current.isVirtual()) return current;
        HostThread host = onLoop(current);
        return host == null ? current : host.platform;
    }

    /** For {@link Thread#isAlive}. */
    static boolean isAlive(Thread thread) {
        HostThread host = HostThread.of(thread);
        return host != null && !host.hasEnded();
    }

    /** For {@link Thread#getState}. */
    static Thread.State state(Thread.State real, Thread thread) {
        HostThread host = HostThread.of(thread);
        return host == null ? real : host.state();
    }

    /** For {@link Thread#isInterrupted}. */
    static boolean isInterrupted(Thread thread) {
        HostThread host = HostThread.of(thread);
        return host == null
                ? ((CarrierThread) (Object) thread).interrupted
                : host.virtual().isInterrupted();
    }

    /** For {@link Thread#isDaemon} of a thread that starts another one. */
    static boolean isDaemon(Thread parent) {
        HostThread host = parent.isVirtual() && Hook.isAnywhere() ? onLoop(parent) : null;
        return host == null ? parent.isDaemon() : host.daemon;
    }

    /** For {@link Thread#setContextClassLoader}. */
    static void contextClassLoader(Thread thread, @Nullable ClassLoader loader) {
        HostThread host = HostThread.of(thread);
        if (host != null) host.virtual().setContextClassLoader(loader);
    }

    /** For {@link Thread#getStackTrace}. */
    static StackTraceElement @Nullable [] stackTrace(Thread thread) {
        HostThread host = HostThread.of(thread);
        return host == null
                ? ((CarrierThread) (Object) thread).asyncGetStackTrace()
                : host.virtual().getStackTrace();
    }

    // ---- waits

    /** For a permit that is given to a virtual thread. */
    public static void unparks(Thread thread) {
        HostThread host = Hook.isAnywhere() && thread.isVirtual() ? onLoop(thread) : null;
        if (host != null && host.over.getAsBoolean()) Hook.shares(host.platform);
    }

    /** For a permit that is given to a platform thread. */
    public static void unpark(InternalUnsafe unsafe, Object thread) {
        HostThread host = thread instanceof Thread platform ? HostThread.of(platform) : null;
        if (host == null) unsafe.unpark(thread);
        else LockSupport.unpark(host.virtual());
    }

    /** For a wait in code that takes its thread for a platform thread. */
    public static void park(InternalUnsafe unsafe, boolean isAbsolute, long time) {
        if (!Thread.currentThread().isVirtual()) Hook.park(unsafe, isAbsolute, time);
        else if (isAbsolute) LockSupport.parkUntil(time);
        else if (time == 0) LockSupport.park();
        else LockSupport.parkNanos(time);
    }

    /** For {@link Thread#onSpinWait}: what it waits for is done on the same loop. */
    @SuppressWarnings("ThreadPriorityCheck") // the loop's order is known
    public static void onSpinWait() {
        if (Hook.host() == null || !Thread.currentThread().isVirtual()) {
            Thread.onSpinWait();
            return;
        }
        Hook.spins();
        Thread.yield();
    }

    // ---- clocks, for classes that have threads of their own

    /** For {@link System#nanoTime}. */
    public static long nanoTime() {
        return Hook.host() == null ? System.nanoTime() : Hook.nanoTime();
    }

    /** For {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        return Hook.host() == null ? System.currentTimeMillis() : Hook.currentTimeMillis();
    }

    /** See {@link Hook#getNanoTimeAdjustment}. */
    public static long getNanoTimeAdjustment(long offsetInSeconds) {
        return Hook.host() == null
                ? InternalVM.getNanoTimeAdjustment(offsetInSeconds)
                : Hook.getNanoTimeAdjustment(offsetInSeconds);
    }

    /** For {@link Math#random}. */
    public static double random() {
        return Hook.random();
    }

    /** See {@link Hook#seedUniquifier}. */
    public static long seedUniquifier() {
        return Hook.seedUniquifier();
    }
}
