package org.trueasync.io;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.trueasync.internal.text.LineSplitter;

/**
 * The exit status and the output of a command. Immutable, except for the arrays, which belong to the caller.
 *
 * <p>Any thread.
 *
 * @param exitCode 0 to 255; 128 + signal if a signal killed the child; -1 if other code in this process has reaped it
 * @param signal number of the signal that killed the child; 0 if none
 * @param out standard output; empty if it was redirected, or passed on by {@link Exec#lines}
 * @param err standard error; empty if it was redirected
 * @param truncated true if {@link Exec#truncateOutput} dropped a part of the output or of standard error
 */
@SuppressWarnings("ArrayRecordComponent") // the arrays are the content, and results are not compared
public record ExecResult(int exitCode, int signal, byte[] out, byte[] err, boolean truncated) {
    /** True if the child ended with 0. */
    public boolean isSuccess() {
        return exitCode == 0;
    }

    /** The output as UTF-8; malformed bytes become U+FFFD. */
    public String outText() {
        return new String(out, StandardCharsets.UTF_8);
    }

    /** Standard error as UTF-8; malformed bytes become U+FFFD. */
    public String errText() {
        return new String(err, StandardCharsets.UTF_8);
    }

    /**
     * The lines of the output, in UTF-8, without line ends and trailing white space. Empty lines and leading white
     * space stay. The last line need not end with a newline.
     */
    public List<String> outLines() {
        return LineSplitter.of(out);
    }

    /** The lines of standard error, as {@link #outLines}. */
    public List<String> errLines() {
        return LineSplitter.of(err);
    }

    @Override
    public String toString() {
        return "exit " + exitCode + (signal == 0 ? "" : " (signal " + signal + ")") + ", " + out.length
                + " bytes of output, " + err.length + " of errors" + (truncated ? ", truncated" : "");
    }
}
