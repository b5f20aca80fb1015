package org.trueasync.io;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.trueasync.internal.text.LineSplitter;

/**
 * How a command ended, and what it wrote. Immutable, but for the arrays, which belong to the caller.
 *
 * <p>Any thread.
 *
 * @param exitCode 0 to 255; 128 + signal if one killed it
 * @param signal which signal killed it, by number; 0 if none
 * @param out its output; empty if that went elsewhere
 * @param err its errors; empty if they went elsewhere
 * @param truncated true if {@link Exec#truncateOutput} dropped some of either
 */
@SuppressWarnings("ArrayRecordComponent") // the arrays are the content, and nobody compares two results
public record ExecResult(int exitCode, int signal, byte[] out, byte[] err, boolean truncated) {
    /** True if it ended with 0. */
    public boolean isSuccess() {
        return exitCode == 0;
    }

    /** The output as UTF-8; what is malformed shows as U+FFFD. */
    public String outText() {
        return outText(StandardCharsets.UTF_8);
    }

    /**
     * The output in another character set.
     *
     * @param charset which
     */
    public String outText(Charset charset) {
        return new String(out, charset);
    }

    /** The errors as UTF-8; what is malformed shows as U+FFFD. */
    public String errText() {
        return errText(StandardCharsets.UTF_8);
    }

    /**
     * The errors in another character set.
     *
     * @param charset which
     */
    public String errText(Charset charset) {
        return new String(err, charset);
    }

    /**
     * The lines of the output, in UTF-8: without their ends and trailing white space, with empty lines and leading white space; the last one
     * counts without a newline too.
     */
    public List<String> outLines() {
        return LineSplitter.of(out);
    }

    /** The lines of the errors, as {@link #outLines}. */
    public List<String> errLines() {
        return LineSplitter.of(err);
    }

    @Override
    public String toString() {
        return "exit " + exitCode + (signal == 0 ? "" : " (signal " + signal + ")") + ", " + out.length
                + " bytes of output, " + err.length + " of errors" + (truncated ? ", truncated" : "");
    }
}
