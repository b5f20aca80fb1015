package org.trueasync.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A child process, from its start until it has been reaped. Loop thread only. */
public interface ChildHandle {
    /** The system's number of the process. It may be another one's once the child has been reaped. */
    long pid();

    /** The stream that the child reads; null unless {@link Redirect#PIPE} was asked for. Can only be written to. */
    @Nullable
    StreamHandle input();

    /** The stream that the child writes to as its output; null unless {@link Redirect#PIPE} was asked for. Can only be read. */
    @Nullable
    StreamHandle output();

    /** The stream that the child writes its errors to; null unless {@link Redirect#PIPE} was asked for. Can only be read. */
    @Nullable
    StreamHandle error();

    /**
     * Sends a signal. A child that has been reaped is never met, nor who has its number now.
     *
     * @param signal its number, 1 to 64
     * @return null, or why it can't: {@code ESRCH} once the child has ended
     */
    @Nullable
    SystemError kill(int signal);

    /**
     * Forgets the child: its end is not reported any more, but it is still reaped. Its streams are closed by themselves. Idempotent. When the
     * reactor is closed, children go on living and are reaped all the same.
     */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /** Told of the end. Called on the loop thread. */
    interface Listener {
        /**
         * The child has ended and been reaped; what it wrote may still have to be read. Called once.
         *
         * @param status what it ended with, 0 to 255; 128 + signal if one killed it; -1 if somebody else in the process has reaped it
         * @param signal which signal killed it, 0 if none
         */
        void onExit(int status, int signal);
    }

    /** Where a standard stream of the child leads. */
    enum Redirect {
        /** To a stream of ours. */
        PIPE,
        /** To where our own leads. */
        INHERIT,
        /** Nowhere: nothing to read, and what is written is dropped. */
        DISCARD,
        /** Errors only: to where the output leads. */
        MERGE
    }

    /**
     * What to start.
     *
     * @param program absolute path of the program; no search, no shell
     * @param arguments what the program gets, beginning with its own name
     * @param environment all of its environment; null for ours, byte for byte
     * @param directory where it starts, absolute; null for ours
     * @param input listener of the stream that it reads; used if {@code inputFrom} is {@link Redirect#PIPE}
     * @param output listener of its output
     * @param error listener of its errors
     * @param inputFrom where its input comes from
     * @param outputTo where its output goes
     * @param errorTo where its errors go
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
