package org.trueasync.reactor.libuv;

/** Constants of the systems: of Linux, and of macOS (from its headers; not tried there yet). */
final class Platform {
    static final boolean MAC = System.getProperty("os.name", "").startsWith("Mac");

    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = MAC ? 30 : 10;
    static final int SOL_SOCKET = MAC ? 0xffff : 1;
    static final int SO_BROADCAST = MAC ? 0x20 : 6;
    static final int SO_REUSEPORT = MAC ? 0x200 : 15;
    static final int SOCK_STREAM = 1;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int AT_FDCWD = MAC ? -2 : -100;
    static final int AT_SYMLINK_NOFOLLOW = MAC ? 0x20 : 0x100;
    static final int F_SETFD = 2;
    static final int FD_CLOEXEC = 1;
    static final int F_DUPFD_CLOEXEC = MAC ? 67 : 1030;
    /** SOCK_NONBLOCK and SOCK_CLOEXEC of accept4, which macOS does not have. */
    static final int ACCEPT_FLAGS = 0x800 | 0x80000;

    static final int IPPROTO_IP = 0;
    static final int IPPROTO_TCP = 6;
    static final int IPPROTO_IPV6 = 41;
    static final int TCP_KEEPINTVL = MAC ? 0x101 : 5;
    static final int TCP_KEEPCNT = MAC ? 0x102 : 6;
    static final int IP_MULTICAST_IF = MAC ? 9 : 32;
    static final int IP_MULTICAST_TTL = MAC ? 10 : 33;
    static final int IP_MULTICAST_LOOP = MAC ? 11 : 34;
    static final int IPV6_MULTICAST_IF = MAC ? 9 : 17;
    static final int IPV6_MULTICAST_HOPS = MAC ? 10 : 18;
    static final int IPV6_MULTICAST_LOOP = MAC ? 11 : 19;
    static final int MCAST_JOIN_GROUP = MAC ? 80 : 42;
    static final int MCAST_LEAVE_GROUP = MAC ? 81 : 45;
    static final int MCAST_JOIN_SOURCE_GROUP = MAC ? 82 : 46;
    static final int MCAST_LEAVE_SOURCE_GROUP = MAC ? 83 : 47;
    /** Offset of the first address in group_req and group_source_req. */
    static final int GROUP_ADDRESS = MAC ? 4 : 8;

    /** Linux's. */
    static final int MSG_DONTWAIT = 0x40;

    /** Linux's. */
    static final int MSG_NOSIGNAL = 0x4000;

    static final int MSG_TRUNC = MAC ? 0x10 : 0x20;

    static final int O_CLOEXEC = MAC ? 0x1000000 : 0x80000;
    static final int O_RDWR = 2;
    static final int WNOHANG = 1;
    /** WEXITED and WNOWAIT of waitid. */
    static final int WAIT_WITHOUT_REAPING = 4 | (MAC ? 0x20 : 0x1000000);

    static final int P_PID = 1;
    static final int POSIX_SPAWN_SETSIGDEF = 4;
    static final int POSIX_SPAWN_SETSIGMASK = 8;
    /** Linux's numbers of system calls that older C libraries have no function for; the same on all processors. */
    static final int SYS_PIDFD_OPEN = 434;

    static final int SYS_CLOSE_RANGE = 436;
    static final int CLOSE_RANGE_CLOEXEC = 4;
    static final int SIGKILL = 9;

    static final int ESRCH = 3;
    static final int EINTR = 4;
    static final int EBADF = 9;
    static final int EAGAIN = MAC ? 35 : 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int EPIPE = 32;
    static final int EOPNOTSUPP = MAC ? 102 : 95;
    static final int ECONNABORTED = MAC ? 53 : 103;
    static final int EMSGSIZE = MAC ? 40 : 90;
    static final int ENOBUFS = MAC ? 55 : 105;
    static final int ENOSYS = MAC ? 78 : 38;
    static final int ECANCELED = MAC ? 89 : 125;
    static final int ENOTCONN = MAC ? 57 : 107;

    private Platform() {}
}
