package org.trueasync.launcher;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answers of a process to the standard output. {@code System.out} would keep it to itself that a disk is
 * full, and would have a process tell all of a million coroutines to a reader who has gone.
 */
final class AnswerOutput {
    private final Writer out;

    /**
     * Makes one.
     *
     * @param isJson then it is UTF-8, whatever the terminal has
     */
    AnswerOutput(boolean isJson) {
        Charset encoding = isJson
                ? StandardCharsets.UTF_8
                : Charset.forName(System.getProperty(
                        "stdout.encoding", Charset.defaultCharset().name()));
        out = new BufferedWriter(new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), encoding), 1 << 16);
    }

    /**
     * Asks a process, and writes its answer.
     *
     * @return false if whoever reads has gone
     * @throws UsageException if it refuses to answer, or the answer can't be written
     */
    boolean ask(Path socket, String question, String head) throws UsageException, Question.Ended {
        try {
            try {
                out.write(head);
                Question.ask(socket, question, this::line);
            } finally {
                out.flush();
            }
            return true;
        } catch (IOException e) {
            return gone(e);
        } catch (UncheckedIOException e) {
            return gone(e.getCause());
        }
    }

    private void line(String line) {
        try {
            out.write(line);
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As of {@code head}, which has enough: no error. */
    static boolean isOfAReaderGone(@Nullable Throwable e) {
        return e != null && String.valueOf(e.getMessage()).contains("Broken pipe");
    }

    private static boolean gone(@Nullable Throwable e) throws UsageException {
        if (isOfAReaderGone(e)) return false;
        throw new UsageException("can't write the answer: " + e);
    }
}
