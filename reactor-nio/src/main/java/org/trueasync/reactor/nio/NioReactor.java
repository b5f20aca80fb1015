package org.trueasync.reactor.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.spi.AbstractReactor;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;
import org.trueasync.spi.TerminalHandle;
import org.trueasync.spi.UdpHandle;
import org.trueasync.spi.WatchHandle;

/** The reactor on one selector. */
final class NioReactor extends AbstractReactor {
    /**
     * The size of the read and of the write buffer, in bytes; all streams of the loop share both. Also that of the
     * datagram buffer and of a pump's chunk.
     */
    static final int CHUNK = 64 * 1024;

    /*
     * The JDK's locks that a turn takes (the selector's, its queues', those of our channels) are private to us, and no
     * thread parks while it holds one: a coroutine in the middle of a read or a write stays on the loop thread until
     * that is done. So the loop's frame never waits for a coroutine.
     *
     * Ready handles are noted while the selector is used, and served afterwards: so listeners may close and open
     * handles. If a selection in between (see flush) has passed over a handle, it is as ready as before in the next
     * turn, because selectors are level-triggered.
     *
     * An interrupt of the loop thread ends one wait at most. The flag is cleared before the selector is used, which
     * would not wait at all otherwise, and is set again afterwards. Channels that do not block are not closed by
     * interrupts.
     */
    private final Selector selector = openSelector();
    private final Consumer<SelectionKey> addReady = this::addReady;
    private SelectedHandle[] ready = new SelectedHandle[64];
    private int[] readyFor = new int[64];
    private int readyCount;

    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(CHUNK);
    private final ByteBuffer writeBuffer = ByteBuffer.allocateDirect(CHUNK);
    private @Nullable ByteBuffer datagramBuffer;

    private final Trigger trigger = new Trigger(selector);

    private final List<NioHandle> handles = new ArrayList<>();
    private final ArrayDeque<NioHandle> closing = new ArrayDeque<>();
    private final ArrayDeque<NioHandle> deferred = new ArrayDeque<>();

    private final ConcurrentLinkedQueue<Runnable> posts = new ConcurrentLinkedQueue<>();
    private volatile boolean takesPosts = true;
    private @Nullable FolderWatches folders;

    NioReactor() {
        NioErrors.prepare();
    }

    private static Selector openSelector() {
        try {
            return Selector.open();
        } catch (IOException e) {
            SystemError error = SystemError.of(e);
            throw new AsyncException("the JDK can't make a selector: " + error + NioErrors.hint(error), e);
        }
    }

    @Override
    public String description() {
        return "nio, JDK " + Runtime.version();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    // ---- the turn

    @Override
    protected void turn(boolean noWait) {
        int ending = closing.size();
        if (!noWait) {
            boolean waits = trigger.beginWait() && ending == 0 && deferred.isEmpty();
            select(waits);
            trigger.endWait();
        } else if (!handles.isEmpty()) {
            select(false);
        }
        serveReady();
        if (!posts.isEmpty()) runPosts();
        if (!deferred.isEmpty()) runDeferred();
        if (ending > 0) finish(ending);
    }

    private void select(boolean waits) {
        boolean interrupted = Thread.interrupted();
        try {
            long milliseconds = waits ? millisecondsLeft() : 0;
            if (milliseconds == 0) selector.selectNow(addReady);
            else selector.select(addReady, milliseconds == Long.MAX_VALUE ? 0 : milliseconds);
        } catch (Throwable e) {
            failed(e);
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    /**
     * Milliseconds until a waiting turn has to end, rounded up; 0 if it must not wait, {@link Long#MAX_VALUE} if it has
     * no limit.
     */
    private long millisecondsLeft() {
        long until = deadline();
        if (until == Long.MAX_VALUE) return Long.MAX_VALUE;
        long nanosLeft = until - System.nanoTime();
        return nanosLeft <= 0 ? 0 : (nanosLeft + 999_999) / 1_000_000;
    }

    private void addReady(SelectionKey key) {
        if (readyCount == ready.length) {
            ready = Arrays.copyOf(ready, readyCount * 2);
            readyFor = Arrays.copyOf(readyFor, readyCount * 2);
        }
        ready[readyCount] = (SelectedHandle) key.attachment();
        readyFor[readyCount++] = key.readyOps();
    }

    private void serveReady() {
        for (int i = 0; i < readyCount; i++) {
            SelectedHandle handle = ready[i];
            try {
                if (!handle.isClosed()) handle.ready(readyFor[i]);
            } catch (Throwable t) {
                failed(t);
            }
        }
        Arrays.fill(ready, 0, readyCount, null);
        readyCount = 0;
    }

    private void runPosts() {
        Runnable post;
        while ((post = posts.poll()) != null) {
            try {
                post.run();
            } catch (Throwable t) {
                failed(t);
            }
        }
    }

    private void runDeferred() {
        for (int left = deferred.size(); left > 0; left--) {
            NioHandle handle = deferred.remove();
            try {
                if (!handle.isClosed()) handle.runDeferred();
            } catch (Throwable t) {
                failed(t);
            }
        }
    }

    /** Finishes the handles that were closed before the selector was used: that use has closed their descriptors. */
    private void finish(int count) {
        for (int left = count; left > 0; left--) {
            NioHandle handle = closing.remove();
            forget(handle);
            try {
                handle.finished();
            } catch (Throwable t) {
                failed(t);
            }
        }
        descriptorFreed();
    }

    @Override
    public void trigger() {
        trigger.trigger();
    }

    /**
     * Queues a task for the present turn or the next one. Any thread; does not wait for the loop.
     *
     * @return false if the reactor is closed; if it is closed later, a task that has not run is dropped
     */
    boolean post(Runnable task) {
        if (!takesPosts) return false;
        posts.add(task);
        trigger.trigger();
        return true;
    }

    /** How many tasks are queued; for tests. */
    int pendingPosts() {
        return posts.size();
    }

    /**
     * Has {@link NioHandle#runDeferred} called at the end of the present turn. If no turn runs, or it makes such calls
     * already, that is the next turn, which then does not wait.
     */
    void defer(NioHandle handle) {
        deferred.add(handle);
    }

    // ---- handles

    @Override
    public boolean hasDescriptors() {
        return false;
    }

    @Override
    public PollHandle poll(int descriptor, PollHandle.Listener listener) {
        throw new UnsupportedOperationException(
                "the reactor 'nio' can't poll bare descriptors, as the JDK can't; the reactor 'libuv' can");
    }

    @Override
    public ListenHandle listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener) {
        NioErrors.requireResolved(local);
        requireUsable("listen");
        return NioListener.tcp(this, local, options, listener);
    }

    @Override
    public TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener) {
        NioErrors.requireResolved(remote);
        requireUsable("connect");
        return NioTcp.connecting(this, remote, listener);
    }

    @Override
    public ListenHandle listenUnix(
            Path path, int permissions, ListenHandle.Options options, ListenHandle.Listener listener) {
        requireUsable("listenUnix");
        return NioListener.unix(this, path, permissions, options, listener);
    }

    @Override
    public StreamHandle connectUnix(Path path, StreamHandle.Listener listener) {
        requireUsable("connectUnix");
        return NioStream.connectingUnix(this, path, listener);
    }

    @Override
    public UdpHandle bindUdp(InetSocketAddress local, UdpHandle.Options options, UdpHandle.Listener listener) {
        NioErrors.requireResolved(local);
        requireUsable("bindUdp");
        return NioUdp.bound(this, local, options, listener);
    }

    @Override
    public TerminalHandle terminal(int descriptor, StreamHandle.Listener listener) {
        requireUsable("terminal");
        return NioTerminal.open(this, descriptor, listener);
    }

    @Override
    public boolean isTerminal(int descriptor) {
        return NioTerminal.isTerminal(descriptor);
    }

    @Override
    public ChildHandle spawn(ChildHandle.Spec spec, ChildHandle.Listener listener) {
        requireUsable("spawn");
        return NioChild.start(this, spec, listener);
    }

    @Override
    public WatchHandle watch(Path path, WatchHandle.Listener listener) {
        requireUsable("watch");
        FolderWatches all = folders;
        if (all == null) folders = all = new FolderWatches(this);
        return all.watch(path, listener);
    }

    @Override
    public int openHandles() {
        return handles.size();
    }

    Selector selector() {
        return selector;
    }

    /** Adds a handle to those that are open. */
    void opened(NioHandle handle) {
        handle.place = handles.size();
        handles.add(handle);
    }

    private void forget(NioHandle handle) {
        NioHandle last = handles.removeLast();
        if (last == handle) return;
        handles.set(handle.place, last);
        last.place = handle.place;
    }

    /** Queues a closed handle: the next turn finishes it, and does not wait. */
    void closing(NioHandle handle) {
        closing.add(handle);
    }

    /** Makes the JDK release the ports and descriptors of closed channels now. */
    void flush() {
        boolean interrupted = Thread.interrupted();
        try {
            selector.selectNow(NioReactor::ignore);
        } catch (IOException e) {
            // they are released in the next turn
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    /** Ignores a ready handle, which is as ready in the next turn. */
    private static void ignore(SelectionKey key) {}

    /**
     * Opens something that needs a descriptor. If none is left, releases those of closed channels and tries once more.
     */
    <T> T open(Opening<T> opening) throws IOException {
        try {
            return opening.open();
        } catch (IOException e) {
            if (closing.isEmpty() || !isShortage(e)) throw e;
            flush();
            return opening.open();
        }
    }

    private static boolean isShortage(IOException thrown) {
        return switch (SystemError.of(thrown).errno()) {
            case "EMFILE", "ENFILE" -> true;
            default -> false;
        };
    }

    /** Opens a channel or the like. */
    interface Opening<T> {
        T open() throws IOException;
    }

    /** Returns the buffer into which streams read; valid until the next read of any stream. */
    ByteBuffer readBuffer() {
        return readBuffer.clear().order(ByteOrder.BIG_ENDIAN);
    }

    /**
     * Returns the buffer into which bytes are copied for a write if they are not in direct memory; valid for one system
     * call.
     */
    ByteBuffer writeBuffer() {
        return writeBuffer.clear();
    }

    /** Returns the buffer into which datagrams are received; larger than any datagram. */
    ByteBuffer datagramBuffer() {
        ByteBuffer buffer = datagramBuffer;
        if (buffer == null) datagramBuffer = buffer = ByteBuffer.allocateDirect(CHUNK);
        return buffer.clear();
    }

    // ---- threads

    /**
     * True on the loop thread and on any virtual thread: that may be a coroutine of this loop, which can't be checked
     * here; the callers have checked it.
     */
    @Override
    protected boolean isLoopThread() {
        Thread current = Thread.currentThread();
        return current == thread() || current.isVirtual();
    }

    /** System calls made by triggers, for tests. */
    int triggersSent() {
        return trigger.sent();
    }

    // ---- end

    @Override
    protected void end() {
        takesPosts = false;
        for (NioHandle handle : List.copyOf(handles)) handle.close();
        posts.clear();
        deferred.clear();
        if (folders != null) folders.close();
        try {
            selector.close();
        } catch (IOException e) {
            failed(new AsyncException("the JDK can't close its selector: " + SystemError.of(e), e));
        }
        finish(closing.size());
    }
}
