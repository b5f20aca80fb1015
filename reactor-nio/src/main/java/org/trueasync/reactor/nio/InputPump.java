package org.trueasync.reactor.nio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Reads a stream that blocks, on a thread of its own: one chunk at a time, when somebody has asked for it and has taken the one before. */
final class InputPump {
    /*
     * The thread begins with the first question, and ends after close() once the system has let it go. It then closes the source itself, since that may
     * wait for who is reading; unless closing calls the reader off. What came for somebody who has left stays here for the next one: a line typed at a terminal is not lost.
     */
    private final String name;
    private final InputStream source;
    private final boolean canBeCalledOff;
    private final CopyOnWriteArrayList<Receiver> receivers = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Chunk> chunk = new AtomicReference<>();
    private final AtomicBoolean asked = new AtomicBoolean();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean closed;

    /**
     * What one read brought.
     *
     * @param bytes null at the end, and after an error
     * @param error why it failed, or null
     */
    record Chunk(@Nullable ByteBuffer bytes, @Nullable IOException error) {}

    /**
     * A pump that does nothing yet.
     *
     * @param name of its thread
     * @param source what is read; belongs to the pump
     * @param canBeCalledOff whether closing the source ends a read that waits
     */
    InputPump(String name, InputStream source, boolean canBeCalledOff) {
        this.name = name;
        this.source = source;
        this.canBeCalledOff = canBeCalledOff;
    }

    /** Who waits for chunks. */
    interface Receiver {
        /** A chunk may have come. On the pump's thread. */
        void chunkCame();
    }

    /** From now on this one is told. */
    void attach(Receiver receiver) {
        receivers.add(receiver);
    }

    void detach(Receiver receiver) {
        receivers.remove(receiver);
    }

    /** Has the next chunk read, if that is not under way. Any thread. */
    void ask() {
        asked.set(true);
        Thread reader = thread.get();
        if (reader != null) LockSupport.unpark(reader);
        else begin();
    }

    private synchronized void begin() {
        if (thread.get() == null) thread.set(Pumps.start(name, this::pump));
    }

    /** The chunk that has come, which is the caller's from then on; null if there is none. Any thread. */
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
            if (chunk.get() != null || !asked.compareAndSet(true, false)) {
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

    /** Reads no more, and closes the source as soon as nobody reads from it. */
    void close() {
        closed = true;
        chunk.set(null);
        Thread reader = thread.get();
        if (reader == null || canBeCalledOff) closeSource();
        if (reader != null) LockSupport.unpark(reader);
    }
}
