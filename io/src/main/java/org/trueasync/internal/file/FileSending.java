package org.trueasync.internal.file;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.io.Writing;
import org.trueasync.spi.FileHandle;

/**
 * The sending of a part of a file to a stream. Where the reactor supports it, the system sends straight from its
 * memory. When the stream is full, or where that is not supported, the next piece goes through a buffer of ours, and
 * the stream's own write waits for room.
 */
public final class FileSending {
    /** Something to which the bytes are written. */
    public interface Target {
        /**
         * Writes the whole buffer; suspends.
         *
         * @param bytes must not be used after the call
         */
        void write(ByteBuffer bytes);
    }

    private final FileCore file;
    private final long start;
    private final long end;
    private final @Nullable Completable<?> token;
    private long at;

    FileSending(FileCore file, long position, long count, @Nullable Completable<?> token) {
        this.file = file;
        this.start = position;
        this.at = position;
        this.end = count > Long.MAX_VALUE - position ? Long.MAX_VALUE : position + count;
        this.token = token;
    }

    /** Bytes sent so far. */
    long sent() {
        return at - start;
    }

    /** Sends everything through a buffer. */
    void through(Target target) {
        while (at < end && sendPiece(target)) {
            // sendPiece does the work
        }
    }

    /** Sends everything within a turn to write to the stream, without a buffer where that is possible. */
    void sendDirect(Writing stream) {
        FileHandle.Sender sender = file.handle.sender(stream.handle());
        if (sender == null) {
            through(bytes -> stream.write(bytes));
            return;
        }
        var sending = new DirectSending(stream, sender);
        try {
            while (at < end) {
                stream.handle(); // it may have been closed meanwhile
                long sent = sending.send();
                if (sent > 0) at += sent;
                else if (sent < 0 || !sendPiece(bytes -> stream.write(bytes))) return;
            }
        } finally {
            sending.leave();
        }
    }

    /** Sends one piece through a buffer. False at the end of the file. */
    private boolean sendPiece(Target target) {
        ByteBuffer bytes = BounceBuffers.take(end - at);
        try {
            int count = file.readInTurn(bytes, at, token);
            if (count < 0) return false;
            target.write(bytes.flip());
            at += count;
            return true;
        } finally {
            BounceBuffers.give(bytes);
        }
    }

    /**
     * Sending by the system. A call that goes on after its caller has left keeps the sender open, and other writers off
     * the stream.
     */
    private final class DirectSending {
        private final Writing stream;
        private final FileHandle.Sender sender;
        private boolean calling;
        private boolean callerLeft;
        /** Why the call has failed; written by the helper thread before it posts its result to the loop. */
        private @Nullable InputOutputException failure;

        DirectSending(Writing stream, FileHandle.Sender sender) {
            this.stream = stream;
            this.sender = sender;
        }

        /**
         * Sends what the stream takes now; see {@link FileHandle.Sender#send}. A connection's error becomes the
         * stream's own, which its readers get too, even if the coroutine has stopped waiting for the call.
         */
        long send() {
            long sent = file.sendInTurn(queue -> Objects.requireNonNull(new Call(queue).make(token)), token);
            if (failure != null) throw IoRequest.again(failure);
            return sent;
        }

        private long sendOnHelper(long from, long count) {
            try {
                return sender.send(from, count);
            } catch (InputOutputException e) {
                failure = e;
                return 0;
            }
        }

        void leave() {
            callerLeft = true;
            if (!calling) sender.close();
        }

        private final class Call extends FileCall<Long> {
            Call(CallQueue queue) {
                long from = at;
                long count = end - at;
                super(file, queue, "send from " + file.path(), () -> sendOnHelper(from, count));
                calling = true;
                stream.writesElsewhere();
            }

            @Override
            void ended(@Nullable Long sent, boolean claimed) {
                calling = false;
                failure = stream.wroteElsewhere(failure);
                if (callerLeft) sender.close();
            }
        }
    }
}
