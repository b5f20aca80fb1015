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
import org.trueasync.internal.output.UnlockedPrintStream;
import org.trueasync.spi.SchedulerProvider;

/**
 * What stands in for {@code System.out} or {@code System.err}: while a pipe is full or a terminal is stopped, only the coroutine that prints waits. As long as it takes what is printed, and for files, the
 * bytes are written at once, where they are printed. Otherwise a helper thread writes them, and printing ends once they are written: what was printed before an exit is out.
 *
 * <p>Printing never throws, so a cancellation of the coroutine waits until it has ended. It stays there after the run; other threads print through it, and block, as before.
 */
final class StandardOutput extends UnlockedPrintStream {
    /** A pipe that is ready takes as many without blocking: PIPE_BUF. */
    private static final int PIECE = 4096;

    private final FileDescriptor descriptor;
    private final FileOutputStream real;
    private final HelpedOutput helped;
    private final boolean mayBeFull;

    /**
     * Over a descriptor.
     *
     * @param descriptor an open one
     * @param name for reports
     * @param mayBeFull false for what always takes more
     * @param charset of the bytes
     */
    StandardOutput(FileDescriptor descriptor, String name, boolean mayBeFull, Charset charset) {
        super(charset);
        this.descriptor = descriptor;
        this.real = new FileOutputStream(descriptor);
        this.helped = new HelpedOutput(real, name);
        this.mayBeFull = mayBeFull;
    }

    /** Again if the JDK's own streams have been put back since. Streams of the program's own stay. */
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

    /** True for charsets that begin with a byte order mark, or the like: each text is encoded by itself. */
    private static boolean marksEachText(Charset charset) {
        return "aa".getBytes(charset).length != 2 * "a".getBytes(charset).length;
    }

    @Override
    protected void emit(byte[] bytes, int offset, int length) throws IOException {
        if (Thread.holdsLock(this)) {
            // Whoever calls keeps lines together, as printStackTrace does. Suspended with this monitor it would keep
            // out
            // those who can't leave the loop, and these would keep it from going on.
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

    /** Writes what can be written without keeping others from their loop. */
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
