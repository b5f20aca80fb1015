package org.trueasync.spi;

/**
 * One waiter's interest in a descriptor: a proxy. All proxies of a descriptor share one watch of the reactor, for the
 * union of the interests of the started proxies. The event fires with an {@link Integer}: what is ready, a mask of
 * {@link PollHandle}'s constants. A proxy gets those of its interest, and always {@link PollHandle#DISCONNECT}. If the
 * descriptor can't be watched any more, the event fires with a {@link org.trueasync.PollException}.
 *
 * <p>Loop thread only, except {@code descriptor} and {@code interest}.
 */
public abstract class PollEvent extends SourceEvent {
    /**
     * A proxy that is counted as active while it is started.
     *
     * @param activeEvents the runtime's count
     */
    protected PollEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    /** The descriptor. */
    public abstract int descriptor();

    /** The readiness that this waiter waits for: {@link PollHandle#READABLE}, {@link PollHandle#WRITABLE} or both. */
    public abstract int interest();
}
