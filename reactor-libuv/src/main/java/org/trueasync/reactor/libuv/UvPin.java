package org.trueasync.reactor.libuv;

import org.trueasync.AsyncException;
import org.trueasync.spi.ProcessorPin;

/** The loop's thread on one of the processors that it may use. */
final class UvPin extends ProcessorPin {
    private final UvReactor reactor;
    private final ProcessorSet before = ProcessorSet.ofThread();
    private final int processor;
    private final ProcessorSet one;

    UvPin(UvReactor reactor, int number) {
        this.reactor = reactor;
        processor = before.get(number);
        one = ProcessorSet.of(processor);
        enter();
        begun();
    }

    /** On the loop's thread. */
    void enter() {
        if (one.apply()) return;
        throw new AsyncException("the system does not let this thread run on processor " + processor
                + " alone; leave out pinned(), or allow sched_setaffinity");
    }

    @Override
    public int processor() {
        return processor;
    }

    @Override
    protected void release() {
        before.apply();
    }

    @Override
    public void close() {
        reactor.unpinned();
        super.close();
    }
}
