package org.trueasync.reactor.libuv;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Runs an action on SIGQUIT, and passes each such signal on to the JVM, to which it belongs. */
final class QuitSignal {
    /*
     * The JVM refuses SIGQUIT to sun.misc.Signal. Its own handler is short: it counts the signal and posts a semaphore;
     * then a thread of the JVM checks whether a tool wants to attach (jcmd), else prints the thread dump. So libuv's
     * handler takes its place in the system's table. That handler is made to run at any moment: it writes a byte to a
     * pipe. A thread of ours reads the byte and calls the JVM's handler as the system would have. No Java code runs in
     * a signal handler, and no loop of a runtime is needed.
     *
     * The JVM's handler does not use its second and third argument (HotSpot, signals_posix.cpp, UserHandler). If the
     * JVM has no handler, as under -Xrs, we leave the signal alone. Nothing here is ever freed: a signal may come at
     * any time.
     */
    private static final int SIGQUIT = 3;
    private static final int UV_SIGNAL = 16;
    private static final int RUN_DEFAULT = 0;
    /**
     * At least the size of struct sigaction on any system; its first field is the handler on all systems that we know.
     */
    private static final long SIGACTION_SIZE = 256;

    /** SIG_DFL is 0, SIG_IGN is 1: values up to this one are no handlers. */
    private static final long LARGEST_NO_HANDLER = 1;

    private static final MethodHandle SIGACTION = Functions.of("sigaction");
    private static final MethodHandle SIGNAL_INIT = Functions.of("uv_signal_init");
    private static final MethodHandle SIGNAL_START = Functions.of("uv_signal_start");

    private static final long PID = ProcessHandle.current().pid();
    private static final File[] ATTACH_FILES = {
        new File("/proc/self/cwd/.attach_pid" + PID),
        new File(Platform.MAC ? System.getProperty("java.io.tmpdir", "/tmp") : "/tmp", ".attach_pid" + PID)
    };

    /** The only one of this process; set once. */
    private static @Nullable QuitSignal listening;

    private final Runnable action;
    private final AtomicBoolean acting = new AtomicBoolean();
    private final long previous;
    private final MethodHandle previousHandler;
    private volatile boolean over;

    private QuitSignal(Runnable action, long previous, long handler) {
        this.action = action;
        this.previous = previous;
        this.previousHandler = Functions.at(handler);
    }

    /**
     * Begins to listen, once in this process.
     *
     * @param action runs on a thread of its own after each signal that asks for a thread dump; not after one that comes
     *     while it runs
     * @return gives the signal back to the JVM; null if the JVM does not handle it, if a listener exists already, or if
     *     libuv can't watch the signal
     */
    static synchronized @Nullable Runnable listen(Runnable action) {
        if (listening != null || !Uv.handleTypeName(UV_SIGNAL).equals("signal")) return null;
        long previous = Arena.global().allocate(SIGACTION_SIZE, 16).address();
        if (sigaction(0, previous) != 0) return null;
        long handler = NativeMemory.getLong(previous);
        if (Long.compareUnsigned(handler, LARGEST_NO_HANDLER) <= 0) return null;
        var signal = new QuitSignal(action, previous, handler);
        long loop = signal.newLoop();
        if (loop == 0) return null;
        listening = signal;
        Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("trueasync-quit")
                .start(() -> Uv.run(loop, RUN_DEFAULT));
        return signal::giveBack;
    }

    /** Returns a loop whose only handle is the signal's; 0 if libuv can't make one. */
    private long newLoop() {
        long loop = Arena.global().allocate(UvLayouts.LOOP_SIZE, 16).address();
        long handle = Arena.global().allocate(Uv.handleSize(UV_SIGNAL), 16).address();
        if (LoopStart.init(loop) != 0) return 0;
        try {
            int status = (int) Functions.call(SIGNAL_INIT, loop, handle, 0, 0, 0);
            if (status == 0) {
                status = (int) Functions.call(SIGNAL_START, handle, stub(), SIGQUIT, 0, 0);
                if (status == 0) return loop;
                Uv.close(handle, 0);
                Uv.run(loop, RUN_DEFAULT); // releases the handle, without which the loop can't be closed
            }
            Uv.loopClose(loop);
            return 0;
        } catch (ReflectiveOperationException e) {
            throw Functions.rethrow(e);
        }
    }

    private long stub() throws ReflectiveOperationException {
        MethodHandle target = MethodHandles.lookup()
                .bind(this, "received", MethodType.methodType(void.class, long.class, long.class, long.class));
        return Upcalls.stub(target);
    }

    /** Called by libuv; must not throw. The JVM's handler runs before our action, so that the action can't delay it. */
    void received(long handle, long signal, long unused) {
        boolean attach = true;
        try {
            attach = isAttach();
        } catch (Throwable e) {
            // no memory: taken as an attach, so the action does not run
        }
        try {
            Functions.call(previousHandler, SIGQUIT, 0, 0, 0, 0);
            if (!attach && !over && acting.compareAndSet(false, true)) begin();
        } catch (Throwable e) {
            acting.set(false);
        }
    }

    private void begin() {
        Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("trueasync-dump")
                .start(() -> {
                    try {
                        action.run();
                    } finally {
                        acting.set(false);
                    }
                });
    }

    /** True if a tool wants to attach: the JVM looks for the same files. */
    private static boolean isAttach() {
        for (File file : ATTACH_FILES) if (file.exists()) return true;
        return false;
    }

    /**
     * Restores the JVM's handler. Not with uv_signal_stop: between that and the restoration a signal would end the
     * process.
     */
    private void giveBack() {
        over = true;
        int _ = sigaction(previous, 0);
    }

    private static int sigaction(long next, long previous) {
        return (int) Functions.call(SIGACTION, SIGQUIT, next, previous, 0, 0);
    }
}
