package org.trueasync.internal.run;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Passes on in one piece what each call prints, and holds no lock meanwhile, so that {@link #emit} may suspend the
 * coroutine. The JDK's own stream holds a monitor. A coroutine that waited while it holds the monitor would keep all
 * others out, also those that can't leave the loop thread while they wait.
 *
 * <p>As with the JDK's stream, nothing that is printed throws, and a pair of surrogates may be printed by two calls.
 * Single bytes written are kept until a line ends, 128 of them are there, or anything else is printed, written or
 * flushed. Any thread.
 */
public abstract class UnlockedPrintStream extends PrintStream {
    private static final int MAX_SINGLES = 128;

    private final Object state = new Object();

    // Guarded by state.
    private final byte[] singles = new byte[MAX_SINGLES];
    private int singlesCount;
    private char highSurrogate;
    private boolean closed;

    /**
     * Creates an open stream.
     *
     * @param charset the charset of the bytes that {@link #emit} gets
     */
    protected UnlockedPrintStream(Charset charset) {
        super(OutputStream.nullOutputStream(), false, charset);
    }

    /** Writes all of these bytes. Any thread; several may call it at once. */
    protected abstract void emit(byte[] bytes, int offset, int length) throws IOException;

    /** Called once, when the stream is closed. */
    protected abstract void end() throws IOException;

    private void handOn(byte[] bytes, int offset, int length) {
        try {
            byte[] before = takeSingles();
            if (before == null) {
                if (length > 0) emit(bytes, offset, length);
                return;
            }
            byte[] all = Arrays.copyOf(before, before.length + length);
            System.arraycopy(bytes, offset, all, before.length, length);
            emit(all, 0, all.length);
        } catch (InterruptedIOException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            setError();
        }
    }

    private byte @Nullable [] takeSingles() throws IOException {
        synchronized (state) {
            int count = singlesCount;
            singlesCount = 0;
            if (closed) throw new IOException("Stream closed");
            return count == 0 ? null : Arrays.copyOf(singles, count);
        }
    }

    private void text(String text) {
        byte[] bytes = withWholeCharacters(text).getBytes(charset());
        handOn(bytes, 0, bytes.length);
    }

    private String withWholeCharacters(String text) {
        synchronized (state) {
            String whole = highSurrogate == 0 ? text : highSurrogate + text;
            int end = whole.length();
            boolean cut = end > 0 && Character.isHighSurrogate(whole.charAt(end - 1));
            highSurrogate = cut ? whole.charAt(end - 1) : 0;
            return cut ? whole.substring(0, end - 1) : whole;
        }
    }

    private void line(String text) {
        text(text + System.lineSeparator());
    }

    @Override
    public void write(int b) {
        byte[] full = null;
        synchronized (state) {
            singles[singlesCount++] = (byte) b;
            // Taken out here: another thread might write before a flush, and would find no room.
            if (b == '\n' || singlesCount == MAX_SINGLES) {
                full = Arrays.copyOf(singles, singlesCount);
                singlesCount = 0;
            }
        }
        if (full != null) handOn(full, 0, full.length);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        handOn(bytes, offset, length);
    }

    @Override
    public void flush() {
        handOn(singles, 0, 0);
    }

    @Override
    public void close() {
        flush();
        synchronized (state) {
            if (closed) return;
            closed = true;
        }
        try {
            end();
        } catch (IOException e) {
            setError();
        }
    }

    @Override
    public void print(boolean b) {
        text(String.valueOf(b));
    }

    @Override
    public void print(char c) {
        text(String.valueOf(c));
    }

    @Override
    public void print(int i) {
        text(String.valueOf(i));
    }

    @Override
    public void print(long l) {
        text(String.valueOf(l));
    }

    @Override
    public void print(float f) {
        text(String.valueOf(f));
    }

    @Override
    public void print(double d) {
        text(String.valueOf(d));
    }

    @Override
    public void print(char[] s) {
        text(String.valueOf(s));
    }

    @Override
    public void print(@Nullable String s) {
        text(String.valueOf(s));
    }

    @Override
    public void print(@Nullable Object object) {
        text(String.valueOf(object));
    }

    @Override
    public void println() {
        line("");
    }

    @Override
    public void println(boolean b) {
        line(String.valueOf(b));
    }

    @Override
    public void println(char c) {
        line(String.valueOf(c));
    }

    @Override
    public void println(int i) {
        line(String.valueOf(i));
    }

    @Override
    public void println(long l) {
        line(String.valueOf(l));
    }

    @Override
    public void println(float f) {
        line(String.valueOf(f));
    }

    @Override
    public void println(double d) {
        line(String.valueOf(d));
    }

    @Override
    public void println(char[] s) {
        line(String.valueOf(s));
    }

    @Override
    public void println(@Nullable String s) {
        line(String.valueOf(s));
    }

    @Override
    public void println(@Nullable Object object) {
        line(String.valueOf(object));
    }

    @Override
    @SuppressWarnings("AnnotateFormatMethod") // the JDK's is not
    public PrintStream format(String format, @Nullable Object... arguments) {
        text(String.format(format, arguments));
        return this;
    }

    @Override
    @SuppressWarnings("AnnotateFormatMethod") // the JDK's is not
    public PrintStream format(@Nullable Locale locale, String format, @Nullable Object... arguments) {
        text(String.format(locale, format, arguments));
        return this;
    }
}
