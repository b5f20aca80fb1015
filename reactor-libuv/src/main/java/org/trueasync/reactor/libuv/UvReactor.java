package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.spi.AbstractReactor;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.FileHandle;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.ProcessorPin;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.TcpHandle;
import org.trueasync.spi.TerminalHandle;
import org.trueasync.spi.UdpHandle;
import org.trueasync.spi.WatchHandle;

/** The reactor on one libuv loop. */
final class UvReactor extends AbstractReactor {
    /**
     * The size of the read and of the write buffer, in bytes. All streams of the loop share both; files and datagrams
     * use the write buffer too.
     */
    static final int CHUNK = 64 * 1024;

    /** What an upcall caught before it had found its handle; can only be a bug. */
    static final AtomicReference<@Nullable Throwable> STRAY = new AtomicReference<>();

    /*
     * Two kinds of native memory. Memory that lives as long as the loop is in one arena; a shared one, because
     * coroutines are virtual threads and a confined arena would refuse them. Memory that is freed in libuv's callbacks
     * comes from NativeMemory.
     *
     * The bell's handle stays referenced: it keeps uv_run waiting when no other handle is open.
     */
    private final Arena arena = Arena.ofShared();
    final HandleTable handles = new HandleTable();
    final long loop;
    final long socketAddress = block(SocketAddresses.SIZE);
    private final long number = block(Long.BYTES);
    private final long buf = block(UvLayouts.BUF_SIZE);

    private @Nullable MemorySegment errno;
    private @Nullable UvPin pin;
    private @Nullable Gather gather;
    private @Nullable Datagrams datagrams;
    private @Nullable ReadySockets readySockets;

    private final ByteBuffer readBuffer;
    final long readAddress;
    final ByteBuffer writeBuffer;
    final long writeAddress;

    private final long timer = block(UvLayouts.TIMER_SIZE);
    private final Bell bell = Bell.of(this);
    private final Trigger trigger = new Trigger(bell);
    private final Alarm alarm;

    private final ArrayDeque<UvStream> deferred = new ArrayDeque<>();
    /** Events of all watches in this turn. */
    int watchEventsThisTurn;

    private final long threadId = Uv.threadSelf();

    UvReactor() {
        UvErrors.prepare();
        MemorySegment reads = arena.allocate(CHUNK, 4096);
        MemorySegment writes = arena.allocate(CHUNK, 4096);
        readBuffer = reads.asByteBuffer();
        readAddress = reads.address();
        writeBuffer = writes.asByteBuffer();
        writeAddress = writes.address();
        loop = block(UvLayouts.LOOP_SIZE);
        alarm = new Alarm(loop, timer);
        int status = LoopStart.init(loop);
        if (status >= 0) {
            status = bell.open(loop);
            if (status < 0) Uv.loopClose(loop);
        }
        if (status >= 0) {
            Uv.timerInit(loop, timer); // never fails
            return;
        }
        handles.dispose();
        arena.close();
        var error = UvErrors.of(status);
        throw new AsyncException("libuv can't make a loop: " + error + UvErrors.hint(error));
    }

    /** Allocates zeroed memory that lives as long as the loop. */
    long block(long size) {
        return arena.allocate(size, 16).address();
    }

    @Override
    public String description() {
        return "libuv " + UvLibrary.text(Uv.version());
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public ProcessorPin pin(int number) {
        requireUsable("pin");
        if (Platform.MAC) return super.pin(number);
        UvPin made = new UvPin(this, number);
        pin = made;
        return made;
    }

    void unpinned() {
        pin = null;
    }

    // ---- the turn

    @Override
    protected void turn(boolean noWait) {
        ReadySockets sockets = readySockets;
        if (noWait) {
            // Without handles there is nothing to report, and a trigger concerns only waiting turns.
            if (handles.size() > 0) Uv.run(loop, Uv.RUN_NOWAIT);
        } else if (deferred.isEmpty() && sockets != null && sockets.isServedWithoutLibuv()) {
            trigger.endWait();
            return;
        } else if (deferred.isEmpty() && trigger.beginWait()) {
            Uv.run(loop, alarm.arm(deadline()) ? Uv.RUN_ONCE : Uv.RUN_NOWAIT);
            trigger.endWait();
        } else {
            Uv.run(loop, Uv.RUN_NOWAIT);
            trigger.endWait();
        }
        if (sockets != null) sockets.serveReported();
        if (watchEventsThisTurn > 0) UvWatch.turnEnds(this);
        if (!deferred.isEmpty()) runDeferred();
        if (STRAY.getPlain() != null) takeStray();
    }

    private void takeStray() {
        Throwable thrown = STRAY.getAndSet(null);
        if (thrown != null) failed(thrown);
    }

    @Override
    public void trigger() {
        trigger.trigger();
    }

    /**
     * Has {@link UvStream#runDeferred} called at the end of the present turn. If no turn runs, or it makes such calls
     * already, that is the next turn, which then does not wait.
     */
    void defer(UvStream stream) {
        deferred.add(stream);
    }

    private void runDeferred() {
        for (int left = deferred.size(); left > 0; left--) {
            try {
                deferred.remove().runDeferred();
            } catch (Throwable t) {
                failed(t);
            }
        }
    }

    // ---- handles

    @Override
    public PollHandle poll(int descriptor, PollHandle.Listener listener) {
        requireUsable("poll");
        return UvPoll.open(this, descriptor, listener);
    }

    @Override
    public ListenHandle listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener) {
        SocketAddresses.requireResolved(local);
        requireUsable("listen");
        return new UvTcpListener(this, local, options, listener);
    }

    @Override
    public ListenHandle listenUnix(
            Path path, int permissions, ListenHandle.Options options, ListenHandle.Listener listener) {
        requireUsable("listen");
        return new UvPipeListener(this, path, permissions, options, listener);
    }

    @Override
    public StreamHandle connectUnix(Path path, StreamHandle.Listener listener) {
        requireUsable("connect");
        return UvPipe.connecting(this, path, listener);
    }

    @Override
    public TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener) {
        SocketAddresses.requireResolved(remote);
        requireUsable("connect");
        return UvTcp.connecting(this, remote, listener);
    }

    @Override
    public WatchHandle watch(Path path, WatchHandle.Listener listener) {
        requireUsable("watch");
        return new UvWatch(this, path, listener);
    }

    @Override
    public UdpHandle bindUdp(InetSocketAddress local, UdpHandle.Options options, UdpHandle.Listener listener) {
        SocketAddresses.requireResolved(local);
        requireUsable("bindUdp");
        return new UvUdp(this, local, options, listener);
    }

    @Override
    public FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        FileHandle file = UvFile.open(this, path, options, attributes);
        return file != null ? file : super.open(path, options, attributes);
    }

    @Override
    public ChildHandle spawn(ChildHandle.Spec spec, ChildHandle.Listener listener) {
        requireUsable("spawn");
        UvPin pinned = pin;
        if (pinned == null) return UvChild.spawn(this, spec, listener);
        pinned.pause();
        try {
            return UvChild.spawn(this, spec, listener);
        } finally {
            pinned.resume();
        }
    }

    @Override
    public boolean isTerminal(int descriptor) {
        return UvTerminal.isTerminal(descriptor);
    }

    @Override
    public TerminalHandle terminal(int descriptor, StreamHandle.Listener listener) {
        requireUsable("terminal");
        return UvTerminal.open(this, descriptor, listener);
    }

    @Override
    public int openHandles() {
        return handles.size();
    }

    // ---- for handles: calls that need the loop's scratch memory

    /** Returns the bytes just read; valid until the next read of any stream. */
    ByteBuffer received(int count) {
        return readBuffer.clear().limit(count).order(ByteOrder.BIG_ENDIAN);
    }

    int tryWrite(long stream, long bytes, int length) {
        NativeMemory.setLong(buf + UvLayouts.BUF_BASE, bytes);
        NativeMemory.setLong(buf + UvLayouts.BUF_LEN, length);
        return Uv.tryWrite(stream, buf, 1);
    }

    /** Returns what writes several buffers; made at the first use. */
    Gather gather() {
        Gather made = gather;
        if (made == null) gather = made = new Gather(this, arena);
        return made;
    }

    /** Returns what watches connections; made at the first use. Null if it can't be made, now or ever. */
    @Nullable
    ReadySockets readySockets() {
        ReadySockets made = readySockets;
        if (made == null) readySockets = made = ReadySockets.open(this);
        return made;
    }

    /** Returns what sends and receives datagrams; made at the first use. */
    Datagrams datagrams() {
        Datagrams made = datagrams;
        if (made == null) datagrams = made = new Datagrams(this, arena);
        return made;
    }

    InetSocketAddress udpAddressOrFail(long udp, InetSocketAddress wanted) {
        NativeMemory.setInt(number, SocketAddresses.SIZE);
        return boundAddress("bind udp socket", Uv.udpGetSockName(udp, socketAddress, number), wanted);
    }

    /** Returns the size of a terminal; null if the system does not tell it. */
    TerminalHandle.@Nullable Size terminalSize(long terminal) {
        long width = socketAddress;
        long height = socketAddress + Integer.BYTES;
        if (Uv.ttyGetWinSize(terminal, width, height) < 0) return null;
        return new TerminalHandle.Size(NativeMemory.getInt(width), NativeMemory.getInt(height));
    }

    int write(long request, long stream, long bytes, int length) {
        NativeMemory.setLong(buf + UvLayouts.BUF_BASE, bytes);
        NativeMemory.setLong(buf + UvLayouts.BUF_LEN, length);
        return Uv.write(request, stream, buf, 1, Upcalls.WRITTEN);
    }

    /**
     * Memory for {@code errno}. Made when it is needed first, because linking {@link SocketCalls} takes time, and many
     * programs neither listen nor poll. Of the global scope, as every call would keep the arena open by two atomic
     * instructions.
     */
    MemorySegment errno() {
        MemorySegment segment = errno;
        if (segment == null) {
            long address = arena.allocate(SocketCalls.ERRNO_LAYOUT).address();
            errno = segment = MemorySegment.ofAddress(address).reinterpret(SocketCalls.ERRNO_LAYOUT.byteSize());
        }
        return segment;
    }

    /** See {@link FileCalls#readNow}. */
    int readNow(int file, long bytes, int length, long position, boolean asks) {
        return FileCalls.readNow(errno(), file, vector(bytes, length), position, asks);
    }

    /** See {@link FileCalls#writeNow}. */
    int writeNow(int file, long bytes, int length, long position, boolean asks) {
        return FileCalls.writeNow(errno(), file, vector(bytes, length), position, asks);
    }

    private long vector(long bytes, int length) {
        NativeMemory.setLong(buf + UvLayouts.BUF_BASE, bytes);
        NativeMemory.setLong(buf + UvLayouts.BUF_LEN, length);
        return buf;
    }

    /**
     * Accepts a connection. Returns its descriptor or a negative errno; skips aborted connections, and goes on after
     * signals.
     */
    int accept(int socket) {
        while (true) {
            NativeMemory.setInt(number, SocketAddresses.SIZE);
            int accepted = SocketCalls.accept(errno(), socket, socketAddress, number);
            if (accepted != -Platform.EINTR && accepted != -Platform.ECONNABORTED) return accepted;
        }
    }

    /** The peer of the last {@link #accept}; valid until the next call that uses the scratch memory. */
    @Nullable
    InetSocketAddress acceptedAddress() {
        return SocketAddresses.read(socketAddress);
    }

    /**
     * Makes a pipe. Returns two descriptors: in the lower half the end to read, in the upper half the end to write. The
     * upper half is a negative errno if the system refuses.
     */
    long pipe() {
        int status = ProcessCalls.pipe(errno(), number);
        return status < 0 ? (long) status << 32 : NativeMemory.getLong(number);
    }

    /**
     * Reaps a child if it has ended. Returns its number and, in the upper half, its status; 0 if it has not ended, or a
     * negative errno.
     */
    long reap(int pid) {
        int status = ProcessCalls.waitpid(errno(), pid, number, Platform.WNOHANG);
        return status <= 0 ? status : (long) NativeMemory.getInt(number) << 32 | status;
    }

    /** Returns 1 if there is something to read, 0 if not, or a negative errno. */
    int isReadable(int descriptor) {
        // struct pollfd: int fd; short events; short revents
        NativeMemory.setInt(number, descriptor);
        NativeMemory.setShort(number + Integer.BYTES, SocketCalls.READABLE);
        NativeMemory.setShort(number + Integer.BYTES + Short.BYTES, (short) 0);
        return SocketCalls.poll(errno(), number);
    }

    int reusePort(int socket) {
        NativeMemory.setInt(number, 1);
        return SocketCalls.setOption(
                errno(), socket, Platform.SOL_SOCKET, Platform.SO_REUSEPORT, number, Integer.BYTES);
    }

    int keepAlive(long tcp, int interval, int probes) {
        int socket = descriptorOf(tcp);
        if (socket < 0) return socket;
        int status = tcpOption(socket, Platform.TCP_KEEPINTVL, interval);
        return status < 0 ? status : tcpOption(socket, Platform.TCP_KEEPCNT, probes);
    }

    private int tcpOption(int socket, int option, int value) {
        NativeMemory.setInt(number, value);
        return SocketCalls.setOption(errno(), socket, Platform.IPPROTO_TCP, option, number, Integer.BYTES);
    }

    int descriptorOf(long handle) {
        int status = Uv.fileno(handle, number);
        return status < 0 ? status : NativeMemory.getInt(number);
    }

    @Nullable
    InetSocketAddress localAddress(long tcp) {
        NativeMemory.setInt(number, SocketAddresses.SIZE);
        return Uv.tcpGetSockName(tcp, socketAddress, number) < 0 ? null : SocketAddresses.read(socketAddress);
    }

    InetSocketAddress localAddressOrFail(long tcp, InetSocketAddress wanted) {
        NativeMemory.setInt(number, SocketAddresses.SIZE);
        return boundAddress("listen on", Uv.tcpGetSockName(tcp, socketAddress, number), wanted);
    }

    private InetSocketAddress boundAddress(String operation, int status, InetSocketAddress wanted) {
        if (status < 0) throw UvErrors.exception(operation, wanted, status);
        InetSocketAddress bound = SocketAddresses.read(socketAddress);
        return bound == null ? wanted : bound;
    }

    // ---- threads

    /** Compares platform threads, because coroutines are virtual threads mounted on the loop thread. */
    @Override
    protected boolean isLoopThread() {
        return Uv.threadSelf() == threadId;
    }

    /** System calls made by triggers, for tests. */
    int triggersSent() {
        return trigger.sent();
    }

    // ---- end

    @Override
    protected void end() {
        for (UvHandle handle : handles.toArray()) handle.close();
        deferred.clear();
        trigger.close();
        bell.close();
        if (readySockets != null) readySockets.close();
        Uv.close(timer, 0);
        // One turn runs all close callbacks; more turns are needed only if libuv has postponed one.
        for (int turns = 0; turns < 100 && Uv.run(loop, Uv.RUN_NOWAIT) != 0; turns++) {}
        int status = Uv.loopClose(loop);
        handles.dispose();
        if (status < 0) {
            // The memory is not freed, as libuv still uses it.
            throw new IllegalStateException("Bug in TrueAsync: libuv refuses to close its loop, " + UvErrors.of(status)
                    + ", " + handles.size() + " handles open; please report this trace");
        }
        arena.close();
        if (STRAY.getPlain() != null) takeStray();
    }
}
