package org.trueasync.reactor.libuv;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TerminalHandle;

/** One of the process's standard streams, if it is a terminal: {@code uv_tty_t}. */
final class UvTerminal extends UvStream implements TerminalHandle {
    /*
     * libuv opens the terminal again. So its new descriptor can be non-blocking, while the original one stays as it is
     * for all others that share it, our parent and the JDK's System.out among them. But libuv replaces the descriptor
     * that it gets by the new one. So it gets a duplicate, and 0, 1 and 2 stay what they were.
     *
     * If the terminal can't be opened (it belongs to another user, as under su), libuv uses the duplicate, and writes
     * block while the terminal is stopped.
     */
    private static final SystemError NO_TERMINAL = new SystemError("ENOTTY", "not a terminal");

    /** Number of terminals in raw mode, in the whole process. */
    private static final AtomicInteger RAW = new AtomicInteger();

    /** Resets the mode if the JVM ends without closing its runtimes; installed when a terminal first gets raw. */
    private static final class AtExit {
        static final Thread HOOK = new Thread(
                () -> {
                    if (RAW.get() > 0) Uv.ttyResetMode();
                },
                "trueasync-terminal");

        static {
            try {
                Runtime.getRuntime().addShutdownHook(HOOK);
            } catch (IllegalStateException late) {
                // the JVM ends already; closing the handle resets the mode too
            }
        }

        private AtExit() {}

        static void install() {
            assert HOOK != null;
        }
    }

    private final int descriptor;
    private boolean raw;

    private UvTerminal(UvReactor reactor, int descriptor, Listener listener) {
        super(reactor, listener, UvLayouts.TTY_SIZE);
        this.descriptor = descriptor;
    }

    static boolean isTerminal(int descriptor) {
        return Uv.guessHandle(descriptor) == UvLayouts.TTY;
    }

    static UvTerminal open(UvReactor reactor, int descriptor, Listener listener) {
        if (descriptor < 0 || descriptor > 2)
            throw new IllegalArgumentException("descriptor of a terminal must be 0, 1 or 2, got " + descriptor);
        if (!isTerminal(descriptor))
            throw UvErrors.exception("open terminal", "on descriptor " + descriptor, NO_TERMINAL);
        int copy = SocketCalls.duplicate(reactor.errno(), descriptor);
        if (copy < 0) throw UvErrors.exception("open terminal", "on descriptor " + descriptor, copy);
        UvTerminal terminal;
        try {
            terminal = new UvTerminal(reactor, descriptor, listener);
        } catch (OutOfMemoryError full) {
            Libc.close(copy);
            throw full;
        }
        int status = terminal.initialised(Uv.ttyInit(reactor.loop, terminal.address, copy));
        // if libuv uses the duplicate, it closes it too
        if (status < 0 || reactor.descriptorOf(terminal.address) != copy) Libc.close(copy);
        if (status < 0) throw UvErrors.exception("open terminal", "on descriptor " + descriptor, status);
        terminal.connected(Uv.isReadable(terminal.address), Uv.isWritable(terminal.address));
        return terminal;
    }

    /** Polls first, because a terminal that libuv could not open again may block. */
    @Override
    int readNow(int descriptor) {
        int ready = reactor.isReadable(descriptor);
        if (ready > 0) return super.readNow(descriptor);
        return ready == 0 ? -Platform.EAGAIN : ready;
    }

    @Override
    public @Nullable SystemError setRaw(boolean on) {
        reactor.requireLoopThread("setRaw");
        if (isClosed()) return UvErrors.CLOSED;
        if (on == raw) return null;
        if (on) AtExit.install();
        int status = Uv.ttySetMode(address, on ? Uv.TTY_MODE_RAW : Uv.TTY_MODE_NORMAL);
        if (status < 0) return UvErrors.of(status);
        raw = on;
        RAW.addAndGet(on ? 1 : -1);
        return null;
    }

    @Override
    public @Nullable Size size() {
        reactor.requireLoopThread("size");
        return isClosed() ? null : reactor.terminalSize(address);
    }

    @Override
    void beforeClose() {
        if (!raw) return;
        raw = false;
        Uv.ttySetMode(address, Uv.TTY_MODE_NORMAL);
        RAW.decrementAndGet();
    }

    @Override
    public String toString() {
        return "terminal on descriptor " + descriptor + (isClosed() ? ", closed" : "");
    }
}
