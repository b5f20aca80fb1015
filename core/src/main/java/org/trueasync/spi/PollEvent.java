package org.trueasync.spi;

/**
 * One waiter's interest in a descriptor: a proxy. All proxies of a descriptor share one watch of the reactor, which looks for the union of the
 * interests of those that are started. It fires with an {@link Integer}: what is ready, a mask of {@link PollHandle}'s constants, among it
 * {@link PollHandle#DISCONNECT}, which every proxy gets, whatever it is interested in.
 *
 * <p>Loop thread only, except {@code descriptor} and {@code interest}.
 */
public abstract class PollEvent extends SourceEvent {
    /**
     * A proxy counted there.
     *
     * @param activeEvents the runtime's count
     */
    protected PollEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    /** The descriptor. */
    public abstract int descriptor();

    /** What this waiter wants to know: {@link PollHandle#READABLE}, {@link PollHandle#WRITABLE} or both. */
    public abstract int interest();
}
