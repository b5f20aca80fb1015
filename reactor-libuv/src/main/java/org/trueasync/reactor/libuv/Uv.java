package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * libuv's functions, one method each, in the order of its header. Pointers and {@code size_t} are {@code long}; results below zero are
 * errors, see {@link UvErrors}. What may be called when is the caller's business: nothing is checked here, and libuv aborts the process
 * when it is misused.
 */
final class Uv {
    static final int RUN_ONCE = 1;
    static final int RUN_NOWAIT = 2;
    static final int TCP_IPV6ONLY = 1;
    static final int EOF = -4095;

    private static final Functions LIBRARY = new Functions(UvLibrary.symbols());

    private static final MethodHandle VERSION = LIBRARY.of("uv_version", JAVA_INT);
    private static final MethodHandle LOOP_SIZE = LIBRARY.of("uv_loop_size", JAVA_LONG);
    private static final MethodHandle HANDLE_SIZE = LIBRARY.of("uv_handle_size", JAVA_LONG, JAVA_INT);
    private static final MethodHandle REQ_SIZE = LIBRARY.of("uv_req_size", JAVA_LONG, JAVA_INT);
    private static final MethodHandle HANDLE_TYPE_NAME = LIBRARY.of("uv_handle_type_name", JAVA_LONG, JAVA_INT);
    private static final MethodHandle REQ_TYPE_NAME = LIBRARY.of("uv_req_type_name", JAVA_LONG, JAVA_INT);
    private static final MethodHandle HANDLE_SET_DATA = LIBRARY.of("uv_handle_set_data", null, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle REQ_SET_DATA = LIBRARY.of("uv_req_set_data", null, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ERR_NAME_R = LIBRARY.of("uv_err_name_r", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle STRERROR_R = LIBRARY.of("uv_strerror_r", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle THREAD_SELF = LIBRARY.trivial("uv_thread_self", JAVA_LONG);
    private static final MethodHandle LOOP_INIT = LIBRARY.of("uv_loop_init", JAVA_INT, JAVA_LONG);
    private static final MethodHandle LOOP_CLOSE = LIBRARY.of("uv_loop_close", JAVA_INT, JAVA_LONG);
    private static final MethodHandle RUN = LIBRARY.of("uv_run", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle UPDATE_TIME = LIBRARY.trivial("uv_update_time", null, JAVA_LONG);
    private static final MethodHandle CLOSE = LIBRARY.of("uv_close", null, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ASYNC_INIT = LIBRARY.of("uv_async_init", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ASYNC_SEND = LIBRARY.of("uv_async_send", JAVA_INT, JAVA_LONG);
    private static final MethodHandle TIMER_INIT = LIBRARY.of("uv_timer_init", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle TIMER_START = LIBRARY.trivial("uv_timer_start", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle TIMER_STOP = LIBRARY.trivial("uv_timer_stop", JAVA_INT, JAVA_LONG);
    private static final MethodHandle POLL_INIT = LIBRARY.of("uv_poll_init", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle POLL_START = LIBRARY.of("uv_poll_start", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle POLL_STOP = LIBRARY.of("uv_poll_stop", JAVA_INT, JAVA_LONG);
    private static final MethodHandle FILENO = LIBRARY.of("uv_fileno", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle TCP_INIT_EX = LIBRARY.of("uv_tcp_init_ex", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle TCP_OPEN = LIBRARY.of("uv_tcp_open", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle TCP_BIND = LIBRARY.of("uv_tcp_bind", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle TCP_CONNECT = LIBRARY.of("uv_tcp_connect", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle TCP_NODELAY = LIBRARY.of("uv_tcp_nodelay", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle TCP_KEEPALIVE = LIBRARY.of("uv_tcp_keepalive", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle TCP_GETSOCKNAME = LIBRARY.of("uv_tcp_getsockname", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle TCP_GETPEERNAME = LIBRARY.of("uv_tcp_getpeername", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle READ_START = LIBRARY.of("uv_read_start", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle READ_STOP = LIBRARY.of("uv_read_stop", JAVA_INT, JAVA_LONG);
    private static final MethodHandle TRY_WRITE = LIBRARY.of("uv_try_write", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle WRITE = LIBRARY.of("uv_write", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle SHUTDOWN = LIBRARY.of("uv_shutdown", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Uv() {}

    static String handleTypeName(int type) {
        return NativeMemory.getString(handleTypeName0(type));
    }

    static String reqTypeName(int type) {
        return NativeMemory.getString(reqTypeName0(type));
    }

    static int version() {
        try {
            return (int) VERSION.invokeExact();
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long loopSize() {
        try {
            return (long) LOOP_SIZE.invokeExact();
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long handleSize(int type) {
        try {
            return (long) HANDLE_SIZE.invokeExact(type);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long reqSize(int type) {
        try {
            return (long) REQ_SIZE.invokeExact(type);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    private static long handleTypeName0(int type) {
        try {
            return (long) HANDLE_TYPE_NAME.invokeExact(type);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    private static long reqTypeName0(int type) {
        try {
            return (long) REQ_TYPE_NAME.invokeExact(type);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void handleSetData(long handle, long data) {
        try {
            HANDLE_SET_DATA.invokeExact(handle, data);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void reqSetData(long req, long data) {
        try {
            REQ_SET_DATA.invokeExact(req, data);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long errName(int status, long text, long size) {
        try {
            return (long) ERR_NAME_R.invokeExact(status, text, size);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long strError(int status, long text, long size) {
        try {
            return (long) STRERROR_R.invokeExact(status, text, size);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** The identity of the platform thread that runs this, also when a virtual thread sits on it. */
    static long threadSelf() {
        try {
            return (long) THREAD_SELF.invokeExact();
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int loopInit(long loop) {
        try {
            return (int) LOOP_INIT.invokeExact(loop);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int loopClose(long loop) {
        try {
            return (int) LOOP_CLOSE.invokeExact(loop);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** One turn: callbacks run inside. Never inside another one. */
    static int run(long loop, int mode) {
        try {
            return (int) RUN.invokeExact(loop, mode);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void updateTime(long loop) {
        try {
            UPDATE_TIME.invokeExact(loop);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** Once per handle: a second call aborts the process. */
    static void close(long handle, long callback) {
        try {
            CLOSE.invokeExact(handle, callback);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int asyncInit(long loop, long async, long callback) {
        try {
            return (int) ASYNC_INIT.invokeExact(loop, async, callback);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** The one function that any thread may call. */
    static int asyncSend(long async) {
        try {
            return (int) ASYNC_SEND.invokeExact(async);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int timerInit(long loop, long timer) {
        try {
            return (int) TIMER_INIT.invokeExact(loop, timer);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int timerStart(long timer, long callback, long timeout, long repeat) {
        try {
            return (int) TIMER_START.invokeExact(timer, callback, timeout, repeat);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int timerStop(long timer) {
        try {
            return (int) TIMER_STOP.invokeExact(timer);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int pollInit(long loop, long poll, int descriptor) {
        try {
            return (int) POLL_INIT.invokeExact(loop, poll, descriptor);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int pollStart(long poll, int events, long callback) {
        try {
            return (int) POLL_START.invokeExact(poll, events, callback);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int pollStop(long poll) {
        try {
            return (int) POLL_STOP.invokeExact(poll);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int fileno(long handle, long descriptor) {
        try {
            return (int) FILENO.invokeExact(handle, descriptor);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpInit(long loop, long tcp, int family) {
        try {
            return (int) TCP_INIT_EX.invokeExact(loop, tcp, family);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpOpen(long tcp, int socket) {
        try {
            return (int) TCP_OPEN.invokeExact(tcp, socket);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpBind(long tcp, long address, int flags) {
        try {
            return (int) TCP_BIND.invokeExact(tcp, address, flags);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpConnect(long req, long tcp, long address, long callback) {
        try {
            return (int) TCP_CONNECT.invokeExact(req, tcp, address, callback);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpNoDelay(long tcp, int enable) {
        try {
            return (int) TCP_NODELAY.invokeExact(tcp, enable);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpKeepAlive(long tcp, int enable, int seconds) {
        try {
            return (int) TCP_KEEPALIVE.invokeExact(tcp, enable, seconds);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpGetSockName(long tcp, long address, long length) {
        try {
            return (int) TCP_GETSOCKNAME.invokeExact(tcp, address, length);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpGetPeerName(long tcp, long address, long length) {
        try {
            return (int) TCP_GETPEERNAME.invokeExact(tcp, address, length);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int readStart(long stream, long allocate, long read) {
        try {
            return (int) READ_START.invokeExact(stream, allocate, read);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int readStop(long stream) {
        try {
            return (int) READ_STOP.invokeExact(stream);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tryWrite(long stream, long bufs, int count) {
        try {
            return (int) TRY_WRITE.invokeExact(stream, bufs, count);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int write(long req, long stream, long bufs, int count, long callback) {
        try {
            return (int) WRITE.invokeExact(req, stream, bufs, count, callback);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int shutdown(long req, long stream, long callback) {
        try {
            return (int) SHUTDOWN.invokeExact(req, stream, callback);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }
}
