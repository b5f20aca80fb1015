package org.trueasync.reactor.nio;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TerminalHandle;

/**
 * One of the process's standard streams, if it is a terminal: the input can be read, the others can be written. Without
 * raw mode and without size.
 */
final class NioTerminal extends PumpedStream implements TerminalHandle {
    private static final SystemError NO_RAW_MODE = NioErrors.unsupported("raw mode of terminals");

    /** The only input pump of the process, so that a line read for a reader that has left goes to the next one. */
    private static final class StandardInput {
        static final InputPump PUMP = new InputPump("stdin", new FileInputStream(FileDescriptor.in), false);

        private StandardInput() {}
    }

    private NioTerminal(
            NioReactor reactor,
            int descriptor,
            @Nullable InputPump input,
            @Nullable OutputPump output,
            StreamHandle.Listener listener) {
        super(reactor, "terminal " + descriptor, input, output, listener);
    }

    static NioTerminal open(NioReactor reactor, int descriptor, StreamHandle.Listener listener) {
        if (descriptor < 0 || descriptor > 2)
            throw new IllegalArgumentException("descriptor of a terminal must be 0, 1 or 2, got " + descriptor);
        if (!isTerminal(descriptor))
            throw NioErrors.exception(
                    "open terminal", descriptor, new SystemError("ENOTTY", "inappropriate ioctl for device"));
        if (descriptor == 0) return new NioTerminal(reactor, 0, StandardInput.PUMP, null, listener);
        var target = new FileOutputStream(descriptor == 1 ? FileDescriptor.out : FileDescriptor.err);
        var pump = new OutputPump(descriptor == 1 ? "stdout" : "stderr", staysOpen(target));
        return new NioTerminal(reactor, descriptor, null, pump, listener);
    }

    @SuppressWarnings("SystemConsoleNull") // it can be null with jdk.console=java.base
    static boolean isTerminal(int descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException notLinux) {
            var console = System.console();
            return console != null && console.isTerminal();
        }
    }

    private static OutputStream staysOpen(OutputStream stream) {
        return new FilterOutputStream(stream) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() {
                // it belongs to the process
            }
        };
    }

    @Override
    boolean ownsInput() {
        return false;
    }

    @Override
    public @Nullable SystemError setRaw(boolean raw) {
        if (isClosed()) return NioErrors.CLOSED;
        return raw ? NO_RAW_MODE : null;
    }

    @Override
    public @Nullable Size size() {
        return null;
    }
}
