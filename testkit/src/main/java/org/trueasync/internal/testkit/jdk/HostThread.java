package org.trueasync.internal.testkit.jdk;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a platform thread that a host of a simulation has started runs on: a virtual thread of the host's loop. The
 * platform thread itself never runs. It finds this object as the one to be told of interrupts, and the virtual thread
 * finds it as its handler of uncaught exceptions.
 *
 * <p>Defined into {@code java.lang} beside {@link ThreadHook}.
 */
final class HostThread implements Runnable, Thread.UncaughtExceptionHandler, InternalInterruptible {
    final Thread platform;
    final boolean daemon;
    /** Tells whether the host is no more. */
    final BooleanSupplier over;

    private final Thread virtual;
    private volatile boolean ended;

    HostThread(Thread platform, BooleanSupplier over) {
        this.platform = platform;
        this.over = over;
        daemon = platform.isDaemon();
        virtual = Thread.ofVirtual()
                .name(platform.getName())
                .inheritInheritableThreadLocals(false)
                .uncaughtExceptionHandler(this)
                .unstarted(this);
        virtual.setContextClassLoader(platform.getContextClassLoader());
        inside(virtual).setInheritableThreadLocals(inside(platform).inheritableThreadLocals());
        if (inside(platform).interrupted) virtual.interrupt();
    }

    /** Of a thread that a host has started; else null. */
    static @Nullable HostThread of(Thread platform) {
        return inside(platform).nioBlocker() instanceof HostThread host ? host : null;
    }

    private static CarrierThread inside(Thread thread) {
        return (CarrierThread) (Object) thread;
    }

    void start() {
        virtual.start();
    }

    Thread virtual() {
        return virtual;
    }

    boolean hasEnded() {
        return ended;
    }

    Thread.State state() {
        return ended ? Thread.State.TERMINATED : virtual.getState();
    }

    @Override
    @SuppressWarnings("DoNotCall") // the virtual thread does what the platform thread would
    public void run() {
        try {
            platform.run();
        } catch (Throwable e) {
            uncaughtException(virtual, e);
        } finally {
            ThreadHook.ended(this);
            InternalContainer container = inside(platform).threadContainer();
            if (container != null) container.remove(platform);
            synchronized (platform) {
                ended = true;
                platform.notifyAll(); // who joins it waits for that
            }
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        try {
            inside(platform).dispatchUncaughtException(thrown);
        } catch (Throwable e) {
            // as the JVM does
        }
    }

    @Override
    public void interrupt(Thread target) {
        virtual.interrupt();
    }

    @Override
    public void postInterrupt() {}
}
