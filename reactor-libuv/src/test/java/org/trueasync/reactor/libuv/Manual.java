package org.trueasync.reactor.libuv;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.trueasync.faults.CallFaults;

/**
 * What the manuals say about the native functions that the reactor uses: the errors of each, or why it has none. Left
 * out everywhere is EFAULT, which is a bug of the caller that would crash a JVM as well.
 *
 * @param how a failure is returned
 * @param errors that the manual names
 * @param not why no error is tried; empty if errors are
 */
record Manual(How how, List<CallFaults.Error> errors, String not) {
    /** How a function returns an error. */
    enum How {
        /** libuv: a negative errno. */
        NEGATIVE,
        /** The C library: -1, and {@code errno}. */
        MINUS_ONE,
        /** {@code posix_spawn} and its helpers: a positive errno. */
        POSITIVE,
        /** {@code malloc}: null. */
        NULL
    }

    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("EPERM", 1),
            Map.entry("ENOENT", 2),
            Map.entry("ESRCH", 3),
            Map.entry("EINTR", 4),
            Map.entry("EIO", 5),
            Map.entry("ENXIO", 6),
            Map.entry("E2BIG", 7),
            Map.entry("ENOEXEC", 8),
            Map.entry("EBADF", 9),
            Map.entry("ECHILD", 10),
            Map.entry("EAGAIN", 11),
            Map.entry("ENOMEM", 12),
            Map.entry("EACCES", 13),
            Map.entry("EBUSY", 16),
            Map.entry("EEXIST", 17),
            Map.entry("ENODEV", 19),
            Map.entry("ENOTDIR", 20),
            Map.entry("EISDIR", 21),
            Map.entry("EINVAL", 22),
            Map.entry("ENFILE", 23),
            Map.entry("EMFILE", 24),
            Map.entry("ENOTTY", 25),
            Map.entry("ETXTBSY", 26),
            Map.entry("EFBIG", 27),
            Map.entry("ENOSPC", 28),
            Map.entry("ESPIPE", 29),
            Map.entry("EROFS", 30),
            Map.entry("EPIPE", 32),
            Map.entry("EDEADLK", 35),
            Map.entry("ENAMETOOLONG", 36),
            Map.entry("ENOLCK", 37),
            Map.entry("ENOSYS", 38),
            Map.entry("ELOOP", 40),
            Map.entry("ENONET", 64),
            Map.entry("EPROTO", 71),
            Map.entry("EOVERFLOW", 75),
            Map.entry("ENOTSOCK", 88),
            Map.entry("EDESTADDRREQ", 89),
            Map.entry("EMSGSIZE", 90),
            Map.entry("ENOPROTOOPT", 92),
            Map.entry("EOPNOTSUPP", 95),
            Map.entry("EAFNOSUPPORT", 97),
            Map.entry("EADDRINUSE", 98),
            Map.entry("EADDRNOTAVAIL", 99),
            Map.entry("ENETDOWN", 100),
            Map.entry("ENETUNREACH", 101),
            Map.entry("ECONNABORTED", 103),
            Map.entry("ECONNRESET", 104),
            Map.entry("ENOBUFS", 105),
            Map.entry("EISCONN", 106),
            Map.entry("ENOTCONN", 107),
            Map.entry("ETIMEDOUT", 110),
            Map.entry("ECONNREFUSED", 111),
            Map.entry("EHOSTDOWN", 112),
            Map.entry("EHOSTUNREACH", 113),
            Map.entry("EALREADY", 114),
            Map.entry("EDQUOT", 122));

    private static final Map<String, Manual> ALL = new TreeMap<>();

    /** Of an eventfd: the number is as large as it can be, so it is readable; or it is 0. */
    private static final List<CallFaults.Error> FULL = List.of(error("EAGAIN+"));

    private static final List<CallFaults.Error> NOT_SET = List.of(error("EAGAIN"));

    private static final String NO_RESULT = "returns nothing, or nothing that can be an error";

    static {
        none(
                NO_RESULT,
                "uv_version uv_loop_size uv_handle_size uv_req_size uv_handle_type_name uv_req_type_name",
                "uv_handle_set_data uv_req_set_data uv_err_name_r uv_strerror_r uv_thread_self uv_backend_fd uv_run",
                "uv_update_time uv_close uv_is_readable uv_is_writable uv_pipe_connect uv_guess_handle",
                "uv_os_free_environ free umask posix_spawn_file_actions_destroy posix_spawnattr_destroy");
        none(
                "always 0, as its source says and the manual does not deny",
                "uv_poll_stop uv_read_stop uv_timer_init uv_timer_stop");
        none("fails without a callback or on a closing handle only, which would be a bug", "uv_timer_start");
        none("fails for a number that is no signal, or a wrong flag, only", "sigfillset sigemptyset");
        none("fails for a wrong flag only", "posix_spawnattr_setflags");
        none(
                "fails for an attribute that is not initialised only",
                "posix_spawnattr_setsigdefault posix_spawnattr_setsigmask");
        none("EBUSY only, while handles are open: a bug, which is reported as one", "uv_loop_close");
        none("not called on Linux: the bell is an eventfd", "uv_async_init uv_async_send");

        libuv("uv_loop_init", "ENOMEM EMFILE ENFILE");
        libuv("uv_poll_init", "EPERM ENOMEM ENOSPC EEXIST EBADF");
        libuv("uv_poll_start", "EINVAL EBADF ENOMEM");
        libuv("uv_fs_event_init", "ENOSYS");
        libuv("uv_fs_event_start", "EMFILE ENFILE ENOMEM ENOSPC EACCES ENOENT ENOTDIR EINVAL");
        libuv("uv_fileno", "EBADF EINVAL");
        libuv("uv_tcp_init_ex", "EMFILE ENFILE ENOBUFS ENOMEM EACCES EAFNOSUPPORT EINVAL");
        libuv("uv_tcp_open", "EEXIST EBADF EINVAL ENOTSOCK");
        libuv("uv_tcp_bind", "EACCES EADDRINUSE EADDRNOTAVAIL EINVAL ENOMEM");
        libuv("uv_tcp_connect", "EMFILE ENFILE ENOBUFS EADDRNOTAVAIL ENETUNREACH EACCES EPERM EAGAIN EALREADY EINVAL");
        libuv("uv_tcp_nodelay", "EBADF EINVAL ENOPROTOOPT ENOBUFS");
        libuv("uv_tcp_keepalive", "EBADF EINVAL ENOPROTOOPT ENOBUFS");
        libuv("uv_tcp_getsockname", "EBADF EINVAL ENOBUFS");
        libuv("uv_pipe_init", "ENOMEM");
        libuv("uv_pipe_open", "EEXIST EBADF EINVAL");
        libuv("uv_tty_init", "EINVAL EBADF EIO EMFILE");
        libuv("uv_tty_set_mode", "EIO ENOTTY EBADF");
        libuv("uv_tty_reset_mode", "EBUSY");
        libuv("uv_tty_get_winsize", "EBADF ENOTTY EIO");
        libuv("uv_udp_init_ex", "EMFILE ENFILE ENOMEM ENOBUFS EAFNOSUPPORT EINVAL");
        libuv("uv_udp_bind", "EACCES EADDRINUSE EADDRNOTAVAIL EINVAL EALREADY");
        libuv("uv_udp_getsockname", "EBADF EINVAL ENOBUFS");
        libuv("uv_read_start", "EALREADY ENOTCONN EINVAL");
        libuv("uv_try_write", "EAGAIN EBADF ECONNRESET EPIPE EIO ENOMEM ETIMEDOUT");
        libuv("uv_write", "EBADF ENOMEM EPIPE");
        libuv("uv_shutdown", "ENOTCONN");
        libuv("uv_kill", "EINVAL EPERM ESRCH");
        libuv("uv_os_environ", "ENOMEM");
        libuv("uv_signal_init", "ENOMEM");
        libuv("uv_signal_start", "EINVAL ENOMEM");

        system(
                "accept4",
                "EINTR ECONNABORTED EMFILE ENFILE ENOBUFS ENOMEM EPERM EPROTO ENETDOWN ENOPROTOOPT EHOSTDOWN"
                        + " ENONET EHOSTUNREACH ENETUNREACH EOPNOTSUPP EINVAL EBADF");
        system("bind", "EACCES EADDRINUSE EADDRNOTAVAIL EINVAL ELOOP ENAMETOOLONG ENOENT ENOMEM ENOTDIR EROFS");
        system("close", "EBADF+ EINTR+ EIO+ ENOSPC+ EDQUOT+");
        system("connect", "EACCES EPERM EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN ECONNREFUSED EINTR ENETUNREACH");
        system("dup", "EBADF EMFILE");
        system("epoll_create1", "EMFILE ENFILE ENOMEM");
        system("epoll_ctl", "EBADF EEXIST EINVAL ENOMEM ENOSPC EPERM");
        system("epoll_wait", "EINTR");
        system("eventfd", "EMFILE ENFILE ENODEV ENOMEM");
        system("fchmod", "EBADF EIO EPERM EROFS");
        system("fchmodat", "EACCES EIO ELOOP ENAMETOOLONG ENOENT ENOMEM ENOTDIR EPERM EROFS EOPNOTSUPP");
        system("fcntl", "EACCES EAGAIN EBADF EDEADLK EINTR EINVAL EMFILE ENOLCK EPERM");
        system("fdatasync", "EBADF EINTR EIO ENOSPC EROFS EINVAL EDQUOT");
        system("fstatfs", "EBADF EINTR EIO ENOMEM ENOSYS EOVERFLOW");
        system("fsync", "EBADF EINTR EIO ENOSPC EROFS EINVAL EDQUOT");
        system("ftruncate", "EFBIG EINTR EINVAL EIO EPERM EROFS ETXTBSY EBADF");
        system("ioctl", "EBADF EINVAL ENOTTY");
        system("listen", "EADDRINUSE EBADF ENOTSOCK EOPNOTSUPP");
        system(
                "open",
                "EACCES EBUSY EDQUOT EEXIST EINTR EINVAL EISDIR ELOOP EMFILE ENAMETOOLONG ENFILE ENODEV ENOENT"
                        + " ENOMEM ENOSPC ENOTDIR ENXIO EOPNOTSUPP EOVERFLOW EPERM EROFS ETXTBSY");
        system("pipe2", "EMFILE ENFILE EINVAL");
        system("poll", "EINTR EINVAL ENOMEM");
        system("pread", "EBADF EINTR EINVAL EIO EISDIR ENXIO EOVERFLOW ESPIPE");
        system("preadv2", "EAGAIN EBADF EINTR EINVAL EIO EISDIR EOPNOTSUPP ENXIO EOVERFLOW ESPIPE");
        system("pwrite", "EBADF EDQUOT EFBIG EINTR EINVAL EIO ENOSPC EPERM EPIPE ENXIO ESPIPE");
        system("pwritev2", "EAGAIN EBADF EDQUOT EFBIG EINTR EINVAL EIO ENOSPC EOPNOTSUPP EPERM ESPIPE");
        system("read", "EAGAIN EBADF EINTR EINVAL EIO EISDIR");
        system("recv", "EBADF ECONNREFUSED ECONNRESET EINTR EINVAL ENOMEM ENOTCONN ENOTSOCK ETIMEDOUT");
        system("recvfrom", "EAGAIN EBADF ECONNREFUSED EINTR EINVAL ENOMEM ENOTCONN ENOTSOCK");
        system("sched_getaffinity", "EINVAL ESRCH");
        system("sched_setaffinity", "EINVAL EPERM ESRCH");
        system(
                "send",
                "EACCES EAGAIN EBADF ECONNRESET EINTR EINVAL EISCONN EMSGSIZE ENOBUFS ENOMEM ENOTCONN ENOTSOCK"
                        + " EPIPE ETIMEDOUT");
        system("sendfile", "EAGAIN EBADF EINTR EINVAL EIO ENOMEM ENOSYS EOVERFLOW ESPIPE EPIPE ECONNRESET");
        system(
                "sendto",
                "EACCES EAGAIN EALREADY EBADF ECONNREFUSED ECONNRESET EDESTADDRREQ EINTR EINVAL EISCONN"
                        + " EMSGSIZE ENOBUFS ENOMEM ENETUNREACH EHOSTUNREACH ENOTCONN ENOTSOCK EOPNOTSUPP EPIPE EPERM");
        system("setsockopt", "EBADF EINVAL ENOPROTOOPT ENOTSOCK ENODEV EADDRINUSE ENOBUFS ENOMEM EADDRNOTAVAIL");
        system("sigaction", "EINVAL");
        system("socket", "EACCES EAFNOSUPPORT EINVAL EMFILE ENFILE ENOBUFS ENOMEM");
        system("statx", "EACCES EBADF EINVAL ELOOP ENAMETOOLONG ENOENT ENOMEM ENOTDIR EIO EINTR");
        system("syscall", "EINVAL EMFILE ENFILE ENODEV ENOMEM ESRCH ENOSYS EPERM");
        system("unlink", "EACCES EBUSY EIO EISDIR ELOOP ENAMETOOLONG ENOENT ENOMEM ENOTDIR EPERM EROFS");
        system("waitid", "ECHILD EINTR EINVAL");
        system("waitpid", "ECHILD EINTR EINVAL");
        system("write", "EAGAIN EBADF EDQUOT EFBIG EINTR EINVAL EIO ENOSPC EPERM EPIPE");

        spawn("posix_spawn_file_actions_init", "ENOMEM");
        spawn("posix_spawnattr_init", "ENOMEM");
        spawn("posix_spawn_file_actions_adddup2", "EBADF ENOMEM");
        spawn("posix_spawn_file_actions_addopen", "EBADF ENOMEM");
        spawn("posix_spawn_file_actions_addchdir_np", "ENOMEM");
        spawn("posix_spawn_file_actions_addclosefrom_np", "EBADF ENOMEM");
        spawn(
                "posix_spawn",
                "EAGAIN ENOMEM ENOSYS E2BIG EACCES EINVAL EIO EISDIR ELOOP EMFILE ENAMETOOLONG ENFILE"
                        + " ENOENT ENOEXEC ENOTDIR EPERM ETXTBSY");
        add("malloc", How.NULL, "ENOMEM");
    }

    private static void none(String why, String... names) {
        for (String line : names)
            for (String name : line.split(" ")) ALL.put(name, new Manual(How.NEGATIVE, List.of(), why));
    }

    private static void libuv(String name, String errors) {
        add(name, How.NEGATIVE, errors);
    }

    private static void system(String name, String errors) {
        add(name, How.MINUS_ONE, errors);
    }

    private static void spawn(String name, String errors) {
        add(name, How.POSITIVE, errors);
    }

    private static void add(String name, How how, String errors) {
        ALL.put(
                name,
                new Manual(
                        how, Arrays.stream(errors.split(" ")).map(Manual::error).toList(), ""));
    }

    private static CallFaults.Error error(String text) {
        String name = text.replace("+", "");
        return new CallFaults.Error(name, NUMBERS.get(name), text.endsWith("+"));
    }

    /** What is known of a function. */
    static Manual of(String function) {
        Manual found = ALL.get(function);
        if (found == null) throw new AssertionError("the table has no line for " + function);
        return found;
    }

    /** The errors to try at a site. */
    static List<CallFaults.Error> errorsAt(CallFaults.Site site) {
        if (site.path().contains("EventBell.ring:") || site.path().contains("FileCalls.signal:")) return FULL;
        if (site.path().contains("EventBell.rung:") || site.path().contains("FileCalls.quieten:")) return NOT_SET;
        List<CallFaults.Error> errors = of(site.function()).errors;
        // called without errno: one error is like another
        return site.path().startsWith("Libc.") ? errors.stream().limit(1).toList() : errors;
    }

    /** All functions of the table. */
    static Set<String> functions() {
        return new TreeSet<>(ALL.keySet());
    }

    /** What a function returns that fails so, without the {@code errno} of the C library. */
    long result(CallFaults.Error error) {
        return switch (how) {
            case NEGATIVE -> -error.number();
            case MINUS_ONE -> -1;
            case POSITIVE -> error.number();
            case NULL -> 0;
        };
    }
}
