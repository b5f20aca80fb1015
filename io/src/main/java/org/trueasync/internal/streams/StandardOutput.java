package org.trueasync.internal.streams;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Offload;
import org.trueasync.internal.jdk.Descriptors;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.run.UnlockedPrintStream;
import org.trueasync.spi.SchedulerProvider;

/**
 * Replacement of {@code System.out} or {@code System.err}: while a pipe is full or a terminal is stopped, only the
 * coroutine that prints waits. A file, and a pipe or terminal with room, is written by the printing thread at once.
 * Otherwise a helper thread writes, and the print call returns once the bytes are written; so output printed before an
 * exit is not lost. Only code that holds this stream's monitor, as {@code printStackTrace} does, writes by itself and
 * may block the loop.
 *
 * <p>Printing never throws, so a cancellation is thrown only after it. The replacement stays installed after the run;
 * other threads print through it, and block, as before.
 */
final class StandardOutput extends UnlockedPrintStream {
    /** Bytes that a writable pipe takes without blocking: PIPE_BUF. */
    private static final int PIECE = 4096;

    private final FileDescriptor descriptor;
    private final FileOutputStream real;
    private final HelpedOutput helped;
    private final boolean mayBeFull;

    /**
     * Makes a stream over a descriptor.
     *
     * @param descriptor an open one
     * @param name for reports
     * @param mayBeFull false if writing never has to wait for room, as with a file
     * @param charset of the bytes
     */
    StandardOutput(FileDescriptor descriptor, String name, boolean mayBeFull, Charset charset) {
        super(charset);
        this.descriptor = descriptor;
        this.real = new FileOutputStream(descriptor);
        this.helped = new HelpedOutput(real, name);
        this.mayBeFull = mayBeFull;
    }

    /**
     * Replaces the JDK's own standard streams, and again if they were put back since. Streams that the program has set
     * stay.
     */
    static synchronized void install() {
        replace(System.out, FileDescriptor.out, "standard output", "/dev/fd/1", System::setOut);
        replace(System.err, FileDescriptor.err, "standard error", "/dev/fd/2", System::setErr);
    }

    private static void replace(
            @Nullable PrintStream now,
            FileDescriptor descriptor,
            String name,
            String path,
            Consumer<PrintStream> setter) {
        if (now == null || !Descriptors.isJdkStreamOf(now, descriptor) || marksEachText(now.charset())) return;
        now.flush();
        setter.accept(new StandardOutput(descriptor, name, !Files.isRegularFile(Path.of(path)), now.charset()));
    }

    /**
     * True if the charset puts a byte order mark or the like before each text: here each print call is encoded
     * separately.
     */
    private static boolean marksEachText(Charset charset) {
        return "aa".getBytes(charset).length != 2 * "a".getBytes(charset).length;
    }

    @Override
    protected void emit(byte[] bytes, int offset, int length) throws IOException {
        if (Thread.holdsLock(this)) {
            // The caller holds this monitor to keep its lines together, as printStackTrace does. If it suspended here,
            // another coroutine could block the loop on the monitor, and the caller could not go on.
            real.write(bytes, offset, length);
            return;
        }
        int written = 0;
        boolean myTurn;
        synchronized (this) {
            myTurn = helped.tryEnter();
            if (myTurn) {
                boolean done = true;
                try {
                    written = writeHere(bytes, offset, length);
                    done = written == length;
                } finally {
                    if (done) helped.leave();
                }
                if (done) return;
            }
        }
        finish(bytes, offset + written, length - written, myTurn);
    }

    /** Writes what can be written without blocking the loop; returns how many bytes. */
    private int writeHere(byte[] bytes, int offset, int length) throws IOException {
        if (!mayBeFull || !Offload.isNeeded()) {
            real.write(bytes, offset, length);
            return length;
        }
        int written = 0;
        while (written < length && Descriptors.isWritable(descriptor)) {
            int piece = Math.min(PIECE, length - written);
            real.write(bytes, offset + written, piece);
            written += piece;
        }
        return written;
    }

    private void finish(byte[] bytes, int offset, int length, boolean myTurn) throws IOException {
        Loop here = Runtimes.hereOrNull();
        if (here == null || !here.runsCoroutine()) {
            writeHelped(bytes, offset, length, myTurn);
            return;
        }
        IOException failure = SchedulerProvider.get().shield(() -> {
            try {
                writeHelped(bytes, offset, length, myTurn);
                return null;
            } catch (IOException e) {
                return e;
            }
        });
        if (failure != null) throw failure;
    }

    private void writeHelped(byte[] bytes, int offset, int length, boolean myTurn) throws IOException {
        if (!myTurn) {
            helped.write(bytes, offset, length);
            return;
        }
        try {
            helped.writeInTurn(bytes, offset, length);
        } finally {
            helped.leave();
        }
    }

    @Override
    protected void end() throws IOException {
        helped.close();
    }
}
