package org.trueasync.reactor.nio;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** A child of {@link ProcessBuilder}. */
final class NioChild extends NioHandle implements ChildHandle {
    private static final SystemError ENDED = new SystemError("ESRCH", "no such process");
    private static final int KILLED = 128;
    private static final int LAST_SIGNAL = 64;
    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;

    /** {@code Exec failed, error: 2 (No such file or directory)}, and {@code error=2, No such file or directory} of older ones. */
    private static final Pattern REASON = Pattern.compile("error(?:: \\d+ \\((.*)\\)|=\\d+, (.*?))\\s*$");

    private final Process process;
    private final Listener listener;
    private final @Nullable StreamHandle input;
    private final @Nullable StreamHandle output;
    private final @Nullable StreamHandle error;
    private boolean ended;

    private NioChild(NioReactor reactor, Process process, Spec spec, Listener listener) {
        this.process = process;
        this.listener = listener;
        String name = "child " + process.pid();
        input = spec.inputFrom() == Redirect.PIPE
                ? writing(reactor, name, process.getOutputStream(), Objects.requireNonNull(spec.input()))
                : null;
        output = spec.outputTo() == Redirect.PIPE
                ? reading(reactor, name + " output", process.getInputStream(), Objects.requireNonNull(spec.output()))
                : null;
        error = spec.errorTo() == Redirect.PIPE
                ? reading(reactor, name + " error", process.getErrorStream(), Objects.requireNonNull(spec.error()))
                : null;
        super(reactor);
        reactor.opened(this);
    }

    private static StreamHandle writing(
            NioReactor reactor, String name, OutputStream target, StreamHandle.Listener listener) {
        return new PumpedStream(reactor, name + " input", null, new OutputPump(name + " input", target), listener);
    }

    private static StreamHandle reading(
            NioReactor reactor, String name, InputStream source, StreamHandle.Listener listener) {
        return new PumpedStream(reactor, name, new InputPump(name, source), null, listener);
    }

    static NioChild start(NioReactor reactor, Spec spec, Listener listener) {
        ProcessBuilder builder = builder(spec);
        Process process;
        try {
            process = reactor.open(builder::start);
        } catch (IOException e) {
            throw NioErrors.exception("start", spec.program(), reason(e));
        }
        var child = new NioChild(reactor, process, spec, listener);
        var _ = process.onExit().whenComplete((_, _) -> reactor.post(() -> child.exited(process.exitValue())));
        return child;
    }

    private static ProcessBuilder builder(Spec spec) {
        List<String> command = new ArrayList<>(spec.arguments());
        if (command.isEmpty()) command.add("");
        command.set(0, spec.program().toString());
        var builder = new ProcessBuilder(command);
        Map<String, String> environment = spec.environment();
        if (environment != null) {
            builder.environment().clear();
            builder.environment().putAll(environment);
        }
        if (spec.directory() != null) builder.directory(spec.directory().toFile());
        builder.redirectInput(
                switch (spec.inputFrom()) {
                    case PIPE -> ProcessBuilder.Redirect.PIPE;
                    case INHERIT -> ProcessBuilder.Redirect.INHERIT;
                    default -> ProcessBuilder.Redirect.from(new File("/dev/null"));
                });
        builder.redirectOutput(target(spec.outputTo()));
        if (spec.errorTo() == Redirect.MERGE) builder.redirectErrorStream(true);
        else builder.redirectError(target(spec.errorTo()));
        return builder;
    }

    private static ProcessBuilder.Redirect target(Redirect to) {
        return switch (to) {
            case PIPE -> ProcessBuilder.Redirect.PIPE;
            case INHERIT -> ProcessBuilder.Redirect.INHERIT;
            default -> ProcessBuilder.Redirect.DISCARD;
        };
    }

    private static SystemError reason(IOException thrown) {
        String message = String.valueOf(thrown.getMessage());
        Matcher matcher = REASON.matcher(message);
        if (!matcher.find()) return SystemError.of(thrown);
        String words = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return SystemError.of(new IOException(words));
    }

    private void exited(int status) {
        ended = true;
        if (isClosed()) return;
        int signal = status > KILLED && status <= KILLED + LAST_SIGNAL ? status - KILLED : 0;
        listener.onExit(status, signal);
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public @Nullable StreamHandle input() {
        return input;
    }

    @Override
    public @Nullable StreamHandle output() {
        return output;
    }

    @Override
    public @Nullable StreamHandle error() {
        return error;
    }

    /** Not with {@link Process#destroy}, which closes the streams too. */
    @Override
    public @Nullable SystemError kill(int signal) {
        if (signal < 1 || signal > LAST_SIGNAL)
            throw new IllegalArgumentException("signal must be 1 to " + LAST_SIGNAL + ", got " + signal);
        if (isClosed()) return NioErrors.CLOSED;
        if (ended || !process.isAlive()) return ENDED;
        ProcessHandle handle = process.toHandle();
        return switch (signal) {
            case SIGTERM -> handle.destroy() ? null : ENDED;
            case SIGKILL -> handle.destroyForcibly() ? null : ENDED;
            default -> {
                Signals.send(process, signal);
                yield null;
            }
        };
    }

    /** The JDK reaps it. */
    @Override
    void release() {}

    @Override
    public String toString() {
        return "child " + process.pid() + (isClosed() ? ", closed" : "");
    }
}
