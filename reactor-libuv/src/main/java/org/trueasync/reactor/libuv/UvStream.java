package org.trueasync.reactor.libuv;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/**
 * A stream; base of TCP connections ({@link UvTcp}), Unix sockets and pipes ({@link UvPipe}) and terminals
 * ({@link UvTerminal}).
 */
abstract class UvStream extends UvHandle implements StreamHandle {
    /*
     * Reading. To stop and start again costs libuv two or three epoll_ctl calls, for each message if a caller reads one
     * at a time. So stopReading() only clears `wanted`. If bytes come while they are not wanted, allocate() gives libuv
     * no room for them, libuv reports that to read() without having read anything, and only there native reading is
     * stopped. Bytes, end and error stay in the kernel meanwhile. One case reaches us unwanted: libuv may conclude from
     * a hang-up that the end has come. That end is dropped, as the next start meets it again.
     *
     * Writing. The connect and the shutdown request are behind the handle in its block, in the same place, as a stream
     * is connected before it can be shut down. Each write has a block of its own: the request, then the bytes; the
     * callback, which always comes, even after close, frees it. A write that libuv refuses at once has no callback: it
     * is counted in `refused` and reported at the end of a turn, after all earlier ones. Writes after it are refused
     * too, because a libuv stream that has lost its writing side stays so.
     */
    private static final long REQUEST_SIZE = Math.max(UvLayouts.CONNECT_SIZE, UvLayouts.SHUTDOWN_SIZE);

    private final long request;
    final Listener listener;
    private boolean abandoned;
    private boolean connected;
    private boolean readable = true;
    private boolean writable = true;
    /** True between {@link #startReading} and {@link #stopReading}. */
    boolean wanted;
    /** True while libuv reads; independent of {@link #wanted}. */
    private boolean reading;

    private int pending;
    private int refused;
    private @Nullable SystemError refusal;
    /** True once the end has been requested: the system or libuv refuses later writes. */
    boolean shutting;

    private @Nullable SystemError shutRefusal;

    /**
     * Makes a stream whose native handle has to be initialised.
     *
     * @param size of the native handle
     */
    UvStream(UvReactor reactor, Listener listener, long size) {
        super(reactor, requestOffset(size) + REQUEST_SIZE);
        this.listener = listener;
        this.request = address + requestOffset(size);
    }

    private static long requestOffset(long size) {
        return size + 15 & -16;
    }

    /** Takes the result of initialising the native handle, and returns it; must be called once. */
    final int initialised(int status) {
        if (status < 0) discard();
        else opened();
        return status;
    }

    /** Prepares and returns the connect request. */
    final long connectRequest() {
        NativeMemory.setLong(request + UvLayouts.DATA, id);
        return request;
    }

    /** Marks the stream as connected, with the directions that it has. */
    final void connected(boolean canRead, boolean canWrite) {
        connected = true;
        readable = canRead;
        writable = canWrite;
    }

    /** Closes a stream that no caller has seen; its listener is not called. */
    final void abandon() {
        abandoned = true;
        if (!isClosed()) close();
    }

    void connected(int status) {
        connected = status >= 0;
        if (!isClosed()) listener.onConnected(UvErrors.orNull(status));
    }

    // ---- reading

    @Override
    public @Nullable SystemError startReading() {
        SystemError unfit = unfitToRead();
        if (unfit != null) return unfit;
        if (!reading) {
            int status = Uv.readStart(address, Upcalls.ALLOCATE, Upcalls.READ);
            if (status < 0) return UvErrors.of(status);
            reading = true;
        }
        wanted = true;
        return null;
    }

    @Override
    public void stopReading() {
        wanted = false;
    }

    /** Reads without libuv, which may still be watching for bytes; it then finds none. */
    @Override
    public void readNow() {
        SystemError unfit = unfitToRead();
        if (unfit != null) {
            listener.onReadError(unfit);
            return;
        }
        int descriptor = reactor.descriptorOf(address);
        int count = descriptor < 0 ? descriptor : readNow(descriptor);
        if (count > 0) listener.onBytes(reactor.received(count));
        else if (count == 0) listener.onEnd();
        else if (count != -Platform.EAGAIN) listener.onReadError(UvErrors.of(count));
    }

    /** Returns bytes read into the reactor's buffer, 0 at the end, or a negative errno: EAGAIN if there is nothing. */
    int readNow(int descriptor) {
        return SocketCalls.read(reactor.errno(), descriptor, reactor.readAddress, UvReactor.CHUNK);
    }

    final @Nullable SystemError unfitToRead() {
        if (isClosed()) return UvErrors.CLOSED;
        if (!connected) return UvErrors.NOT_CONNECTED;
        if (!readable) return UvErrors.ONE_WAY;
        assert reactor.isLoopThread() : "stream used off its loop thread";
        return null;
    }

    /** Gives libuv a buffer to read into, or none. */
    void allocate(long buf) {
        if (!wanted) return; // libuv has set the length to 0
        NativeMemory.setLong(buf + UvLayouts.BUF_BASE, reactor.readAddress);
        NativeMemory.setLong(buf + UvLayouts.BUF_LEN, UvReactor.CHUNK);
    }

    /** Called when libuv has read, has met the end or an error, or had no buffer. */
    void read(long count) {
        if (count > 0) {
            listener.onBytes(reactor.received((int) count));
        } else if (count < 0) {
            if (wanted) {
                // libuv has stopped, or is about to.
                reading = false;
                wanted = false;
                if (count == Uv.EOF) listener.onEnd();
                else listener.onReadError(UvErrors.of((int) count));
            } else if (reading && !isClosed()) {
                reading = false;
                Uv.readStop(address);
            }
        }
    }

    // ---- writing

    @Override
    public @Nullable SystemError tryWrite(ByteBuffer bytes) {
        SystemError unfit = unfitToWrite();
        if (unfit != null) return unfit;
        if (pending > 0) return null;
        if (refused > 0) return refusal;
        return bytes.isDirect() ? tryWriteDirect(bytes) : tryWriteCopy(bytes);
    }

    @Override
    public @Nullable SystemError tryWrite(ByteBuffer[] bytes) {
        SystemError unfit = unfitToWrite();
        if (unfit != null) return unfit;
        if (pending > 0) return null;
        if (refused > 0) return refusal;
        return reactor.gather().write(address, bytes);
    }

    private @Nullable SystemError unfitToWrite() {
        if (isClosed()) return UvErrors.CLOSED;
        if (!connected) return UvErrors.NOT_CONNECTED;
        if (!writable) return UvErrors.ONE_WAY;
        assert reactor.isLoopThread() : "stream used off its loop thread";
        return null;
    }

    private @Nullable SystemError tryWriteCopy(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int position = bytes.position();
            int length = Math.min(bytes.limit() - position, UvReactor.CHUNK);
            reactor.writeBuffer.put(0, bytes, position, length);
            int taken = writeNow(reactor.writeAddress, length);
            if (taken < 0) return taken == -Platform.EAGAIN ? null : UvErrors.of(taken);
            bytes.position(position + taken);
            if (taken < length) return null; // full: trying again would only cost a system call
        }
        return null;
    }

    /** Returns how many bytes the system has taken, or a negative errno. Only while no write is pending. */
    int writeNow(long bytes, int length) {
        return reactor.tryWrite(address, bytes, length);
    }

    private @Nullable SystemError tryWriteDirect(ByteBuffer bytes) {
        int length = bytes.remaining();
        if (length == 0) return null;
        int taken;
        try {
            taken = writeNow(NativeMemory.addressOf(bytes), length);
        } finally {
            Reference.reachabilityFence(bytes);
        }
        if (taken < 0) return taken == -Platform.EAGAIN ? null : UvErrors.of(taken);
        bytes.position(bytes.position() + taken);
        return null;
    }

    @Override
    public void write(ByteBuffer bytes) {
        requireOpen("write");
        assert reactor.isLoopThread() : "stream used off its loop thread";
        int length = bytes.remaining();
        if (!writable) {
            bytes.position(bytes.limit());
            refuseWrite(UvErrors.ONE_WAY);
            return;
        }
        long block = NativeMemory.allocate(UvLayouts.WRITE_SIZE + length);
        long content = block + UvLayouts.WRITE_SIZE;
        copyOrFree(bytes, content, block);
        bytes.position(bytes.limit());
        NativeMemory.setLong(block + UvLayouts.DATA, id);
        int status = reactor.write(block, address, content, length);
        if (status >= 0) {
            pending++;
            return;
        }
        NativeMemory.free(block);
        refuseWrite(UvErrors.of(status));
    }

    private void refuseWrite(SystemError error) {
        refused++;
        refusal = error;
        reactor.defer(this);
    }

    private static void copyOrFree(ByteBuffer bytes, long to, long block) {
        try {
            NativeMemory.copy(bytes, to);
        } catch (Throwable e) {
            NativeMemory.free(block);
            throw e;
        }
    }

    /** Called when the oldest write has ended. */
    void written(int status) {
        pending--;
        if (isClosed()) return;
        if (pending == 0 && refused > 0) reactor.defer(this);
        listener.onWritten(UvErrors.orNull(status));
    }

    @Override
    public void shutdown() {
        requireOpen("shutdown");
        assert reactor.isLoopThread() : "stream used off its loop thread";
        if (shutting || !connected) {
            refuseShutdown(UvErrors.NOT_CONNECTED);
            return;
        }
        NativeMemory.setLong(request + UvLayouts.DATA, id);
        int status = Uv.shutdown(request, address, Upcalls.SHUT);
        if (status < 0) refuseShutdown(UvErrors.of(status));
        else shutting = true;
    }

    private void refuseShutdown(SystemError error) {
        shutRefusal = error;
        reactor.defer(this);
    }

    void shut(int status) {
        if (!isClosed()) listener.onShutdown(UvErrors.orNull(status));
    }

    /** Reports what libuv refused at once. Called at the end of a turn, after {@link UvReactor#defer}. */
    void runDeferred() {
        if (pending == 0 && refused > 0 && !isClosed()) {
            refused--;
            if (refused > 0) reactor.defer(this);
            listener.onWritten(refusal);
        }
        SystemError error = shutRefusal;
        if (error != null && !isClosed()) {
            shutRefusal = null;
            listener.onShutdown(error);
        }
    }

    @Override
    void nativeClosed() {
        super.nativeClosed();
        if (!abandoned) listener.onClosed();
    }
}
