package org.trueasync.internal.grpc;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.trueasync.Async;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * What is done on the loop of a call, in the order in which it was asked for. A coroutine of the loop does it itself,
 * and waits in it. Other threads hand it over, and do not wait: what they hand over is counted.
 */
final class Outbox {
    private final Loop loop;
    private final InOrder items;
    private final AtomicLong bytes = new AtomicLong();

    /** Makes one for the runtime of the caller. */
    Outbox() {
        this(Runtimes.here("a gRPC call"), Async.executor());
    }

    Outbox(Loop loop, Executor executor) {
        this.loop = loop;
        this.items = new InOrder(executor);
    }

    /** True on the loop, where one may wait. */
    boolean isHere() {
        return Runtimes.hereOrNull() == loop;
    }

    /**
     * Does something on the loop.
     *
     * @return false if the run has ended, so that it is never done
     */
    boolean run(int size, Runnable action) {
        if (items.isEmpty() && isHere()) {
            action.run();
            return true;
        }
        bytes.addAndGet(size);
        return items.add(() -> {
            try {
                action.run();
            } finally {
                bytes.addAndGet(-size);
            }
        });
    }

    /** Bytes that were handed over and not sent yet. */
    long waiting() {
        return bytes.get();
    }
}
