package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.spi.Reactor;

/** Triggers cost a system call only where one is needed. */
@Tag("E15")
public abstract class TriggerConformance {
    private final ReactorKit kit;

    protected TriggerConformance(ReactorKit kit) {
        this.kit = kit;
    }

    @Test
    void triggeredBeforeTheTurn_noSystemCall() {
        try (Reactor reactor = kit.create()) {
            for (int i = 0; i < 1000; i++) reactor.trigger();
            reactor.execute(true);
            reactor.execute(false);
            assertThat(kit.triggersSent(reactor)).isZero();
        }
    }

    @Test
    void triggeredFromOtherThreads_triggersAreMerged() throws Exception {
        try (Reactor reactor = kit.create()) {
            AtomicInteger handedOver = new AtomicInteger();
            int threads = 4;
            int each = 5000;
            List<Thread> senders = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                senders.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < each; i++) {
                        handedOver.incrementAndGet();
                        reactor.trigger();
                    }
                }));
            }
            for (int taken = 0; taken < threads * each; taken += handedOver.getAndSet(0)) reactor.execute(false);
            for (Thread sender : senders) sender.join();
            assertThat(kit.triggersSent(reactor)).isLessThan(threads * each);
        }
    }

    @Test
    @Tag("F22")
    void wokenByAnotherThread_laterTurnsWaitAgain() throws Exception {
        try (Reactor reactor = kit.create()) {
            while (kit.triggersSent(reactor) == 0) {
                Thread sender = Thread.ofPlatform().start(reactor::trigger);
                reactor.execute(false);
                sender.join();
            }
            long end = reactor.nanoTime() + 20_000_000;
            reactor.alarm(end);
            int turns = 0;
            for (; reactor.nanoTime() - end < 0; turns++) reactor.execute(false);
            assertThat(turns).isLessThan(20);
        }
    }
}
