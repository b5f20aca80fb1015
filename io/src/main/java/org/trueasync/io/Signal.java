package org.trueasync.io;

/**
 * The signals that both Linux and macOS have.
 *
 * <p>Any thread.
 */
public enum Signal {
    /** The terminal was closed; daemons usually take it as a request to reload their settings. */
    SIGHUP(1, 1),
    /** Ctrl-C. */
    SIGINT(2, 2),
    /** Ctrl-\. */
    SIGQUIT(3, 3),
    /** An illegal instruction. */
    SIGILL(4, 4),
    /** For debuggers. */
    SIGTRAP(5, 5),
    /** The process aborted itself. */
    SIGABRT(6, 6),
    /** A memory access that the hardware refuses. */
    SIGBUS(7, 10),
    /** An arithmetic error. */
    SIGFPE(8, 8),
    /** Ends a process; can't be caught. */
    SIGKILL(9, 9),
    /** Free for applications. */
    SIGUSR1(10, 30),
    /** A memory access that is not allowed. */
    SIGSEGV(11, 11),
    /** Free for applications. */
    SIGUSR2(12, 31),
    /** A write to a pipe without a reader. */
    SIGPIPE(13, 13),
    /** A timer has expired. */
    SIGALRM(14, 14),
    /** Asks a process to end. */
    SIGTERM(15, 15),
    /** A child has ended or stopped. */
    SIGCHLD(17, 20),
    /** A stopped process goes on. */
    SIGCONT(18, 19),
    /** Stops a process; can't be caught. */
    SIGSTOP(19, 17),
    /** Ctrl-Z. */
    SIGTSTP(20, 18),
    /** A background process wants to read from the terminal. */
    SIGTTIN(21, 21),
    /** A background process wants to write to the terminal. */
    SIGTTOU(22, 22),
    /** A socket has urgent data. */
    SIGURG(23, 16),
    /** The process has reached its limit of processor time. */
    SIGXCPU(24, 24),
    /** A file has reached the size limit. */
    SIGXFSZ(25, 25),
    /** A timer of processor time has expired. */
    SIGVTALRM(26, 26),
    /** A profiling timer has expired. */
    SIGPROF(27, 27),
    /** The terminal's size has changed. */
    SIGWINCH(28, 28),
    /** A descriptor is ready. */
    SIGIO(29, 23),
    /** An unknown system call. */
    SIGSYS(31, 12);

    private static final boolean MAC = System.getProperty("os.name", "").startsWith("Mac");

    private final int onLinux;
    private final int onMac;

    Signal(int onLinux, int onMac) {
        this.onLinux = onLinux;
        this.onMac = onMac;
    }

    /** The signal's number on this system. */
    public int number() {
        return MAC ? onMac : onLinux;
    }

    /**
     * Returns the signal with a number.
     *
     * @param number as on this system
     * @throws IllegalArgumentException if there is none
     */
    public static Signal of(int number) {
        for (Signal signal : values()) if (signal.number() == number) return signal;
        throw new IllegalArgumentException("no signal has the number " + number);
    }
}
