package org.trueasync.internal.testkit;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** The connection of a {@link VirtualSocket}: its calls wait, and throw what the JDK's own throw. Loop thread. */
final class SocketStream implements StreamHandle.Listener {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final NetworkStack stack;
    private final SocketWait wait;
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private @Nullable VirtualTcp handle;
    private boolean connected;
    private ByteBuffer inbound = NOTHING;
    private boolean ended;
    private boolean writes;
    private boolean closed;
    private @Nullable SystemError failure;
    private @Nullable SystemError writeFailure;

    SocketStream(NetworkStack stack) {
        this.stack = stack;
        this.wait = new SocketWait(stack);
    }

    // ---- its beginning

    /** @param millis 0: as long as TCP tries */
    void connect(InetSocketAddress remote, int millis) throws IOException {
        begin(remote);
        try {
            wait.until(() -> connected || failure != null || closed, millis, "Connect timed out");
        } catch (IOException e) {
            close(false);
            throw e;
        }
        finishConnect();
    }

    /** Begins to connect; see {@link #finishConnect}. */
    void begin(InetSocketAddress remote) throws IOException {
        try {
            handle = stack.connect(remote, this);
        } catch (InputOutputException e) {
            throw new ConnectException(e.getMessage());
        }
    }

    /** Returns whether it is connected by now; closes it if it can't be. */
    boolean finishConnect() throws IOException {
        SystemError refused = failure;
        requireOpen();
        if (refused == null) return connected;
        close(false);
        throw switch (refused.errno()) {
            case "EHOSTUNREACH" -> new NoRouteToHostException("No route to host");
            case "ECONNREFUSED" -> new ConnectException("Connection refused");
            default -> new ConnectException(sentence(refused));
        };
    }

    /** True if the attempt to connect has ended, in whatever way. */
    boolean hasConnected() {
        return connected || failure != null || closed;
    }

    /** It has been accepted. */
    void accepted(VirtualTcp stream) {
        handle = stream;
        connected = true;
    }

    SocketWait waiters() {
        return wait;
    }

    @Nullable
    VirtualTcp handle() {
        return handle;
    }

    private VirtualTcp requireOpen() throws SocketException {
        VirtualTcp open = handle;
        if (closed) throw new SocketException("Socket closed");
        if (open == null) throw new SocketException("Socket is not connected");
        return open;
    }

    // ---- reading

    /** Returns the count of bytes read, or -1 at the end. */
    int read(byte[] into, int offset, int length, int millis) throws IOException {
        return read(ByteBuffer.wrap(into, offset, length), millis);
    }

    /** Returns the count of bytes read, or -1 at the end. */
    int read(ByteBuffer into, int millis) throws IOException {
        if (!into.hasRemaining()) return 0;
        readLock.lock();
        try {
            VirtualTcp open = requireOpen();
            wait.until(() -> hasInput(open), millis, "Read timed out");
            return take(into);
        } finally {
            readLock.unlock();
        }
    }

    /** As {@link #read}, but does not wait: 0 if nothing has arrived. */
    int readNow(ByteBuffer into) throws IOException {
        available();
        return !into.hasRemaining() || !hasArrived() ? 0 : take(into);
    }

    private int take(ByteBuffer into) throws IOException {
        if (!inbound.hasRemaining()) {
            requireOpen();
            if (ended) return -1;
            if (failure != null) throw error(failure);
        }
        int count = Math.min(into.remaining(), inbound.remaining());
        into.put(inbound.slice(inbound.position(), count));
        inbound.position(inbound.position() + count);
        return count;
    }

    private boolean hasArrived() {
        return inbound.hasRemaining() || ended || failure != null || closed;
    }

    /** True if a read would not wait. Else what arrives wakes those who wait. */
    boolean isReadable() {
        VirtualTcp open = handle;
        return open == null || hasInput(open);
    }

    private boolean hasInput(VirtualTcp open) {
        if (hasArrived()) return true;
        failure = open.startReading();
        return failure != null;
    }

    int available() throws IOException {
        VirtualTcp open = requireOpen();
        if (!inbound.hasRemaining() && !ended && failure == null) open.readNow();
        return inbound.remaining();
    }

    void endInput() throws IOException {
        requireOpen();
        inbound = NOTHING;
        ended = true;
        wait.wake();
    }

    // ---- writing

    void write(ByteBuffer bytes) throws IOException {
        writeLock.lock();
        try {
            VirtualTcp open = requireOpen();
            SystemError refused = open.tryWrite(bytes);
            if (refused != null) throw error(refused);
            if (!bytes.hasRemaining()) return;
            writes = true;
            open.write(bytes);
            wait.until(() -> !writes || closed, 0, "");
            requireOpen();
            if (writeFailure != null) throw error(writeFailure);
        } finally {
            writeLock.unlock();
        }
    }

    /** Writes what there is room for; returns how much that is. */
    int writeNow(ByteBuffer bytes) throws IOException {
        int before = bytes.remaining();
        SystemError refused = requireOpen().tryWrite(bytes);
        if (refused != null) throw error(refused);
        return before - bytes.remaining();
    }

    /** True if there is room. Else room wakes those who wait. */
    boolean isWritable() {
        VirtualTcp open = handle;
        return open == null || open.hasRoom(wait::wake);
    }

    void endOutput() throws IOException {
        requireOpen().shutdown();
    }

    private static SocketException error(SystemError error) {
        return new SocketException(error.errno().equals("ECONNRESET") ? "Connection reset" : sentence(error));
    }

    private static String sentence(SystemError error) {
        return Character.toUpperCase(error.text().charAt(0)) + error.text().substring(1);
    }

    // ---- its end

    /** @param resets true: the peer is told so, and what is under way is lost */
    void close(boolean resets) {
        closed = true;
        VirtualTcp open = handle;
        if (open != null && resets) open.abort();
        else if (open != null) open.close();
        wait.wake();
    }

    // ---- what the connection tells

    @Override
    public void onConnected(@Nullable SystemError error) {
        connected = error == null;
        failure = error;
        wait.wake();
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
        if (!ended) inbound = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
        if (handle != null) handle.stopReading();
        wait.wake();
    }

    @Override
    public void onEnd() {
        ended = true;
        wait.wake();
    }

    @Override
    public void onReadError(SystemError error) {
        failure = error;
        wait.wake();
    }

    @Override
    public void onWritten(@Nullable SystemError error) {
        writes = false;
        writeFailure = error;
        wait.wake();
    }

    @Override
    public void onShutdown(@Nullable SystemError error) {}

    @Override
    public void onClosed() {
        closed = true;
        wait.wake();
    }
}
