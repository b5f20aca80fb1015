package org.trueasync.reactor.nio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** A child process, started by {@link ProcessBuilder}. */
final class NioChild extends NioHandle implements ChildHandle {
    private static final SystemError ENDED = new SystemError("ESRCH", "no such process");
    private static final int KILLED = 128;
    private static final int LAST_SIGNAL = 64;
    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;

    /**
     * Matches {@code Exec failed, error: 2 (No such file or directory)}, and {@code error=2, No such file or directory}
     * of older JDKs.
     */
    private static final Pattern REASON =
            Pattern.compile("error(?:: \\d+ \\((.*?)\\)|=\\d+, (.*?))\\s*$", Pattern.MULTILINE);

    private final Process process;
    private final Listener listener;
    private final @Nullable StreamHandle input;
    private final @Nullable StreamHandle output;
    private final @Nullable StreamHandle error;
    private boolean ended;

    private NioChild(NioReactor reactor, ChildPipes pipes, Process process, Listener listener) {
        this.process = process;
        this.listener = listener;
        String name = "child " + process.pid();
        input = pipes.input(reactor, name, process);
        output = pipes.output(reactor, name, process);
        error = pipes.error(reactor, name, process);
        super(reactor);
        reactor.opened(this);
    }

    static NioChild start(NioReactor reactor, Spec spec, Listener listener) {
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
        NioChild child;
        try (ChildPipes pipes = reactor.open(() -> new ChildPipes(spec))) {
            pipes.redirect(builder);
            Process process = reactor.open(() -> ProcessStart.start(builder));
            pipes.begun();
            child = new NioChild(reactor, pipes, process, listener);
        } catch (IOException e) {
            throw refused(spec, reason(e));
        }
        var _ = child.process.onExit().whenComplete((_, _) -> reactor.post(child::exited));
        return child;
    }

    private static InputOutputException refused(Spec spec, SystemError error) {
        Path directory = spec.directory();
        boolean lost = directory != null && !Files.isDirectory(directory);
        String what = lost ? "start in directory " + directory : "start " + spec.program();
        String hint =
                switch (error.errno()) {
                    case "E2BIG" ->
                        "; arguments and environment are longer than the system allows, see getconf ARG_MAX";
                    case "EAGAIN" -> "; the user has used up the processes, see ulimit -u";
                    default -> NioErrors.hint(error);
                };
        return new InputOutputException(what + ": " + error + hint, error.errno());
    }

    private static SystemError reason(IOException thrown) {
        Matcher matcher = REASON.matcher(String.valueOf(thrown.getMessage()));
        if (!matcher.find()) return SystemError.of(thrown);
        String words = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return SystemError.of(new IOException(words));
    }

    private void exited() {
        ended = true;
        if (isClosed()) return;
        int status = process.exitValue();
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

    /**
     * Sends a signal, but not with {@link Process#destroy}, which closes the streams too. Signals other than SIGTERM
     * and SIGKILL are sent a little later, by {@link Signals}.
     */
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

    /** Releases nothing: the JDK reaps the child. */
    @Override
    void release() {}

    @Override
    public String toString() {
        return "child " + process.pid() + (isClosed() ? ", closed" : "");
    }
}
