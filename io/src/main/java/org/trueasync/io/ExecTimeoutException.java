package org.trueasync.io;

import java.time.Duration;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.internal.error.Lengths;

/**
 * A child process, or its output, did not end in time. The child was ended; its output until then is kept in
 * {@link #soFar()}.
 *
 * <p>Any thread.
 */
public final class ExecTimeoutException extends AsyncTimeoutException {
    private static final long serialVersionUID = 1;
    /*
     * The parts of the result, which is not serializable itself: the exception may travel to another process.
     */
    private final int exitCode;
    private final int signal;
    private final byte[] out;
    private final byte[] err;
    private final boolean truncated;

    /**
     * Creates an exception for a command whose time ran out.
     *
     * @param program the program's name
     * @param after the timeout
     * @param soFar the output that was captured
     */
    public ExecTimeoutException(String program, Duration after, ExecResult soFar) {
        super(
                after,
                program + " timed out after " + Lengths.shown(after) + " and was ended; captured: " + soFar.out().length
                        + " bytes of output, " + soFar.err().length + " of errors");
        this.exitCode = soFar.exitCode();
        this.signal = soFar.signal();
        this.out = soFar.out();
        this.err = soFar.err();
        this.truncated = soFar.truncated();
    }

    /** The output until the child was ended, and its exit code; that is 0 if the runtime has not seen the child end. */
    public ExecResult soFar() {
        return new ExecResult(exitCode, signal, out, err, truncated);
    }
}
