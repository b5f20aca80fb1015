package org.trueasync.launcher;

/** The exit statuses of the launcher. Any other status comes from the program or, as 128 + n, from signal n. */
final class Exit {
    /** The command has done what it was asked for. */
    static final int OK = 0;

    /** The program failed: an unhandled error, a deadlock, or a source file that does not compile. */
    static final int FAILED = 1;

    /** The program was not started: something is wrong with the command line, the machine or the JVM's flags. */
    static final int USAGE = 2;

    private Exit() {}
}
