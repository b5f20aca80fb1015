package org.trueasync.internal.streams;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.jdk.PrivateAccess;

/*
 * Gives every process that the JDK starts streams that don't block the loop: they are put between the pipe and the
 * buffer that the user sees.
 *
 * How it learns of a process: after the process has been started, and before the caller gets it, ProcessBuilder.start
 * asks its logger whether to log. The field with that logger is private, but not final, and its package is open to us;
 * this class takes its place. The process is a local variable of the asking frame, which the JDK's own stack walker can
 * read. All calls are passed on to the original logger. In a JDK that does this in another way the streams stay as they
 * are, and the watchdog reports a coroutine that blocks the loop with them.
 */
final class StartedProcesses implements System.Logger {
    /** Resolved at the first use, so that a failure is an error of that use. */
    private static final class Access {
        static final VarHandle LOGGER;
        static final MethodHandle WALKER;
        static final MethodHandle LOCALS;
        static final Class<?> PIPE_INPUT;
        static final Class<?> PIPE_OUTPUT;
        static final VarHandle INPUT;
        static final VarHandle OUTPUT;

        static {
            try {
                LOGGER = PrivateAccess.in(ProcessBuilder.class)
                        .findStaticVarHandle(ProcessBuilder.class, "LOGGER", System.Logger.class);
                Class<?> frame = Class.forName("java.lang.LiveStackFrame");
                var inFrame = PrivateAccess.in(frame);
                WALKER = inFrame.findStatic(
                        frame, "getStackWalker", MethodType.methodType(StackWalker.class, Set.class));
                LOCALS = inFrame.findVirtual(frame, "getLocals", MethodType.methodType(Object[].class))
                        .asType(MethodType.methodType(Object[].class, StackWalker.StackFrame.class));
                PIPE_INPUT = Class.forName("java.lang.ProcessImpl$ProcessPipeInputStream");
                PIPE_OUTPUT = Class.forName("java.lang.ProcessImpl$ProcessPipeOutputStream");
                INPUT = PrivateAccess.in(PIPE_INPUT).findVarHandle(PIPE_INPUT, "in", InputStream.class);
                OUTPUT = PrivateAccess.in(PIPE_OUTPUT).findVarHandle(PIPE_OUTPUT, "out", OutputStream.class);
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    private static boolean tried;

    private volatile System.@Nullable Logger real;

    private StartedProcesses(System.@Nullable Logger real) {
        this.real = real;
    }

    /** Replaces the logger of ProcessBuilder, once in this JVM. */
    static synchronized void watch() {
        if (tried) return;
        tried = true;
        try {
            Access.LOGGER.setVolatile(new StartedProcesses((System.Logger) Access.LOGGER.getVolatile()));
        } catch (LinkageError e) {
            // another JDK: the streams of its processes block the loop, and the watchdog reports that
        }
    }

    private static void replaceStreams() {
        try {
            var walker = (StackWalker) Access.WALKER.invoke(Set.of());
            Process started = walker.walk(StartedProcesses::process);
            if (started != null) adopt(started);
        } catch (Throwable e) {
            // another JDK, as in watch(); starting the process must not fail because of this
        }
    }

    private static @Nullable Process process(Stream<StackWalker.StackFrame> frames) {
        return frames.filter(frame -> frame.getClassName().equals("java.lang.ProcessBuilder")
                        && frame.getMethodName().equals("start"))
                .findFirst()
                .map(StartedProcesses::local)
                .orElse(null);
    }

    private static @Nullable Process local(StackWalker.StackFrame frame) {
        try {
            for (Object local : (Object[]) Access.LOCALS.invokeExact(frame))
                if (local instanceof Process process) return process;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return null;
    }

    /**
     * Replaces the pipes in the fields of the user's streams. The JDK replaces the same fields when the process ends,
     * under the same locks.
     */
    private static void adopt(Process process) {
        String name = " of process " + process.pid();
        InputStream output = process.getInputStream();
        InputStream errors = process.getErrorStream();
        OutputStream input = process.getOutputStream();
        if (Access.PIPE_INPUT.isInstance(output)) replace((FilterInputStream) output, "output" + name, process);
        if (Access.PIPE_INPUT.isInstance(errors)) replace((FilterInputStream) errors, "error output" + name, process);
        if (Access.PIPE_OUTPUT.isInstance(input)) replace((FilterOutputStream) input, "input" + name);
    }

    private static void replace(FilterInputStream stream, String name, Process writer) {
        synchronized (stream) {
            InputStream pipe = (InputStream) Access.INPUT.getVolatile(stream);
            if (pipe != null) Access.INPUT.setVolatile(stream, new HelpedInput(pipe, name, () -> !writer.isAlive()));
        }
    }

    private static void replace(FilterOutputStream stream, String name) {
        synchronized (stream) {
            OutputStream pipe = (OutputStream) Access.OUTPUT.getVolatile(stream);
            if (pipe != null) Access.OUTPUT.setVolatile(stream, new HelpedOutput(pipe, name));
        }
    }

    // ---- calls passed on to the original logger

    private System.Logger real() {
        System.Logger known = real;
        if (known == null) real = known = System.getLogger("java.lang.ProcessBuilder");
        return known;
    }

    @Override
    public String getName() {
        return real().getName();
    }

    @Override
    public boolean isLoggable(Level level) {
        if (level == Level.DEBUG) replaceStreams();
        return real().isLoggable(level);
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
        real().log(level, bundle, message, thrown);
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String format,
            @Nullable Object @Nullable ... parameters) {
        real().log(level, bundle, format, parameters);
    }
}
