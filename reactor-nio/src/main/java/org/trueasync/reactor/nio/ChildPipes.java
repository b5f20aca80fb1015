package org.trueasync.reactor.nio;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ChildHandle.Redirect;
import org.trueasync.spi.ChildHandle.Spec;
import org.trueasync.spi.StreamHandle;

/**
 * The pipes of one child's standard streams. For its output and its errors they are {@link Fifos} or, if the system has
 * no {@code mkfifo}, the JDK's own pipes; for its input the JDK's.
 */
final class ChildPipes implements AutoCloseable {
    private final Spec spec;
    private final @Nullable Fifos fifos;
    private @Nullable FileChannel output;
    private @Nullable FileChannel error;

    ChildPipes(Spec spec) throws IOException {
        this.spec = spec;
        int count = countOf(spec.outputTo()) + countOf(spec.errorTo());
        fifos = count > 0 && Fifos.available() ? new Fifos(count) : null;
    }

    private static int countOf(Redirect redirect) {
        return redirect == Redirect.PIPE ? 1 : 0;
    }

    /** Sets the redirects of a builder, and opens the FIFOs. */
    void redirect(ProcessBuilder builder) throws IOException {
        switch (spec.inputFrom()) {
            // The JDK's own pipe: with a FIFO, a child that opens it by the name /dev/stdin, after we have closed our
            // end, waits for another writer for ever.
            case PIPE -> builder.redirectInput(ProcessBuilder.Redirect.PIPE);
            case INHERIT -> builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
            default -> builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        }
        if (spec.outputTo() == Redirect.PIPE && fifos != null) {
            output = fifos.open();
            builder.redirectOutput(ProcessBuilder.Redirect.to(fifos.last()));
        } else {
            builder.redirectOutput(target(spec.outputTo()));
        }
        if (spec.errorTo() == Redirect.MERGE) {
            builder.redirectErrorStream(true);
        } else if (spec.errorTo() == Redirect.PIPE && fifos != null) {
            error = fifos.open();
            builder.redirectError(ProcessBuilder.Redirect.to(fifos.last()));
        } else {
            builder.redirectError(target(spec.errorTo()));
        }
    }

    private static ProcessBuilder.Redirect target(Redirect to) {
        return switch (to) {
            case PIPE -> ProcessBuilder.Redirect.PIPE;
            case INHERIT -> ProcessBuilder.Redirect.INHERIT;
            default -> ProcessBuilder.Redirect.DISCARD;
        };
    }

    /** Keeps the pipes, because the child has been started. */
    void begun() {
        if (fifos != null) fifos.begun();
    }

    @Nullable
    StreamHandle input(NioReactor reactor, String child, Process process) {
        if (spec.inputFrom() != Redirect.PIPE) return null;
        String name = child + " input";
        var pump = new OutputPump(name, process.getOutputStream());
        return new PumpedStream(reactor, name, null, pump, Objects.requireNonNull(spec.input()));
    }

    @Nullable
    StreamHandle output(NioReactor reactor, String child, Process process) {
        if (spec.outputTo() != Redirect.PIPE) return null;
        InputStream source = output == null ? process.getInputStream() : Channels.newInputStream(output);
        return reading(reactor, child + " output", source, output != null, spec.output());
    }

    @Nullable
    StreamHandle error(NioReactor reactor, String child, Process process) {
        if (spec.errorTo() != Redirect.PIPE) return null;
        InputStream source = error == null ? process.getErrorStream() : Channels.newInputStream(error);
        return reading(reactor, child + " error", source, error != null, spec.error());
    }

    private static StreamHandle reading(
            NioReactor reactor,
            String name,
            InputStream source,
            boolean closingEndsRead,
            StreamHandle.@Nullable Listener listener) {
        var pump = new InputPump(name, source, closingEndsRead);
        return new PumpedStream(reactor, name, pump, null, Objects.requireNonNull(listener));
    }

    @Override
    public void close() throws IOException {
        if (fifos != null) fifos.close();
    }
}
