package org.trueasync.reactor.libuv;

import org.trueasync.AsyncException;
import org.trueasync.spi.ProcessorPin;

/** Keeps the loop's thread on one of the processors that it may use. */
final class UvPin extends ProcessorPin {
    private final UvReactor reactor;
    private final ProcessorSet before = ProcessorSet.ofThread();
    private final int processor;
    private final ProcessorSet pinnedTo;

    UvPin(UvReactor reactor, int number) {
        this.reactor = reactor;
        processor = before.get(number);
        pinnedTo = ProcessorSet.of(processor);
        if (!pinnedTo.apply())
            throw new AsyncException("the system does not let this thread run on processor " + processor
                    + " alone; leave out pinned(), or allow sched_setaffinity");
        begun();
    }

    @Override
    public int processor() {
        return processor;
    }

    @Override
    protected int freedom() {
        return before.size();
    }

    @Override
    protected boolean release() {
        return ProcessorSet.ofThread().equals(pinnedTo) && before.apply();
    }

    /**
     * Gives the loop's thread all its processors back until {@link #resume}, while a child is made: the child inherits
     * them. Loop thread.
     */
    void pause() {
        before.apply();
    }

    void resume() {
        pinnedTo.apply();
    }

    @Override
    public void close() {
        reactor.unpinned();
        if (!before.apply())
            throw new AsyncException(
                    "the system does not give a thread back the processors that it had before it was pinned to "
                            + processor);
    }
}
