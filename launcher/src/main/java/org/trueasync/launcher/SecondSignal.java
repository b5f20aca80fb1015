package org.trueasync.launcher;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * While the process waits for its coroutines to end, a second SIGINT or SIGTERM ends that wait: somebody has lost patience. One that comes within a second does not count, as shells
 * and tools that start programs often send a signal twice.
 *
 * <p>Signals that the program handles itself, or that are ignored, stay as they are. {@code sun.misc.Signal} is looked up, as the compiler's warning about it can't be switched off.
 */
final class SecondSignal implements AutoCloseable {
    private static final Duration TOO_SOON = Duration.ofSeconds(1);
    private static final String[] NAMES = {"INT", "TERM"};

    private final LongSupplier clock;
    private final long begin;
    private final Thread waiting;
    private boolean over;

    /**
     * Has not been told of any signal, and hears of them by {@link #came} only.
     *
     * @param clock in nanoseconds
     */
    SecondSignal(Thread waiting, LongSupplier clock) {
        this.waiting = waiting;
        this.clock = clock;
        begin = clock.getAsLong();
    }

    /** From now on a second signal interrupts the calling thread. Call it when the process is ending; close it when the wait is over. */
    static SecondSignal interruptsThisThread() {
        var second = new SecondSignal(Thread.currentThread(), System::nanoTime);
        try {
            second.watch();
        } catch (ReflectiveOperationException withoutSignals) {
            // no module jdk.unsupported, or -Xrs: the JVM has no signals to tell of
        }
        return second;
    }

    private void watch() throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Method handle = signal.getMethod("handle", signal, handler);
        Object action = Proxy.newProxyInstance(
                SecondSignal.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> came());
        for (String name : NAMES) {
            Object one = signal.getConstructor(String.class).newInstance(name);
            Object before = handle.invoke(null, one, action);
            if (!isJvms(handler, before)) handle.invoke(null, one, before);
        }
    }

    /** The JDK wraps its own, and neither a program's nor the two of the system. */
    private static boolean isJvms(Class<?> type, Object handler) throws ReflectiveOperationException {
        return handler.getClass().getName().equals("sun.misc.Signal$SunMiscHandler")
                && handler != type.getField("SIG_DFL").get(null)
                && handler != type.getField("SIG_IGN").get(null);
    }

    synchronized @Nullable Object came() {
        if (!over && clock.getAsLong() - begin >= TOO_SOON.toNanos()) waiting.interrupt();
        return null;
    }

    /** The wait is over: signals do nothing more. The calling thread's interrupt status is cleared. */
    @Override
    public synchronized void close() {
        over = true;
        Thread.interrupted();
    }
}
