package org.trueasync.reactor.libuv;

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
    static final int RENAME = 1;
    static final int CHANGE = 2;
    static final int UDP_IPV6ONLY = 1;
    static final int UDP_REUSEADDR = 4;
    static final int TTY_MODE_NORMAL = 0;
    static final int TTY_MODE_RAW = 1;
    static final int EOF = -4095;

    private static final Functions LIBRARY = new Functions(UvLibrary.symbols());

    private static final MethodHandle VERSION = LIBRARY.of("uv_version");
    private static final MethodHandle LOOP_SIZE = LIBRARY.of("uv_loop_size");
    private static final MethodHandle HANDLE_SIZE = LIBRARY.of("uv_handle_size");
    private static final MethodHandle REQ_SIZE = LIBRARY.of("uv_req_size");
    private static final MethodHandle HANDLE_TYPE_NAME = LIBRARY.of("uv_handle_type_name");
    private static final MethodHandle REQ_TYPE_NAME = LIBRARY.of("uv_req_type_name");
    private static final MethodHandle HANDLE_SET_DATA = LIBRARY.of("uv_handle_set_data");
    private static final MethodHandle REQ_SET_DATA = LIBRARY.of("uv_req_set_data");
    private static final MethodHandle ERR_NAME_R = LIBRARY.of("uv_err_name_r");
    private static final MethodHandle STRERROR_R = LIBRARY.of("uv_strerror_r");
    private static final MethodHandle THREAD_SELF = LIBRARY.trivial("uv_thread_self");
    private static final MethodHandle LOOP_INIT = LIBRARY.of("uv_loop_init");
    private static final MethodHandle BACKEND_FD = LIBRARY.of("uv_backend_fd");
    private static final MethodHandle LOOP_CLOSE = LIBRARY.of("uv_loop_close");
    private static final MethodHandle RUN = LIBRARY.of("uv_run");
    private static final MethodHandle UPDATE_TIME = LIBRARY.trivial("uv_update_time");
    private static final MethodHandle CLOSE = LIBRARY.of("uv_close");
    private static final MethodHandle ASYNC_INIT = LIBRARY.of("uv_async_init");
    private static final MethodHandle ASYNC_SEND = LIBRARY.of("uv_async_send");
    private static final MethodHandle TIMER_INIT = LIBRARY.of("uv_timer_init");
    private static final MethodHandle TIMER_START = LIBRARY.trivial("uv_timer_start");
    private static final MethodHandle TIMER_STOP = LIBRARY.trivial("uv_timer_stop");
    private static final MethodHandle POLL_INIT = LIBRARY.of("uv_poll_init");
    private static final MethodHandle POLL_START = LIBRARY.of("uv_poll_start");
    private static final MethodHandle POLL_STOP = LIBRARY.of("uv_poll_stop");
    private static final MethodHandle FS_EVENT_INIT = LIBRARY.of("uv_fs_event_init");
    private static final MethodHandle FS_EVENT_START = LIBRARY.of("uv_fs_event_start");
    private static final MethodHandle FILENO = LIBRARY.of("uv_fileno");
    private static final MethodHandle TCP_INIT_EX = LIBRARY.of("uv_tcp_init_ex");
    private static final MethodHandle TCP_OPEN = LIBRARY.of("uv_tcp_open");
    private static final MethodHandle TCP_BIND = LIBRARY.of("uv_tcp_bind");
    private static final MethodHandle TCP_CONNECT = LIBRARY.of("uv_tcp_connect");
    private static final MethodHandle TCP_NODELAY = LIBRARY.of("uv_tcp_nodelay");
    private static final MethodHandle TCP_KEEPALIVE = LIBRARY.of("uv_tcp_keepalive");
    private static final MethodHandle TCP_GETSOCKNAME = LIBRARY.of("uv_tcp_getsockname");
    private static final MethodHandle TCP_GETPEERNAME = LIBRARY.of("uv_tcp_getpeername");
    private static final MethodHandle IS_READABLE = LIBRARY.of("uv_is_readable");
    private static final MethodHandle IS_WRITABLE = LIBRARY.of("uv_is_writable");
    private static final MethodHandle PIPE_INIT = LIBRARY.of("uv_pipe_init");
    private static final MethodHandle PIPE_OPEN = LIBRARY.of("uv_pipe_open");
    private static final MethodHandle PIPE_CONNECT = LIBRARY.of("uv_pipe_connect");
    private static final MethodHandle TTY_INIT = LIBRARY.of("uv_tty_init");
    private static final MethodHandle TTY_SET_MODE = LIBRARY.of("uv_tty_set_mode");
    private static final MethodHandle TTY_RESET_MODE = LIBRARY.of("uv_tty_reset_mode");
    private static final MethodHandle TTY_GET_WINSIZE = LIBRARY.of("uv_tty_get_winsize");
    private static final MethodHandle GUESS_HANDLE = LIBRARY.of("uv_guess_handle");
    private static final MethodHandle UDP_INIT_EX = LIBRARY.of("uv_udp_init_ex");
    private static final MethodHandle UDP_BIND = LIBRARY.of("uv_udp_bind");
    private static final MethodHandle UDP_GETSOCKNAME = LIBRARY.of("uv_udp_getsockname");
    private static final MethodHandle READ_START = LIBRARY.of("uv_read_start");
    private static final MethodHandle READ_STOP = LIBRARY.of("uv_read_stop");
    private static final MethodHandle TRY_WRITE = LIBRARY.of("uv_try_write");
    private static final MethodHandle WRITE = LIBRARY.of("uv_write");
    private static final MethodHandle SHUTDOWN = LIBRARY.of("uv_shutdown");

    private static final MethodHandle KILL = LIBRARY.of("uv_kill");
    private static final MethodHandle OS_ENVIRON = LIBRARY.of("uv_os_environ");
    private static final MethodHandle OS_FREE_ENVIRON = LIBRARY.of("uv_os_free_environ");

    private Uv() {}

    static String handleTypeName(int type) {
        return NativeMemory.getString(handleTypeName0(type));
    }

    static String reqTypeName(int type) {
        return NativeMemory.getString(reqTypeName0(type));
    }

    static int version() {
        try {
            return (int) (long) VERSION.invokeExact(0L, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long loopSize() {
        try {
            return (long) LOOP_SIZE.invokeExact(0L, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long handleSize(int type) {
        try {
            return (long) HANDLE_SIZE.invokeExact((long) type, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long reqSize(int type) {
        try {
            return (long) REQ_SIZE.invokeExact((long) type, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    private static long handleTypeName0(int type) {
        try {
            return (long) HANDLE_TYPE_NAME.invokeExact((long) type, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    private static long reqTypeName0(int type) {
        try {
            return (long) REQ_TYPE_NAME.invokeExact((long) type, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void handleSetData(long handle, long data) {
        try {
            long ignored = (long) HANDLE_SET_DATA.invokeExact(handle, data, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void reqSetData(long req, long data) {
        try {
            long ignored = (long) REQ_SET_DATA.invokeExact(req, data, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long errName(int status, long text, long size) {
        try {
            return (long) ERR_NAME_R.invokeExact((long) status, text, size, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static long strError(int status, long text, long size) {
        try {
            return (long) STRERROR_R.invokeExact((long) status, text, size, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** The identity of the platform thread that runs this, also when a virtual thread sits on it. */
    static long threadSelf() {
        try {
            return (long) THREAD_SELF.invokeExact(0L, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int loopInit(long loop) {
        try {
            return (int) (long) LOOP_INIT.invokeExact(loop, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** The descriptor that the loop waits with; -1 if it has none. */
    static int backendDescriptor(long loop) {
        try {
            return (int) (long) BACKEND_FD.invokeExact(loop, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int loopClose(long loop) {
        try {
            return (int) (long) LOOP_CLOSE.invokeExact(loop, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** One turn: callbacks run inside. Never inside another one. */
    static int run(long loop, int mode) {
        try {
            return (int) (long) RUN.invokeExact(loop, (long) mode, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void updateTime(long loop) {
        try {
            long ignored = (long) UPDATE_TIME.invokeExact(loop, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** Once per handle: a second call aborts the process. */
    static void close(long handle, long callback) {
        try {
            long ignored = (long) CLOSE.invokeExact(handle, callback, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int asyncInit(long loop, long async, long callback) {
        try {
            return (int) (long) ASYNC_INIT.invokeExact(loop, async, callback, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** The one function that any thread may call. */
    static int asyncSend(long async) {
        try {
            return (int) (long) ASYNC_SEND.invokeExact(async, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int timerInit(long loop, long timer) {
        try {
            return (int) (long) TIMER_INIT.invokeExact(loop, timer, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int timerStart(long timer, long callback, long timeout, long repeat) {
        try {
            return (int) (long) TIMER_START.invokeExact(timer, callback, timeout, repeat, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int timerStop(long timer) {
        try {
            return (int) (long) TIMER_STOP.invokeExact(timer, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int pollInit(long loop, long poll, int descriptor) {
        try {
            return (int) (long) POLL_INIT.invokeExact(loop, poll, (long) descriptor, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int pollStart(long poll, int events, long callback) {
        try {
            return (int) (long) POLL_START.invokeExact(poll, (long) events, callback, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int pollStop(long poll) {
        try {
            return (int) (long) POLL_STOP.invokeExact(poll, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int fsEventInit(long loop, long event) {
        try {
            return (int) (long) FS_EVENT_INIT.invokeExact(loop, event, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int fsEventStart(long event, long callback, long path) {
        try {
            return (int) (long) FS_EVENT_START.invokeExact(event, callback, path, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int fileno(long handle, long descriptor) {
        try {
            return (int) (long) FILENO.invokeExact(handle, descriptor, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpInit(long loop, long tcp, int family) {
        try {
            return (int) (long) TCP_INIT_EX.invokeExact(loop, tcp, (long) family, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpOpen(long tcp, int socket) {
        try {
            return (int) (long) TCP_OPEN.invokeExact(tcp, (long) socket, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpBind(long tcp, long address, int flags) {
        try {
            return (int) (long) TCP_BIND.invokeExact(tcp, address, (long) flags, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpConnect(long req, long tcp, long address, long callback) {
        try {
            return (int) (long) TCP_CONNECT.invokeExact(req, tcp, address, callback, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpNoDelay(long tcp, int enable) {
        try {
            return (int) (long) TCP_NODELAY.invokeExact(tcp, (long) enable, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpKeepAlive(long tcp, int enable, int seconds) {
        try {
            return (int) (long) TCP_KEEPALIVE.invokeExact(tcp, (long) enable, (long) seconds, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpGetSockName(long tcp, long address, long length) {
        try {
            return (int) (long) TCP_GETSOCKNAME.invokeExact(tcp, address, length, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tcpGetPeerName(long tcp, long address, long length) {
        try {
            return (int) (long) TCP_GETPEERNAME.invokeExact(tcp, address, length, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static boolean isReadable(long stream) {
        try {
            return (int) (long) IS_READABLE.invokeExact(stream, 0L, 0L, 0L, 0L) != 0;
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static boolean isWritable(long stream) {
        try {
            return (int) (long) IS_WRITABLE.invokeExact(stream, 0L, 0L, 0L, 0L) != 0;
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int pipeInit(long loop, long pipe, int ipc) {
        try {
            return (int) (long) PIPE_INIT.invokeExact(loop, pipe, (long) ipc, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int pipeOpen(long pipe, int descriptor) {
        try {
            return (int) (long) PIPE_OPEN.invokeExact(pipe, (long) descriptor, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** The callback comes in any case, in a later turn. Versions before 1.46 cut a path that is too long. */
    static void pipeConnect(long req, long pipe, long path, long callback) {
        try {
            long ignored = (long) PIPE_CONNECT.invokeExact(req, pipe, path, callback, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int ttyInit(long loop, long tty, int descriptor) {
        try {
            return (int) (long) TTY_INIT.invokeExact(loop, tty, (long) descriptor, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int ttySetMode(long tty, int mode) {
        try {
            return (int) (long) TTY_SET_MODE.invokeExact(tty, (long) mode, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** Any thread: gives the terminal the mode back that it had before the first change. */
    static int ttyResetMode() {
        try {
            return (int) (long) TTY_RESET_MODE.invokeExact(0L, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int ttyGetWinSize(long tty, long width, long height) {
        try {
            return (int) (long) TTY_GET_WINSIZE.invokeExact(tty, width, height, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    /** The type of handle that fits a descriptor. */
    static int guessHandle(int descriptor) {
        try {
            return (int) (long) GUESS_HANDLE.invokeExact((long) descriptor, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int udpInit(long loop, long udp, int family) {
        try {
            return (int) (long) UDP_INIT_EX.invokeExact(loop, udp, (long) family, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int udpBind(long udp, long address, int flags) {
        try {
            return (int) (long) UDP_BIND.invokeExact(udp, address, (long) flags, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int udpGetSockName(long udp, long address, long length) {
        try {
            return (int) (long) UDP_GETSOCKNAME.invokeExact(udp, address, length, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int readStart(long stream, long allocate, long read) {
        try {
            return (int) (long) READ_START.invokeExact(stream, allocate, read, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int readStop(long stream) {
        try {
            return (int) (long) READ_STOP.invokeExact(stream, 0L, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int tryWrite(long stream, long bufs, int count) {
        try {
            return (int) (long) TRY_WRITE.invokeExact(stream, bufs, (long) count, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int write(long req, long stream, long bufs, int count, long callback) {
        try {
            return (int) (long) WRITE.invokeExact(req, stream, bufs, (long) count, callback);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int shutdown(long req, long stream, long callback) {
        try {
            return (int) (long) SHUTDOWN.invokeExact(req, stream, callback, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int kill(int pid, int signal) {
        try {
            return (int) (long) KILL.invokeExact((long) pid, (long) signal, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static int osEnviron(long items, long count) {
        try {
            return (int) (long) OS_ENVIRON.invokeExact(items, count, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }

    static void osFreeEnviron(long items, int count) {
        try {
            long ignored = (long) OS_FREE_ENVIRON.invokeExact(items, (long) count, 0L, 0L, 0L);
        } catch (Throwable t) {
            throw Functions.rethrow(t);
        }
    }
}
