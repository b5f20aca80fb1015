package org.trueasync.io;

import java.time.Duration;
import org.trueasync.AsyncTimeoutException;

/**
 * A child process did not end in time and was ended; what it had written until then is not lost.
 *
 * <p>Any thread.
 */
public final class ExecTimeoutException extends AsyncTimeoutException {
    private static final long serialVersionUID = 1;
    private final transient ExecResult soFar;

    /**
     * A command's time ran out.
     *
     * @param program its name
     * @param after the timeout
     * @param soFar what was captured
     */
    public ExecTimeoutException(String program, Duration after, ExecResult soFar) {
        super(
                after,
                program + " timed out after " + shown(after) + " and was ended; captured: " + soFar.out().length
                        + " bytes of output, " + soFar.err().length + " of errors");
        this.soFar = soFar;
    }

    /** What was captured until the end; the exit code is that of the child as it was ended, 0 if it has not been seen to end. */
    public ExecResult soFar() {
        return soFar;
    }
}
