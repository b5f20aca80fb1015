package org.trueasync.internal.inspect;

/**
 * How the command and a process talk: one line from the command, then lines from the process.
 *
 * <pre>
 *  trueasync-inspect 1 tree --all       the version, what is asked, options
 *  trueasync-inspect 1 ok               or: error, and what is wrong
 *  ...                                  the answer
 *  trueasync-inspect end                missing if the process has ended meanwhile
 * </pre>
 */
public final class Protocol {
    /** Goes up with each change that the other side must know of. */
    public static final int VERSION = 1;

    /** Begins the first line of either side. */
    public static final String NAME = "trueasync-inspect";

    /** The last line. */
    public static final String END = NAME + " end";

    private Protocol() {}
}
