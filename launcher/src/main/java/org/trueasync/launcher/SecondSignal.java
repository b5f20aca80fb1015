package org.trueasync.launcher;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * While the process waits for its coroutines to end, a second SIGINT or SIGTERM ends that wait. A signal within the
 * first second does not count, because shells and tools that start programs often send a signal twice.
 *
 * <p>Signals that the program handles itself, or that are ignored, stay as they are. {@code sun.misc.Signal} is used by
 * reflection, because the compiler's warning about it can't be switched off.
 */
final class SecondSignal implements AutoCloseable {
    private static final Duration IGNORED_TIME = Duration.ofSeconds(1);
    private static final String[] NAMES = {"INT", "TERM"};

    private final LongSupplier clock;
    private final Thread waiting;
    private long begin;
    private boolean over;

    /**
     * Installs no signal handler; each signal is reported by {@link #signalReceived}.
     *
     * @param clock the time, in nanoseconds
     */
    SecondSignal(Thread waiting, LongSupplier clock) {
        this.waiting = waiting;
        this.clock = clock;
        begin = clock.getAsLong();
    }

    /**
     * Has a second signal interrupt the calling thread from now on. Called when the process is ending; the result is
     * closed when the wait is over.
     */
    static SecondSignal interruptsThisThread() {
        var second = new SecondSignal(Thread.currentThread(), System::nanoTime);
        try {
            second.watch();
        } catch (ReflectiveOperationException withoutSignals) {
            // no module jdk.unsupported, or -Xrs: the JVM does not report signals
        }
        return second;
    }

    private void watch() throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Method handle = signal.getMethod("handle", signal, handler);
        Object action = Proxy.newProxyInstance(
                SecondSignal.class.getClassLoader(),
                new Class<?>[] {handler},
                (proxy, method, arguments) -> signalReceived());
        for (String name : NAMES) {
            Object named = signal.getConstructor(String.class).newInstance(name);
            Object before = handle.invoke(null, named, action);
            if (!isJvms(handler, before)) handle.invoke(null, named, before);
        }
    }

    /**
     * True if the handler is the JVM's own. The JDK wraps it in a class of its own, of which SIG_DFL and SIG_IGN are
     * instances too; a program's handler is not wrapped.
     */
    private static boolean isJvms(Class<?> type, Object handler) throws ReflectiveOperationException {
        return handler.getClass().getName().equals("sun.misc.Signal$SunMiscHandler")
                && handler != type.getField("SIG_DFL").get(null)
                && handler != type.getField("SIG_IGN").get(null);
    }

    synchronized @Nullable Object signalReceived() {
        if (!over && clock.getAsLong() - begin >= IGNORED_TIME.toNanos()) waiting.interrupt();
        return null;
    }

    /** Called when the wait goes on after a second signal: the next one that counts ends it. */
    synchronized void again() {
        begin = clock.getAsLong();
    }

    /** Called when the wait is over: signals do nothing any more. Clears the calling thread's interrupt status. */
    @Override
    public synchronized void close() {
        over = true;
        Thread.interrupted();
    }
}
