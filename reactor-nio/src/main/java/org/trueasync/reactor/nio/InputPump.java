package org.trueasync.reactor.nio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream that blocks, on a thread of its own: one chunk at a time, when it was requested and the chunk before
 * was taken.
 */
final class InputPump {
    /*
     * The thread begins with the first request, and ends after close(), when its system call has returned. It then
     * closes the source itself, because closing may wait for a reader. If closing the source ends a read that waits,
     * close() has closed it before. A chunk that comes after its receiver has left stays here for the next receiver, so
     * that a line typed at a terminal is not lost.
     */
    private final String name;
    private final InputStream source;
    private final boolean closingEndsRead;
    private final CopyOnWriteArrayList<Receiver> receivers = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Chunk> chunk = new AtomicReference<>();
    private final AtomicBoolean requested = new AtomicBoolean();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean closed;

    /**
     * The result of one read.
     *
     * @param bytes null at the end, and after an error
     * @param error why it failed, or null
     */
    record Chunk(@Nullable ByteBuffer bytes, @Nullable IOException error) {}

    /**
     * Makes a pump without a thread.
     *
     * @param name of its thread
     * @param source to read; belongs to the pump
     * @param closingEndsRead whether closing the source ends a read that waits
     */
    InputPump(String name, InputStream source, boolean closingEndsRead) {
        this.name = name;
        this.source = source;
        this.closingEndsRead = closingEndsRead;
    }

    /** Is told of chunks. */
    interface Receiver {
        /** Called on the pump's thread when a chunk has come. Another receiver may take it first. */
        void chunkCame();
    }

    /** Adds a receiver, which is told of each chunk from now on. */
    void attach(Receiver receiver) {
        receivers.add(receiver);
    }

    void detach(Receiver receiver) {
        receivers.remove(receiver);
    }

    /** Requests one more chunk. Several requests before a read begins count as one. Any thread. */
    void request() {
        requested.set(true);
        Thread reader = thread.get();
        if (reader != null) LockSupport.unpark(reader);
        else begin();
    }

    private synchronized void begin() {
        if (thread.get() == null) thread.set(Pumps.start(name, this::pump));
    }

    /** Removes and returns the chunk that has come; null if there is none. Any thread. */
    @Nullable
    Chunk take() {
        Chunk taken = chunk.getAndSet(null);
        Thread reader = thread.get();
        if (taken != null && reader != null) LockSupport.unpark(reader);
        return taken;
    }

    boolean hasChunk() {
        return chunk.get() != null;
    }

    private void pump() {
        while (!closed) {
            if (chunk.get() != null || !requested.compareAndSet(true, false)) {
                LockSupport.park(this);
                continue;
            }
            chunk.set(read());
            receivers.forEach(Receiver::chunkCame);
        }
        closeSource();
    }

    private Chunk read() {
        byte[] bytes = new byte[NioReactor.CHUNK];
        try {
            int count = source.read(bytes);
            return new Chunk(count < 0 ? null : ByteBuffer.wrap(bytes, 0, count), null);
        } catch (IOException e) {
            return new Chunk(null, e);
        }
    }

    private void closeSource() {
        try {
            source.close();
        } catch (IOException nothingToBeDone) {
            // it is closed all the same
        }
    }

    /**
     * Ends reading, and closes the source: now if no thread reads it or if closing ends a read; otherwise on the pump's
     * thread, when a read under way has returned.
     */
    void close() {
        closed = true;
        chunk.set(null);
        Thread reader = thread.get();
        if (reader == null || closingEndsRead) closeSource();
        if (reader != null) LockSupport.unpark(reader);
    }
}
