package org.trueasync.internal.jdbc;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Lies between PostgreSQL's driver and its socket, and resets the session without the driver's knowledge.
 *
 * A reset that is due is sent in front of what the driver sends next, in one packet: it costs no round trip of its own.
 * Its answer is taken out of what comes back. If the reset fails, the server skips what came behind it up to the next
 * Sync, and the driver gets an error instead of an answer. If the driver sends nothing for some time, flush() sends the
 * reset with a Sync of its own. Nothing is sent behind that before it is answered, as the Sync ends the skipping.
 *
 * The driver sends and receives on one thread at a time; flush() may come from another one, so 'sending' guards what is
 * sent. Invariant: while a reset is due or unanswered, nothing that comes is an answer to the driver.
 */
final class ResetWire {
    private static final int BUFFER = 8192;
    private static final int HEADER = 5;

    private final InputStream from;
    private final OutputStream to;
    private final ResetMessages reset;
    private final ReentrantLock sending = new ReentrantLock();

    /** For the driver. */
    final InputStream in = new Answers();

    /** For the driver. */
    final OutputStream out = new Requests();

    /** The driver's buffer in front of {@link #in}. */
    private InputStream reader = in;

    /** True if the server knows the prepared statements. */
    private boolean prepared;

    private volatile boolean due;

    /** How many CommandCompletes are still to come for the reset that was sent. */
    private volatile int incomplete;

    /** True until the ReadyForQuery of a reset with a Sync of its own has come. */
    private volatile boolean awaitsReady;

    private @Nullable IOException failure;

    /** What has come and was not given to the driver yet is between start and end. */
    private byte[] buffer = new byte[BUFFER];

    private int start;
    private int end;

    /**
     * Makes a wire that is to be put in place.
     *
     * @param from from the server
     * @param to to the server
     */
    ResetWire(InputStream from, OutputStream to, ResetMessages reset) {
        this.from = from;
        this.to = to;
        this.reset = reset;
    }

    /**
     * Called when the driver reads from this wire.
     *
     * @param buffer in front of {@link #in}
     */
    void isReadBy(InputStream buffer) {
        reader = buffer;
    }

    boolean isPrepared() {
        return prepared;
    }

    /** Called when the session loses its prepared statements. */
    void forgetPrepared() {
        prepared = false;
    }

    /** Prepares the reset, and resets the session. Waits for the answer. */
    void prepareAndRun() throws IOException {
        sending.lock();
        try {
            sent(true);
            to.write(reset.first);
        } finally {
            sending.unlock();
        }
        while (isUnanswered()) receive();
        prepared = true;
    }

    /**
     * Makes a reset due. It must be prepared, and no transaction open.
     *
     * @return false if the driver has not looked at all that has come: where a message ends is not known then
     */
    boolean require() throws IOException {
        due = true;
        boolean readAll = start == end && reader.available() == 0;
        due = readAll;
        return readAll;
    }

    boolean isDue() {
        return due;
    }

    /** True if a reset may still be under way in the server, or is still to come. */
    boolean isAhead() {
        return due || isUnanswered();
    }

    private boolean isUnanswered() {
        return incomplete > 0 || awaitsReady;
    }

    /** Sends a reset that is due, unless the driver is just about to. Does not wait for the answer. */
    void flush() throws IOException {
        if (!sending.tryLock()) return;
        try {
            sendIfDue();
        } finally {
            sending.unlock();
        }
    }

    private void sendIfDue() throws IOException {
        if (!due) return;
        sent(true);
        to.write(reset.alone);
    }

    /** Called before the reset is sent, as an answer may come before the call that sends has returned. */
    private void sent(boolean withSync) {
        due = false;
        incomplete = reset.statements;
        awaitsReady = withSync;
    }

    /**
     * Looks at what has come of an answer; does not wait.
     *
     * @throws IOException if the reset has failed
     */
    void look() throws IOException {
        while (awaitsReady && from.available() > 0) receive();
    }

    private final class Requests extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) return;
            sending.lock();
            try {
                if (bytes[offset] == 'X') due = awaitsReady = false; // Terminate: the session ends
                while (awaitsReady) receive();
                if (failure != null) throw failure;
                if (due) {
                    sent(false);
                    byte[] all = Arrays.copyOf(reset.execute, reset.execute.length + length);
                    System.arraycopy(bytes, offset, all, reset.execute.length, length);
                    to.write(all);
                } else {
                    to.write(bytes, offset, length);
                }
            } finally {
                sending.unlock();
            }
        }

        @Override
        public void flush() throws IOException {
            to.flush();
        }
    }

    private final class Answers extends InputStream {
        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (due) sendNow();
            while (isUnanswered()) receive();
            if (start == end) return from.read(bytes, offset, length);
            int some = Math.min(length, end - start);
            System.arraycopy(buffer, start, bytes, offset, some);
            start += some;
            return some;
        }

        @Override
        public int available() throws IOException {
            if (isAhead()) return 0;
            return start < end ? end - start : from.available();
        }
    }

    private void sendNow() throws IOException {
        sending.lock();
        try {
            sendIfDue();
        } finally {
            sending.unlock();
        }
    }

    // ---- the answer of a reset

    private void receive() throws IOException {
        if (failure != null) throw failure;
        if (start == end) start = end = 0;
        if (end == buffer.length) buffer = Arrays.copyOf(buffer, 2 * end);
        int count = from.read(buffer, end, buffer.length - end);
        if (count < 0) throw new EOFException("the server has closed the connection");
        end += count;
        takeAnswers();
    }

    /** Takes the answers of the reset out of what has come. What the driver has to know stays. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time receives
    private void takeAnswers() throws IOException {
        int next = start;
        int kept = start;
        while (isUnanswered() && end - next >= HEADER) {
            int size = 1 + length(next + 1);
            if (size < HEADER) throw failed("its answer is not a message");
            if (end - next < size) break;
            switch (buffer[next]) {
                case 'C' -> incomplete--;
                case 'Z' -> {
                    if (incomplete > 0 || !awaitsReady) throw failed("its answer is incomplete");
                    awaitsReady = false;
                }
                case 'E' -> throw failed(message(next + HEADER, next + size));
                case 'S' -> {
                    // a setting, of which the driver keeps the value
                    System.arraycopy(buffer, next, buffer, kept, size);
                    kept += size;
                }
                // notifications among them, which are the last user's
                default -> {}
            }
            next += size;
        }
        System.arraycopy(buffer, next, buffer, kept, end - next);
        end -= next - kept;
    }

    private int length(int at) {
        return (buffer[at] << 24)
                | ((buffer[at + 1] & 0xff) << 16)
                | ((buffer[at + 2] & 0xff) << 8)
                | (buffer[at + 3] & 0xff);
    }

    /** Returns the text of an ErrorResponse: each of its fields has a letter and ends with a zero. */
    private String message(int first, int last) {
        for (String field : new String(buffer, first, last - first, StandardCharsets.UTF_8).split("\0"))
            if (field.startsWith("M")) return field.substring(1);
        return "the server gives no reason";
    }

    private IOException failed(String why) {
        var thrown = new IOException("the session could not be reset after its last use: " + why);
        failure = thrown;
        return thrown;
    }
}
