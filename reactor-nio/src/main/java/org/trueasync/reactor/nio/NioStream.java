package org.trueasync.reactor.nio;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** A stream over a socket: a Unix socket, or, as {@link NioTcp}, a TCP connection. */
sealed class NioStream extends SelectedHandle implements StreamHandle permits NioTcp {
    /*
     * Reading. A caller that reads one message at a time stops and starts for each. So stopReading() only clears
     * `wanted`. If bytes come while they are not wanted, they stay in the system, and only then the selector is told,
     * once. End and error stay in the system likewise.
     *
     * Writing. Bytes that write() takes are copied and queued, and sent when there is room. A write that is refused at
     * once is queued too, with its error, so that all are reported in order. Results of attempts to connect, writes and
     * shutdowns are never reported synchronously.
     */
    private static final int READS_PER_TURN = 16;

    /** From this size on, a copy costs more than a system call. */
    private static final int LARGE = 16 * 1024;

    private static final Done DONE = new Done(null);

    final SocketChannel channel;
    private final Listener listener;

    private boolean connected;
    /** True if the attempt to connect has failed, or a write has failed. */
    private boolean broken;
    /** Result of the attempt to connect, if it has to be reported; else null. */
    private @Nullable Done attempt;

    private boolean wanted;

    private final ArrayDeque<Pending> queue = new ArrayDeque<>(2);
    private boolean shutting;
    private boolean shutdownDue;
    private final ArrayDeque<Done> shutdowns = new ArrayDeque<>(1);

    /** A write that is not finished, with its error if it was refused at once. */
    private record Pending(ByteBuffer bytes, @Nullable SystemError refused) {}

    /** The result of an operation. */
    private record Done(@Nullable SystemError error) {}

    /**
     * Makes a stream on a channel that is connected already, or for which {@link #begun} follows. The channel must be
     * made non-blocking before the stream is used.
     */
    NioStream(NioReactor reactor, SocketChannel channel, boolean connected, Listener listener) {
        this.channel = channel;
        this.listener = listener;
        this.connected = connected;
        super(reactor, channel);
        reactor.opened(this);
    }

    /** Returns a stream that connects to a Unix socket. */
    static NioStream connectingUnix(NioReactor reactor, Path path, Listener listener) {
        SocketChannel channel;
        try {
            channel = reactor.open(() -> SocketChannel.open(StandardProtocolFamily.UNIX));
        } catch (IOException e) {
            throw NioErrors.exception("connect to", path, e);
        }
        var stream = new NioStream(reactor, channel, false, listener);
        try {
            channel.configureBlocking(false);
            UnixSocketFile.requireFits(path);
            boolean done = UnixSocketFile.reach(path, true, channel::connect);
            // if it is not connected now, the server's backlog is full, and nothing reports when it has room
            stream.begun(done, done ? null : new SystemError("EAGAIN", "resource temporarily unavailable"));
        } catch (IOException e) {
            stream.begun(false, SystemError.of(e));
        }
        return stream;
    }

    // ---- connecting

    /**
     * Follows an attempt to connect that has begun. Its result is never reported synchronously.
     *
     * @param isConnected whether it has succeeded already
     * @param refused why it has failed already, or null
     */
    final void begun(boolean isConnected, @Nullable SystemError refused) {
        if (isConnected || refused != null) {
            attempt = new Done(refused);
            reactor.defer(this);
        } else {
            want(SelectionKey.OP_CONNECT);
        }
    }

    private void reportAttempt(@Nullable SystemError error) {
        connected = error == null;
        broken = error != null;
        if (!queue.isEmpty()) refuseOrWrite(error);
        listener.onConnected(error);
    }

    private void refuseOrWrite(@Nullable SystemError error) {
        if (error == null) {
            want(SelectionKey.OP_WRITE);
            return;
        }
        for (int left = queue.size(); left > 0; left--) queue.add(new Pending(queue.remove().bytes, error));
        reactor.defer(this);
    }

    @Override
    void ready(int operations) {
        if ((operations & SelectionKey.OP_CONNECT) != 0) finishConnect();
        if ((operations & SelectionKey.OP_READ) != 0) readable();
        if ((operations & SelectionKey.OP_WRITE) != 0 && !isClosed()) writable();
    }

    private void finishConnect() {
        SystemError error = null;
        try {
            if (!channel.finishConnect()) return;
            unwant(SelectionKey.OP_CONNECT);
        } catch (IOException e) {
            error = SystemError.of(e); // the JDK has closed the channel
        }
        reportAttempt(error);
    }

    // ---- reading

    @Override
    public @Nullable SystemError startReading() {
        if (isClosed()) return NioErrors.CLOSED;
        if (!connected) return NioErrors.NOT_CONNECTED;
        wanted = true;
        want(SelectionKey.OP_READ);
        return null;
    }

    @Override
    public void stopReading() {
        wanted = false;
    }

    @Override
    public void readNow() {
        if (isClosed()) listener.onReadError(NioErrors.CLOSED);
        else if (!connected) listener.onReadError(NioErrors.NOT_CONNECTED);
        else readOnce();
    }

    private void readable() {
        if (!wanted) unwant(SelectionKey.OP_READ);
        for (int i = 0; i < READS_PER_TURN && wanted && !isClosed(); i++) {
            // reading again after less than a chunk would only cost a system call
            if (readOnce() < NioReactor.CHUNK) return;
        }
    }

    /**
     * Reads what is there and tells the listener; returns the number of bytes, -1 at the end, 0 if there are none or
     * after an error.
     */
    private int readOnce() {
        ByteBuffer into = reactor.readBuffer();
        int count;
        try {
            count = channel.read(into);
        } catch (IOException e) {
            readingHasEnded();
            listener.onReadError(SystemError.of(e));
            return 0;
        }
        if (count < 0) {
            readingHasEnded();
            listener.onEnd();
        } else if (count > 0) {
            listener.onBytes(into.flip());
        }
        return count;
    }

    private void readingHasEnded() {
        wanted = false;
        unwant(SelectionKey.OP_READ);
    }

    // ---- writing

    @Override
    public @Nullable SystemError tryWrite(ByteBuffer bytes) {
        SystemError refused = refusal();
        if (refused != null || !queue.isEmpty()) return refused;
        try {
            send(bytes);
            return null;
        } catch (IOException e) {
            return failed(e);
        }
    }

    @Override
    public @Nullable SystemError tryWrite(ByteBuffer[] bytes) {
        SystemError refused = refusal();
        if (refused != null || !queue.isEmpty()) return refused;
        try {
            gather(bytes);
            return null;
        } catch (IOException e) {
            return failed(e);
        }
    }

    private @Nullable SystemError refusal() {
        if (isClosed()) return NioErrors.CLOSED;
        if (!connected) return NioErrors.NOT_CONNECTED;
        return shutting ? NioErrors.BROKEN_PIPE : null;
    }

    private SystemError failed(IOException thrown) {
        broken = true;
        return thrown instanceof ClosedChannelException ? NioErrors.BROKEN_PIPE : SystemError.of(thrown);
    }

    /** Sends as much as the system takes; true if that is all. */
    private boolean send(ByteBuffer bytes) throws IOException {
        if (bytes.isDirect()) {
            if (bytes.hasRemaining()) channel.write(bytes);
            return !bytes.hasRemaining();
        }
        while (bytes.hasRemaining()) {
            ByteBuffer copy = reactor.writeBuffer();
            int position = bytes.position();
            int length = Math.min(bytes.remaining(), copy.remaining());
            copy.put(0, bytes, position, length).limit(length);
            int taken = channel.write(copy);
            bytes.position(position + taken);
            if (taken < length) return false; // full: trying again would only cost a system call
        }
        return true;
    }

    /**
     * Sends several buffers, as far as the system takes them. Large ones in direct memory are sent as they are, unless
     * they come behind small ones; the others are copied behind one another, for one system call. The JDK's gathering
     * write is not used: if a buffer occurs twice, that sends it twice.
     */
    private void gather(ByteBuffer[] parts) throws IOException {
        for (int i = 0; i < parts.length; ) {
            boolean all;
            if (parts[i].isDirect() && parts[i].remaining() >= LARGE) {
                all = send(parts[i++]);
            } else {
                int next = i;
                ByteBuffer copy = reactor.writeBuffer();
                int[] moved = new int[parts.length];
                int taken = 0;
                try {
                    while (next < parts.length && copy.hasRemaining()) {
                        moved[next] = move(parts[next], copy);
                        if (parts[next].hasRemaining()) break;
                        next++;
                    }
                    copy.flip();
                    taken = copy.hasRemaining() ? channel.write(copy) : 0;
                } finally {
                    giveBack(parts, moved, taken);
                }
                all = !copy.hasRemaining();
                i = next;
            }
            if (!all) return;
        }
    }

    private static int move(ByteBuffer from, ByteBuffer to) {
        int length = Math.min(from.remaining(), to.remaining());
        to.put(to.position(), from, from.position(), length).position(to.position() + length);
        from.position(from.position() + length);
        return length;
    }

    /** Moves positions back by the bytes that were copied and not taken. */
    private static void giveBack(ByteBuffer[] parts, int[] moved, int taken) {
        int unassigned = taken;
        for (int i = 0; i < parts.length; i++) {
            int kept = Math.min(unassigned, moved[i]);
            unassigned -= kept;
            parts[i].position(parts[i].position() - (moved[i] - kept));
        }
    }

    @Override
    public void write(ByteBuffer bytes) {
        requireOpen("write");
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
        boolean lost = shutting || (broken && !connected);
        queue.add(new Pending(copy, lost ? NioErrors.BROKEN_PIPE : null));
        if (lost) reactor.defer(this);
        else if (connected) want(SelectionKey.OP_WRITE);
    }

    private void writable() {
        Pending oldest;
        while ((oldest = queue.peek()) != null) {
            SystemError error = oldest.refused;
            if (error == null) {
                try {
                    if (!send(oldest.bytes)) return;
                } catch (IOException e) {
                    error = failed(e);
                }
            }
            queue.remove();
            listener.onWritten(error);
            if (isClosed()) return;
        }
        unwant(SelectionKey.OP_WRITE);
        if (shutdownDue) shutDown();
    }

    @Override
    public void shutdown() {
        requireOpen("shutdown");
        if (shutting || !connected) {
            shutdowns.add(new Done(NioErrors.NOT_CONNECTED));
            reactor.defer(this);
            return;
        }
        shutting = true;
        if (queue.isEmpty()) shutDown();
        else shutdownDue = true;
    }

    private void shutDown() {
        shutdownDue = false;
        Done done = DONE;
        try {
            channel.shutdownOutput();
            if (broken) done = new Done(NioErrors.NOT_CONNECTED);
        } catch (IOException e) {
            done = new Done(SystemError.of(e));
        }
        shutdowns.add(done);
        reactor.defer(this);
    }

    /** Reports results that must not be reported synchronously. */
    @Override
    void runDeferred() {
        Done ended = attempt;
        attempt = null;
        if (ended != null) reportAttempt(ended.error);
        Pending oldest = queue.peek();
        if (oldest != null && oldest.refused != null && !isClosed()) {
            queue.remove();
            if (!queue.isEmpty()) reactor.defer(this);
            listener.onWritten(oldest.refused);
        }
        Done shut = isClosed() ? null : shutdowns.poll();
        if (shut == null) return;
        if (!shutdowns.isEmpty()) reactor.defer(this);
        listener.onShutdown(shut.error);
    }

    // ---- the end

    @Override
    void release() {
        queue.clear();
        super.release();
    }

    @Override
    void finished() {
        listener.onClosed();
    }

    @Override
    public String toString() {
        return "unix stream" + (isClosed() ? ", closed" : "");
    }
}
