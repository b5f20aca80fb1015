package org.trueasync.io;

/**
 * The signals that Linux and macOS know both.
 *
 * <p>Any thread.
 */
public enum Signal {
    /** The terminal was closed; for daemons by custom: read the settings again. */
    SIGHUP(1, 1),
    /** Ctrl-C. */
    SIGINT(2, 2),
    /** Ctrl-\. */
    SIGQUIT(3, 3),
    /** An instruction that the processor does not know. */
    SIGILL(4, 4),
    /** For debuggers. */
    SIGTRAP(5, 5),
    /** The process gave up. */
    SIGABRT(6, 6),
    /** A memory access that the hardware refuses. */
    SIGBUS(7, 10),
    /** An arithmetic error. */
    SIGFPE(8, 8),
    /** Ends a process for certain. */
    SIGKILL(9, 9),
    /** For users. */
    SIGUSR1(10, 30),
    /** A memory access that is not allowed. */
    SIGSEGV(11, 11),
    /** For users. */
    SIGUSR2(12, 31),
    /** A write that nobody can read. */
    SIGPIPE(13, 13),
    /** An alarm clock. */
    SIGALRM(14, 14),
    /** Asks a process to end. */
    SIGTERM(15, 15),
    /** A child has ended or stopped. */
    SIGCHLD(17, 20),
    /** A stopped process goes on. */
    SIGCONT(18, 19),
    /** Stops a process for certain. */
    SIGSTOP(19, 17),
    /** Ctrl-Z. */
    SIGTSTP(20, 18),
    /** A background process wants to read from the terminal. */
    SIGTTIN(21, 21),
    /** A background process wants to write to the terminal. */
    SIGTTOU(22, 22),
    /** Urgent data on a socket. */
    SIGURG(23, 16),
    /** The limit of processor time was reached. */
    SIGXCPU(24, 24),
    /** The limit of file size was reached. */
    SIGXFSZ(25, 25),
    /** An alarm clock of processor time. */
    SIGVTALRM(26, 26),
    /** An alarm clock for profilers. */
    SIGPROF(27, 27),
    /** The terminal has another size. */
    SIGWINCH(28, 28),
    /** A descriptor is ready. */
    SIGIO(29, 23),
    /** A system call that does not exist. */
    SIGSYS(31, 12);

    private static final boolean MAC = System.getProperty("os.name", "").startsWith("Mac");

    private final int onLinux;
    private final int onMac;

    Signal(int onLinux, int onMac) {
        this.onLinux = onLinux;
        this.onMac = onMac;
    }

    /** Its number on this system. */
    public int number() {
        return MAC ? onMac : onLinux;
    }

    /**
     * The signal with a number.
     *
     * @param number as on this system
     * @throws IllegalArgumentException if there is none
     */
    public static Signal of(int number) {
        for (Signal signal : values()) if (signal.number() == number) return signal;
        throw new IllegalArgumentException("no signal has the number " + number);
    }
}
