package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * The sizes and offsets of libuv's structures that we need; checked against the loaded library before the first loop is
 * made.
 */
final class UvLayouts {
    /*
     * The library is asked for sizes, as they differ between versions. The offsets below are part of the documented
     * interface: `data` is the first member of every handle and request, and uv_buf_t is {base, len} as it may be cast
     * to struct iovec. The type numbers are an enum whose order is frozen for libuv 1; the names that the library gives
     * to them are compared.
     */
    static final long DATA = 0;
    static final long BUF_BASE = 0;
    static final long BUF_LEN = 8;
    static final long BUF_SIZE = 16;

    static final int ASYNC = 1;
    static final int FS_EVENT = 3;
    static final int PIPE = 7;
    static final int POLL = 8;
    static final int TCP = 12;
    static final int TIMER = 13;
    static final int TTY = 14;
    static final int UDP = 15;

    static final int CONNECT_REQ = 2;
    static final int WRITE_REQ = 3;
    static final int SHUTDOWN_REQ = 4;

    static final long ASYNC_SIZE = Uv.handleSize(ASYNC);
    static final long FS_EVENT_SIZE = Uv.handleSize(FS_EVENT);
    static final long PIPE_SIZE = Uv.handleSize(PIPE);
    static final long POLL_SIZE = Uv.handleSize(POLL);
    static final long TCP_SIZE = Uv.handleSize(TCP);
    static final long TIMER_SIZE = Uv.handleSize(TIMER);
    static final long TTY_SIZE = Uv.handleSize(TTY);
    static final long UDP_SIZE = Uv.handleSize(UDP);
    static final long CONNECT_SIZE = Uv.reqSize(CONNECT_REQ);
    static final long WRITE_SIZE = Uv.reqSize(WRITE_REQ);
    static final long SHUTDOWN_SIZE = Uv.reqSize(SHUTDOWN_REQ);
    static final long LOOP_SIZE = Uv.loopSize();

    private static final @Nullable String PROBLEM = check();

    private UvLayouts() {}

    /** What differs from our expectations; null if nothing does. */
    static @Nullable String problem() {
        return PROBLEM;
    }

    private static @Nullable String check() {
        String problem = firstNonNull(
                name(Uv.handleTypeName(ASYNC), "async", ASYNC),
                name(Uv.handleTypeName(FS_EVENT), "fs_event", FS_EVENT),
                name(Uv.handleTypeName(PIPE), "pipe", PIPE),
                name(Uv.handleTypeName(POLL), "poll", POLL),
                name(Uv.handleTypeName(TCP), "tcp", TCP),
                name(Uv.handleTypeName(TIMER), "timer", TIMER),
                name(Uv.handleTypeName(TTY), "tty", TTY),
                name(Uv.handleTypeName(UDP), "udp", UDP),
                name(Uv.reqTypeName(CONNECT_REQ), "connect", CONNECT_REQ),
                name(Uv.reqTypeName(WRITE_REQ), "write", WRITE_REQ),
                name(Uv.reqTypeName(SHUTDOWN_REQ), "shutdown", SHUTDOWN_REQ));
        if (problem != null) return problem;
        try (Arena arena = Arena.ofConfined()) {
            long probe = arena.allocate(Math.max(TCP_SIZE, WRITE_SIZE), 16).address();
            Uv.handleSetData(probe, 0x1234_5678_9abcL);
            if (NativeMemory.getLong(probe + DATA) != 0x1234_5678_9abcL)
                return different("uv_handle_t.data is not at offset 0");
            Uv.reqSetData(probe, 0x0fed_cba9_8765L);
            if (NativeMemory.getLong(probe + DATA) != 0x0fed_cba9_8765L)
                return different("uv_req_t.data is not at offset 0");
        }
        return null;
    }

    private static @Nullable String name(String actual, String expected, int number) {
        return actual.equals(expected)
                ? null
                : different("type " + number + " is '" + actual + "', expected '" + expected + "'");
    }

    private static String different(String what) {
        return "libuv " + UvLibrary.text(Uv.version())
                + " is laid out differently from what this version of TrueAsync knows: " + what;
    }

    private static @Nullable String firstNonNull(@Nullable String... candidates) {
        for (String candidate : candidates) if (candidate != null) return candidate;
        return null;
    }
}
