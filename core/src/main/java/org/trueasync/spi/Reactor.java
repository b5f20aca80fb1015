package org.trueasync.spi;

import java.net.InetSocketAddress;

/**
 * The event loop under one runtime. It turns what the operating system reports into calls of listeners; everything above it (events, wakers,
 * coroutines, timers' order) is shared by all reactors and lives in {@code core}.
 *
 * <p><b>Threads.</b> One thread, the loop thread, makes all calls except {@link #trigger}, which any thread may make at any time, also
 * concurrently, also after {@link #close}. A reactor is created on its loop thread.
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

    /** Ends the waiting turn that runs now, or else the next one at once. Any thread; several may be merged into one; wait-free. */
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
    StreamHandle connect(InetSocketAddress remote, StreamHandle.Listener listener);

    /** Native handles that are open now, the reactor's own not counted; returns to zero when everything has been closed. */
    int openHandles();

    /** Closes every handle that is still open, then the loop itself; all native memory is given back when this returns. Idempotent. */
    @Override
    void close();
}
