package org.trueasync.reactor.libuv;

import static org.trueasync.reactor.libuv.Functions.call;

import java.lang.invoke.MethodHandle;

/**
 * libuv's functions, one method each, in the order of its header. Pointers and {@code size_t} are {@code long}; results
 * below zero are errors, see {@link UvErrors}. The caller must know what may be called when: nothing is checked here,
 * and libuv aborts the process when it is misused.
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

    private static final MethodHandle VERSION = Functions.of("uv_version");
    private static final MethodHandle LOOP_SIZE = Functions.of("uv_loop_size");
    private static final MethodHandle HANDLE_SIZE = Functions.of("uv_handle_size");
    private static final MethodHandle REQ_SIZE = Functions.of("uv_req_size");
    private static final MethodHandle HANDLE_TYPE_NAME = Functions.of("uv_handle_type_name");
    private static final MethodHandle REQ_TYPE_NAME = Functions.of("uv_req_type_name");
    private static final MethodHandle HANDLE_SET_DATA = Functions.of("uv_handle_set_data");
    private static final MethodHandle REQ_SET_DATA = Functions.of("uv_req_set_data");
    private static final MethodHandle ERR_NAME_R = Functions.of("uv_err_name_r");
    private static final MethodHandle STRERROR_R = Functions.of("uv_strerror_r");
    private static final MethodHandle THREAD_SELF = Functions.trivial("uv_thread_self");
    private static final MethodHandle LOOP_INIT = Functions.of("uv_loop_init");
    private static final MethodHandle BACKEND_FD = Functions.of("uv_backend_fd");
    private static final MethodHandle LOOP_CLOSE = Functions.of("uv_loop_close");
    private static final MethodHandle RUN = Functions.of("uv_run");
    private static final MethodHandle UPDATE_TIME = Functions.trivial("uv_update_time");
    private static final MethodHandle CLOSE = Functions.of("uv_close");
    private static final MethodHandle ASYNC_INIT = Functions.of("uv_async_init");
    private static final MethodHandle ASYNC_SEND = Functions.of("uv_async_send");
    private static final MethodHandle TIMER_INIT = Functions.of("uv_timer_init");
    private static final MethodHandle TIMER_START = Functions.trivial("uv_timer_start");
    private static final MethodHandle TIMER_STOP = Functions.trivial("uv_timer_stop");
    private static final MethodHandle POLL_INIT = Functions.of("uv_poll_init");
    private static final MethodHandle POLL_START = Functions.of("uv_poll_start");
    private static final MethodHandle POLL_STOP = Functions.of("uv_poll_stop");
    private static final MethodHandle FS_EVENT_INIT = Functions.of("uv_fs_event_init");
    private static final MethodHandle FS_EVENT_START = Functions.of("uv_fs_event_start");
    private static final MethodHandle FILENO = Functions.of("uv_fileno");
    private static final MethodHandle TCP_INIT_EX = Functions.of("uv_tcp_init_ex");
    private static final MethodHandle TCP_OPEN = Functions.of("uv_tcp_open");
    private static final MethodHandle TCP_BIND = Functions.of("uv_tcp_bind");
    private static final MethodHandle TCP_CONNECT = Functions.of("uv_tcp_connect");
    private static final MethodHandle TCP_NODELAY = Functions.of("uv_tcp_nodelay");
    private static final MethodHandle TCP_KEEPALIVE = Functions.of("uv_tcp_keepalive");
    private static final MethodHandle TCP_GETSOCKNAME = Functions.of("uv_tcp_getsockname");
    private static final MethodHandle IS_READABLE = Functions.of("uv_is_readable");
    private static final MethodHandle IS_WRITABLE = Functions.of("uv_is_writable");
    private static final MethodHandle PIPE_INIT = Functions.of("uv_pipe_init");
    private static final MethodHandle PIPE_OPEN = Functions.of("uv_pipe_open");
    private static final MethodHandle PIPE_CONNECT = Functions.of("uv_pipe_connect");
    private static final MethodHandle TTY_INIT = Functions.of("uv_tty_init");
    private static final MethodHandle TTY_SET_MODE = Functions.of("uv_tty_set_mode");
    private static final MethodHandle TTY_RESET_MODE = Functions.of("uv_tty_reset_mode");
    private static final MethodHandle TTY_GET_WINSIZE = Functions.of("uv_tty_get_winsize");
    private static final MethodHandle GUESS_HANDLE = Functions.of("uv_guess_handle");
    private static final MethodHandle UDP_INIT_EX = Functions.of("uv_udp_init_ex");
    private static final MethodHandle UDP_BIND = Functions.of("uv_udp_bind");
    private static final MethodHandle UDP_GETSOCKNAME = Functions.of("uv_udp_getsockname");
    private static final MethodHandle READ_START = Functions.of("uv_read_start");
    private static final MethodHandle READ_STOP = Functions.of("uv_read_stop");
    private static final MethodHandle TRY_WRITE = Functions.of("uv_try_write");
    private static final MethodHandle WRITE = Functions.of("uv_write");
    private static final MethodHandle SHUTDOWN = Functions.of("uv_shutdown");

    private static final MethodHandle KILL = Functions.of("uv_kill");
    private static final MethodHandle OS_ENVIRON = Functions.of("uv_os_environ");
    private static final MethodHandle OS_FREE_ENVIRON = Functions.of("uv_os_free_environ");

    private Uv() {}

    static String handleTypeName(int type) {
        return NativeMemory.getString(handleTypeName0(type));
    }

    static String reqTypeName(int type) {
        return NativeMemory.getString(reqTypeName0(type));
    }

    static int version() {
        return (int) call(VERSION, 0, 0, 0, 0, 0);
    }

    static long loopSize() {
        return call(LOOP_SIZE, 0, 0, 0, 0, 0);
    }

    static long handleSize(int type) {
        return call(HANDLE_SIZE, type, 0, 0, 0, 0);
    }

    static long reqSize(int type) {
        return call(REQ_SIZE, type, 0, 0, 0, 0);
    }

    private static long handleTypeName0(int type) {
        return call(HANDLE_TYPE_NAME, type, 0, 0, 0, 0);
    }

    private static long reqTypeName0(int type) {
        return call(REQ_TYPE_NAME, type, 0, 0, 0, 0);
    }

    static void handleSetData(long handle, long data) {
        call(HANDLE_SET_DATA, handle, data, 0, 0, 0);
    }

    static void reqSetData(long req, long data) {
        call(REQ_SET_DATA, req, data, 0, 0, 0);
    }

    static long errName(int status, long text, long size) {
        return call(ERR_NAME_R, status, text, size, 0, 0);
    }

    static long strError(int status, long text, long size) {
        return call(STRERROR_R, status, text, size, 0, 0);
    }

    /** The identity of the platform thread that runs this, even if a virtual thread is mounted on it. */
    static long threadSelf() {
        return call(THREAD_SELF, 0, 0, 0, 0, 0);
    }

    static int loopInit(long loop) {
        return (int) call(LOOP_INIT, loop, 0, 0, 0, 0);
    }

    /** The descriptor with which the loop waits; -1 if it has none. */
    static int backendDescriptor(long loop) {
        return (int) call(BACKEND_FD, loop, 0, 0, 0, 0);
    }

    static int loopClose(long loop) {
        return (int) call(LOOP_CLOSE, loop, 0, 0, 0, 0);
    }

    /**
     * Runs one turn, with its callbacks; in libuv's default mode, turns until no handle is open. Must not be called
     * inside another turn.
     */
    static int run(long loop, int mode) {
        return (int) call(RUN, loop, mode, 0, 0, 0);
    }

    static void updateTime(long loop) {
        call(UPDATE_TIME, loop, 0, 0, 0, 0);
    }

    /** Closes a handle; must be called only once: a second call aborts the process. */
    static void close(long handle, long callback) {
        call(CLOSE, handle, callback, 0, 0, 0);
    }

    static int asyncInit(long loop, long async, long callback) {
        return (int) call(ASYNC_INIT, loop, async, callback, 0, 0);
    }

    /** Wakes the loop. Any thread; all other functions that take a loop or a handle are for the loop thread. */
    static int asyncSend(long async) {
        return (int) call(ASYNC_SEND, async, 0, 0, 0, 0);
    }

    static int timerInit(long loop, long timer) {
        return (int) call(TIMER_INIT, loop, timer, 0, 0, 0);
    }

    static int timerStart(long timer, long callback, long timeout, long repeat) {
        return (int) call(TIMER_START, timer, callback, timeout, repeat, 0);
    }

    static int timerStop(long timer) {
        return (int) call(TIMER_STOP, timer, 0, 0, 0, 0);
    }

    static int pollInit(long loop, long poll, int descriptor) {
        return (int) call(POLL_INIT, loop, poll, descriptor, 0, 0);
    }

    static int pollStart(long poll, int events, long callback) {
        return (int) call(POLL_START, poll, events, callback, 0, 0);
    }

    static int pollStop(long poll) {
        return (int) call(POLL_STOP, poll, 0, 0, 0, 0);
    }

    static int fsEventInit(long loop, long event) {
        return (int) call(FS_EVENT_INIT, loop, event, 0, 0, 0);
    }

    static int fsEventStart(long event, long callback, long path) {
        return (int) call(FS_EVENT_START, event, callback, path, 0, 0);
    }

    static int fileno(long handle, long descriptor) {
        return (int) call(FILENO, handle, descriptor, 0, 0, 0);
    }

    static int tcpInit(long loop, long tcp, int family) {
        return (int) call(TCP_INIT_EX, loop, tcp, family, 0, 0);
    }

    static int tcpOpen(long tcp, int socket) {
        return (int) call(TCP_OPEN, tcp, socket, 0, 0, 0);
    }

    static int tcpBind(long tcp, long address, int flags) {
        return (int) call(TCP_BIND, tcp, address, flags, 0, 0);
    }

    static int tcpConnect(long req, long tcp, long address, long callback) {
        return (int) call(TCP_CONNECT, req, tcp, address, callback, 0);
    }

    static int tcpNoDelay(long tcp, int enable) {
        return (int) call(TCP_NODELAY, tcp, enable, 0, 0, 0);
    }

    static int tcpKeepAlive(long tcp, int enable, int seconds) {
        return (int) call(TCP_KEEPALIVE, tcp, enable, seconds, 0, 0);
    }

    static int tcpGetSockName(long tcp, long address, long length) {
        return (int) call(TCP_GETSOCKNAME, tcp, address, length, 0, 0);
    }

    static boolean isReadable(long stream) {
        return (int) call(IS_READABLE, stream, 0, 0, 0, 0) != 0;
    }

    static boolean isWritable(long stream) {
        return (int) call(IS_WRITABLE, stream, 0, 0, 0, 0) != 0;
    }

    static int pipeInit(long loop, long pipe, int ipc) {
        return (int) call(PIPE_INIT, loop, pipe, ipc, 0, 0);
    }

    static int pipeOpen(long pipe, int descriptor) {
        return (int) call(PIPE_OPEN, pipe, descriptor, 0, 0, 0);
    }

    /** The callback is always called, in a later turn. Versions before 1.46 cut a path that is too long. */
    static void pipeConnect(long req, long pipe, long path, long callback) {
        call(PIPE_CONNECT, req, pipe, path, callback, 0);
    }

    static int ttyInit(long loop, long tty, int descriptor) {
        return (int) call(TTY_INIT, loop, tty, descriptor, 0, 0);
    }

    static int ttySetMode(long tty, int mode) {
        return (int) call(TTY_SET_MODE, tty, mode, 0, 0, 0);
    }

    /** Restores the mode that the terminal had before the first change. Any thread. */
    static int ttyResetMode() {
        return (int) call(TTY_RESET_MODE, 0, 0, 0, 0, 0);
    }

    static int ttyGetWinSize(long tty, long width, long height) {
        return (int) call(TTY_GET_WINSIZE, tty, width, height, 0, 0);
    }

    /** Returns the type of handle that fits a descriptor. */
    static int guessHandle(int descriptor) {
        return (int) call(GUESS_HANDLE, descriptor, 0, 0, 0, 0);
    }

    static int udpInit(long loop, long udp, int family) {
        return (int) call(UDP_INIT_EX, loop, udp, family, 0, 0);
    }

    static int udpBind(long udp, long address, int flags) {
        return (int) call(UDP_BIND, udp, address, flags, 0, 0);
    }

    static int udpGetSockName(long udp, long address, long length) {
        return (int) call(UDP_GETSOCKNAME, udp, address, length, 0, 0);
    }

    static int readStart(long stream, long allocate, long read) {
        return (int) call(READ_START, stream, allocate, read, 0, 0);
    }

    static int readStop(long stream) {
        return (int) call(READ_STOP, stream, 0, 0, 0, 0);
    }

    static int tryWrite(long stream, long bufs, int count) {
        return (int) call(TRY_WRITE, stream, bufs, count, 0, 0);
    }

    static int write(long req, long stream, long bufs, int count, long callback) {
        return (int) call(WRITE, req, stream, bufs, count, callback);
    }

    static int shutdown(long req, long stream, long callback) {
        return (int) call(SHUTDOWN, req, stream, callback, 0, 0);
    }

    static int kill(int pid, int signal) {
        return (int) call(KILL, pid, signal, 0, 0, 0);
    }

    static int osEnviron(long items, long count) {
        return (int) call(OS_ENVIRON, items, count, 0, 0, 0);
    }

    static void osFreeEnviron(long items, int count) {
        call(OS_FREE_ENVIRON, items, count, 0, 0, 0);
    }
}
