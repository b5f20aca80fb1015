package org.trueasync.spi;

import java.net.InetSocketAddress;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/**
 * The event loop under one runtime. It turns what the operating system reports into calls of listeners; everything above it (events, wakers,
 * coroutines, timers' order) is shared by all reactors and lives in {@code core}.
 *
 * <p><b>Threads.</b> One thread, the loop thread, makes all calls except {@link #trigger}, which any thread may make at any time, also
 * concurrently, also after {@link #close}, and {@link #open}; what only asks for a state answers anywhere. A reactor is created on its loop thread.
 *
 * <p><b>Listeners</b> are called only from inside {@link #execute}, or, where a method says so, synchronously. They never throw (should one do
 * so all the same, the turn goes on and {@link #execute} throws it at its end), never block, and call neither {@link #execute} nor the
 * reactor's {@link #close}; they may call everything else, closing the very handle included. After a handle's {@code close} returns its
 * listener is not called again, except {@code onClosed}, once, from a later turn.
 *
 * <p><b>Errors.</b> What the system refuses is a {@link SystemError}: returned where a method can fail at once, else given to the listener.
 * Only misuse and running out of memory are thrown. A closed handle refuses every call with an error before the system sees it.
 */
public interface Reactor extends AutoCloseable {
    /** Name and version for people, {@code libuv 1.44.2}. */
    String description();

    /** The reactor's clock, in nanoseconds from an arbitrary origin, never going back; virtual where time is virtual. */
    long nanoTime();

    /** True if {@link #nanoTime} is not the time that {@link System#nanoTime} tells, so that waits of the JDK can't be timed by this reactor. */
    default boolean isTimeVirtual() {
        return false;
    }

    /** False if it has no descriptors, so that {@link #poll} always refuses. Any thread. */
    default boolean hasDescriptors() {
        return true;
    }

    /**
     * Keeps the loop's thread on one processor.
     *
     * @param number which of those that the thread may use now, counted from 0 and round
     * @return to be closed on the same thread
     * @throws UnsupportedOperationException if this reactor can't; the message says why
     * @throws org.trueasync.AsyncException if the system refuses
     */
    default ProcessorPin pin(int number) {
        throw new UnsupportedOperationException(
                "this reactor, " + description() + ", can't keep its thread on one processor");
    }

    /**
     * Runs one turn of the loop: calls the listeners of what has happened.
     *
     * <p>A waiting turn returns after at least one listener was called, after the {@link #alarm}'s time, or after a {@link #trigger}, whichever
     * is first; a trigger from before the turn counts too, so none is lost. It may return for no visible reason. It waits even when no
     * handle is open, as the reason to wait may be another thread.
     *
     * @param noWait true: collect what is ready, never block; false: wait for the next event
     */
    void execute(boolean noWait);

    /**
     * Bounds the next waiting turns: they end no later than shortly after this time of {@link #nanoTime}. One alarm is kept; it stays set
     * until it is replaced. It may go off early, it is only a bound; the caller looks at the clock.
     *
     * @param deadline a time, {@link Long#MAX_VALUE} for none
     */
    void alarm(long deadline);

    /**
     * Ends the waiting turn that runs now, or else the next one at once. Any thread; several may be merged into one; wait-free. {@link LoopTrigger}
     * does the merging.
     */
    void trigger();

    /**
     * Watches a descriptor that somebody else owns.
     *
     * @param descriptor an open descriptor that can be polled: a socket, a pipe, a terminal
     * @param listener told what is ready; nothing before the first {@link PollHandle#watch}
     * @throws UnsupportedOperationException if this reactor has no descriptors
     * @throws org.trueasync.PollException if the system can't watch it; names descriptor and error
     */
    PollHandle poll(int descriptor, PollHandle.Listener listener);

    /**
     * Listens on a TCP address.
     *
     * @param local host and port, port 0 for any free one
     * @param options see there
     * @param listener told of connections
     * @throws org.trueasync.InputOutputException if the system refuses; names address and error
     */
    ListenHandle listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener);

    /**
     * Connects to a TCP address. Returns at once; {@link StreamHandle.Listener#onConnected} follows, never synchronously.
     *
     * @param remote resolved host and port
     * @param listener told of everything that happens on the stream
     * @throws org.trueasync.InputOutputException if the system refuses at once; names address and error
     */
    TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener);

    /**
     * Listens on a Unix socket, whose file it makes and, when the handle is closed, removes. The file never exists with more rights than asked for,
     * and no link is followed in its place.
     *
     * @param path where; absolute
     * @param permissions the file's, {@code 0600} for instance
     * @param options see there; only the backlog counts
     * @param listener told of connections
     * @throws org.trueasync.InputOutputException if the system refuses: {@code EADDRINUSE} where anything exists already; names path and error
     * @throws UnsupportedOperationException if this reactor has no Unix sockets
     */
    default ListenHandle listenUnix(
            Path path, int permissions, ListenHandle.Options options, ListenHandle.Listener listener) {
        throw lacks("Unix sockets");
    }

    /**
     * Connects to a Unix socket. Returns at once; {@link StreamHandle.Listener#onConnected} follows, never synchronously.
     *
     * @param path where; absolute
     * @param listener told of everything that happens on the stream
     * @throws org.trueasync.InputOutputException if the system refuses at once; names path and error
     * @throws UnsupportedOperationException if this reactor has no Unix sockets
     */
    default StreamHandle connectUnix(Path path, StreamHandle.Listener listener) {
        throw lacks("Unix sockets");
    }

    /**
     * Binds a UDP socket.
     *
     * @param local host and port, port 0 for any free one
     * @param options see there
     * @param listener told what can be done
     * @throws org.trueasync.InputOutputException if the system refuses; names address and error
     * @throws UnsupportedOperationException if this reactor has no UDP
     */
    default UdpHandle bindUdp(InetSocketAddress local, UdpHandle.Options options, UdpHandle.Listener listener) {
        throw lacks("UDP sockets");
    }

    /**
     * Opens a terminal that the process has got.
     *
     * @param descriptor 0, 1 or 2: its standard input, output or error; stays open when the handle is closed
     * @param listener told of everything that happens on the stream
     * @throws org.trueasync.InputOutputException if it is no terminal, or the system refuses; names descriptor and error
     * @throws UnsupportedOperationException if this reactor has no terminals
     */
    default TerminalHandle terminal(int descriptor, StreamHandle.Listener listener) {
        throw lacks("terminals");
    }

    /**
     * Whether one of the process's standard streams is a terminal that {@link #terminal} opens.
     *
     * @param descriptor 0, 1 or 2
     */
    default boolean isTerminal(int descriptor) {
        return false;
    }

    /**
     * Starts a child process. It gets no descriptors but its standard streams.
     *
     * @param spec what to start
     * @param listener told of its end, never synchronously
     * @throws org.trueasync.InputOutputException if the system refuses; names program and error; nothing is left behind
     * @throws UnsupportedOperationException if this reactor has no child processes
     */
    default ChildHandle spawn(ChildHandle.Spec spec, ChildHandle.Listener listener) {
        throw lacks("child processes");
    }

    /**
     * Watches a folder for changes; what happens after this returns is told. A link is followed.
     *
     * @param path a folder, absolute
     * @param listener told of changes
     * @throws org.trueasync.InputOutputException if there is no such folder, or the system can't watch more; names path and error
     * @throws UnsupportedOperationException if this reactor can't watch
     */
    default WatchHandle watch(Path path, WatchHandle.Listener listener) {
        throw lacks("file system watching");
    }

    /**
     * Opens a file. Any thread; blocks it. Unlike the handles above a file belongs to no turn of the loop: it is not counted in {@link
     * #openHandles} and not closed with the reactor.
     *
     * @param path which
     * @param options as {@link java.nio.channels.FileChannel#open} takes them
     * @param attributes for a file that is made
     * @throws org.trueasync.InputOutputException if the system refuses; names path and error
     */
    default FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        return new ChannelFile(path, options, attributes);
    }

    private UnsupportedOperationException lacks(String what) {
        return new UnsupportedOperationException("the reactor '" + description() + "' has no " + what);
    }

    /** Native handles that are open now, the reactor's own not counted; returns to zero when everything has been closed. */
    int openHandles();

    /** Closes every handle that is still open, then the loop itself; all native memory is given back when this returns. Idempotent. */
    @Override
    void close();
}
