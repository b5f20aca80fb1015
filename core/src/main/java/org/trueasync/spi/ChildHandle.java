package org.trueasync.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A child process, from its start until it has been reaped. Loop thread only. */
public interface ChildHandle {
    /** The process id. Once the child has been reaped, the system may give the id to another process. */
    long pid();

    /**
     * The stream that the child reads as its standard input; null unless {@link Redirect#PIPE} was asked for. Can only
     * be written to.
     */
    @Nullable
    StreamHandle input();

    /**
     * The stream that the child writes its standard output to; null unless {@link Redirect#PIPE} was asked for. Can
     * only be read.
     */
    @Nullable
    StreamHandle output();

    /**
     * The stream that the child writes its standard error to; null unless {@link Redirect#PIPE} was asked for. Can only
     * be read.
     */
    @Nullable
    StreamHandle error();

    /**
     * Sends a signal. Once the child has been reaped or this handle is closed, nothing is sent, so no other process
     * with the child's id gets the signal.
     *
     * @param signal its number, 1 to 64
     * @return null if it was sent, else the system's error: {@code ESRCH} once the child has ended
     * @throws IllegalArgumentException if the number is out of range
     */
    @Nullable
    SystemError kill(int signal);

    /**
     * Forgets the child: its end is not reported any more, but it is still reaped. Its streams stay open; each has a
     * {@code close} of its own. Idempotent. Closing the reactor ends no child, and children are reaped after that too.
     */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /** Is told when the child has ended. Called on the loop thread. */
    interface Listener {
        /**
         * Called once, when the child has ended and been reaped. Its pipes may still contain output.
         *
         * @param status its exit status, 0 to 255; 128 + signal if a signal killed it; -1 if other code in this process
         *     has reaped it
         * @param signal the number of the signal that killed it, 0 if none did
         */
        void onExit(int status, int signal);
    }

    /** Where a standard stream of the child leads. */
    enum Redirect {
        /** To a pipe, whose end here is a stream of this handle. */
        PIPE,
        /** To the same stream of this process. */
        INHERIT,
        /** To the null device: a read meets the end at once, a write is dropped. */
        DISCARD,
        /** To the child's standard output. For its standard error only. */
        MERGE
    }

    /**
     * What to start.
     *
     * @param program absolute path of the program; no search, no shell
     * @param arguments the program's {@code argv}: its own name first
     * @param environment the whole environment of the child; null for a copy of this process's, byte for byte
     * @param directory its working directory, absolute; null for this process's
     * @param input listener of the stream to its standard input; used if {@code inputFrom} is {@link Redirect#PIPE}
     * @param output listener of the stream from its standard output; used if {@code outputTo} is {@link Redirect#PIPE}
     * @param error listener of the stream from its standard error; used if {@code errorTo} is {@link Redirect#PIPE}
     * @param inputFrom where its standard input comes from
     * @param outputTo where its standard output goes
     * @param errorTo where its standard error goes
     */
    record Spec(
            Path program,
            List<String> arguments,
            @Nullable Map<String, String> environment,
            @Nullable Path directory,
            Redirect inputFrom,
            Redirect outputTo,
            Redirect errorTo,
            StreamHandle.@Nullable Listener input,
            StreamHandle.@Nullable Listener output,
            StreamHandle.@Nullable Listener error) {}
}
