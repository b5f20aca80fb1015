package org.trueasync.spi;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The part of a runtime's event loop that talks to the operating system: it turns what the system reports into calls of
 * listeners. Everything above it (events, wakers, coroutines, the order of timers) is the same for all reactors and is
 * in {@code core}.
 *
 * <p><b>Threads.</b> One thread, the loop thread, makes all calls, with these exceptions: any thread may call
 * {@link #trigger}, at any time, also concurrently and after {@link #close}; any thread may call {@link #open}, and
 * methods that only return a state. A reactor is created on its loop thread.
 *
 * <p><b>Listeners</b> are called only from inside {@link #execute}, from inside the reactor's {@link #close}, which
 * calls {@code onClosed} alone, and synchronously where a method says so. They must not throw (if one does, the turn
 * goes on and {@link #execute} throws the error at its end), must not block, and must call neither {@link #execute} nor
 * the reactor's {@link #close}. They may call everything else that does not forbid it; they may also close their own
 * handle. After a handle's {@code close} has returned, its listener is not called again, except {@code onClosed}, once,
 * from a later turn or from the reactor's {@link #close}.
 *
 * <p><b>Errors.</b> A {@link SystemError} of a handle is returned by the method that fails at once, or given to the
 * listener. Methods that throw an error of the system as an exception say so; apart from that only misuse and running
 * out of memory are thrown. A closed handle refuses every operation with an error, without asking the system; to stop
 * or to close it again does nothing.
 */
public interface Reactor extends AutoCloseable {
    /** Name and version, for people: {@code libuv 1.44.2}. */
    String description();

    /**
     * The reactor's clock, in nanoseconds from an arbitrary origin; it never goes back. Virtual if
     * {@link #isTimeVirtual}.
     */
    long nanoTime();

    /** True if {@link #nanoTime} does not run like real time. */
    default boolean isTimeVirtual() {
        return false;
    }

    /**
     * True if {@link System#nanoTime} runs like {@link #nanoTime}, so that this reactor can time waits of the JDK. By
     * default, unless time is virtual.
     */
    default boolean timesJdkWaits() {
        return !isTimeVirtual();
    }

    /** False if this reactor can't watch descriptors, so that {@link #poll} always throws. Any thread. */
    default boolean hasDescriptors() {
        return true;
    }

    /**
     * Keeps the loop's thread on one processor.
     *
     * @param number index into the processors that the thread may use now, from 0; after the last one it begins again
     *     with the first
     * @return the pin, to be closed on the same thread
     * @throws UnsupportedOperationException if this reactor can't do it; the message says why
     * @throws org.trueasync.AsyncException if the system refuses
     */
    default ProcessorPin pin(int number) {
        throw new UnsupportedOperationException(
                "this reactor, " + description() + ", can't keep its thread on one processor");
    }

    /**
     * Runs one turn of the loop: calls the listeners of what has happened.
     *
     * <p>A waiting turn returns after at least one listener was called, after the {@link #alarm}'s time, or after a
     * {@link #trigger}, whichever is first. A trigger from before the turn counts too, so none is lost. The turn may
     * also return for no visible reason. It waits even if no handle is open, as another thread may trigger it.
     *
     * @param noWait true: collect what is ready, never block; false: wait for the next event
     * @throws org.trueasync.AsyncException from inside a listener, and after {@link #close}
     * @throws EndOfRun of this reactor, if the run is cut off: no coroutine runs any more, no {@code finally} either,
     *     and nothing is reported. The run throws it. For simulations of a crash
     */
    void execute(boolean noWait);

    /**
     * Bounds the next waiting turns: they end no later than shortly after this time of {@link #nanoTime}. There is one
     * alarm; it stays set until it is replaced. A turn may end early, so the caller checks the clock.
     *
     * @param deadline a time, {@link Long#MAX_VALUE} for none
     */
    void alarm(long deadline);

    /**
     * Ends the current waiting turn; if there is none, the next one ends at once. Any thread; wait-free. Several
     * triggers may be merged into one; {@link LoopTrigger} does that.
     */
    void trigger();

    /**
     * Watches a descriptor that other code owns.
     *
     * @param descriptor an open descriptor that can be polled: a socket, a pipe, a terminal
     * @param listener told what is ready; not called before the first {@link PollHandle#watch}
     * @throws UnsupportedOperationException if this reactor has no descriptors
     * @throws org.trueasync.PollException if the system can't watch it; the message names descriptor and error
     */
    PollHandle poll(int descriptor, PollHandle.Listener listener);

    /**
     * The addresses of a host by its name, if this reactor knows names of its own and no resolver is to be asked. Any
     * thread.
     *
     * @param host no literal
     * @return empty if there is no such host; null if names are the system's
     */
    default @Nullable List<InetAddress> addressesOf(String host) {
        return null;
    }

    /**
     * Listens on a TCP address.
     *
     * @param local resolved host and port, port 0 for any free one
     * @param options see {@link ListenHandle.Options}
     * @param listener told of connections
     * @throws org.trueasync.InputOutputException if the system refuses; the message names address and error
     * @throws IllegalArgumentException if the host is not resolved
     */
    ListenHandle listen(InetSocketAddress local, ListenHandle.Options options, ListenHandle.Listener listener);

    /**
     * Connects to a TCP address. Returns at once; {@link StreamHandle.Listener#onConnected} follows, never
     * synchronously.
     *
     * @param remote resolved host and port
     * @param listener told of everything that happens on the stream
     * @throws org.trueasync.InputOutputException if the system refuses at once; the message names address and error
     * @throws IllegalArgumentException if the host is not resolved
     */
    TcpHandle connect(InetSocketAddress remote, StreamHandle.Listener listener);

    /**
     * Listens on a Unix socket. Creates its file, and removes it when the handle is closed. The file never exists with
     * more permissions than asked for, and a symbolic link at the path is not followed.
     *
     * @param path the socket's file, absolute
     * @param permissions the file's, {@code 0600} for instance
     * @param options see {@link ListenHandle.Options}; only the backlog counts
     * @param listener told of connections
     * @throws org.trueasync.InputOutputException if the system refuses: {@code EADDRINUSE} if the path exists already;
     *     the message names path and error
     * @throws UnsupportedOperationException if this reactor has no Unix sockets
     */
    default ListenHandle listenUnix(
            Path path, int permissions, ListenHandle.Options options, ListenHandle.Listener listener) {
        throw lacks("Unix sockets");
    }

    /**
     * Connects to a Unix socket. Returns at once; {@link StreamHandle.Listener#onConnected} follows, never
     * synchronously.
     *
     * @param path the socket's file, absolute
     * @param listener told of everything that happens on the stream
     * @throws org.trueasync.InputOutputException if the system refuses at once; the message names path and error
     * @throws UnsupportedOperationException if this reactor has no Unix sockets
     */
    default StreamHandle connectUnix(Path path, StreamHandle.Listener listener) {
        throw lacks("Unix sockets");
    }

    /**
     * Binds a UDP socket.
     *
     * @param local resolved host and port, port 0 for any free one
     * @param options see {@link UdpHandle.Options}
     * @param listener told what can be done
     * @throws org.trueasync.InputOutputException if the system refuses; the message names address and error
     * @throws IllegalArgumentException if the host is not resolved
     * @throws UnsupportedOperationException if this reactor has no UDP
     */
    default UdpHandle bindUdp(InetSocketAddress local, UdpHandle.Options options, UdpHandle.Listener listener) {
        throw lacks("UDP sockets");
    }

    /**
     * Opens one of the process's standard streams as a terminal.
     *
     * @param descriptor 0, 1 or 2: its standard input, output or error; stays open when the handle is closed
     * @param listener told of everything that happens on the stream
     * @throws org.trueasync.InputOutputException if it is no terminal, or the system refuses; the message names
     *     descriptor and error
     * @throws IllegalArgumentException if the descriptor is none of the three
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
     * Starts a child process. The child inherits no descriptors but its standard streams.
     *
     * @param spec what to start
     * @param listener told of its end, never synchronously
     * @throws org.trueasync.InputOutputException if the system refuses; the message names program and error; nothing is
     *     left behind
     * @throws UnsupportedOperationException if this reactor has no child processes
     */
    default ChildHandle spawn(ChildHandle.Spec spec, ChildHandle.Listener listener) {
        throw lacks("child processes");
    }

    /**
     * Watches a folder for changes. Changes after this returns are reported. A symbolic link is followed.
     *
     * @param path a folder, absolute
     * @param listener told of changes
     * @throws org.trueasync.InputOutputException if there is no such folder, or the system can't watch more; the
     *     message names path and error
     * @throws UnsupportedOperationException if this reactor can't watch
     */
    default WatchHandle watch(Path path, WatchHandle.Listener listener) {
        throw lacks("file system watching");
    }

    /**
     * Opens a file. Any thread; blocks it. Unlike the handles above, a file does not depend on turns of the loop: it is
     * not counted in {@link #openHandles} and not closed with the reactor.
     *
     * @param path the file
     * @param options as {@link java.nio.channels.FileChannel#open} takes them
     * @param attributes attributes for a file that is created
     * @throws org.trueasync.InputOutputException if the system refuses; the message names path and error
     */
    default FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        return new ChannelFile(path, options, attributes);
    }

    /**
     * Where a call is made that may block its thread: on a helper thread, unless the system is simulated. Then it is
     * made on the loop thread in a later turn, when its virtual time has passed. Any thread.
     *
     * @param threads the helper threads for this call
     * @param call what it does, as reports say it, {@code sync /data/log} for instance
     */
    default Executor helpers(Executor threads, String call) {
        return threads;
    }

    private UnsupportedOperationException lacks(String what) {
        return new UnsupportedOperationException("the reactor '" + description() + "' has no " + what);
    }

    /** Number of open native handles, without the reactor's own; zero once everything has been closed. */
    int openHandles();

    /**
     * Closes every handle that is still open, then the loop itself; all native memory is freed when this returns.
     * Idempotent.
     */
    @Override
    void close();
}
