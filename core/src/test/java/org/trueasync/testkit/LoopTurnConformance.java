package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.Reactor;

/** Waiting, the alarm and the trigger. */
public abstract class LoopTurnConformance {
    private static final long MILLI = 1_000_000;

    private final ReactorKit kit;
    private final TestLoop<Reactor> loop;

    protected LoopTurnConformance(ReactorKit kit) {
        this.kit = kit;
        this.loop = new TestLoop<>(kit.create());
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    @Tag("E14")
    void noWait_returnsAtOnceWithAndWithoutHandles() {
        loop.reactor.execute(true);
        loop.serve();
        loop.reactor.execute(true);
    }

    @Test
    @Tag("E17")
    void alarmSet_waitingTurnsEndThenAndDoNotSpin() {
        for (int round = 0; round < 5; round++) {
            long deadline = loop.reactor.nanoTime() + 7 * MILLI;
            loop.reactor.alarm(deadline);
            int turns = 0;
            while (loop.reactor.nanoTime() < deadline) {
                loop.reactor.execute(false);
                turns++;
            }
            assertThat(turns).isLessThanOrEqualTo(4);
        }
    }

    @Test
    @Tag("F70")
    void timePassesBeforeTheTurn_alarmCountsFromTheCall() {
        long deadline = loop.reactor.nanoTime() + 20 * MILLI;
        loop.reactor.alarm(deadline);
        while (loop.reactor.nanoTime() < deadline - 5 * MILLI) Thread.onSpinWait();
        int turns = 0;
        while (loop.reactor.nanoTime() < deadline) {
            loop.reactor.execute(false);
            turns++;
        }
        assertThat(turns).isLessThanOrEqualTo(5);
    }

    @Test
    @Tag("F71")
    void alarmInThePast_turnDoesNotWait() {
        loop.reactor.alarm(loop.reactor.nanoTime() - 1);
        loop.reactor.execute(false);
        loop.reactor.alarm(Long.MIN_VALUE / 2 + loop.reactor.nanoTime());
        loop.reactor.execute(false);
    }

    @Test
    @Tag("F71")
    void alarmReplaced_laterOneCounts() {
        loop.reactor.alarm(loop.reactor.nanoTime() + 2 * MILLI);
        loop.reactor.execute(false);
        long deadline = loop.reactor.nanoTime() + 15 * MILLI;
        loop.reactor.alarm(deadline);
        int turns = 0;
        while (loop.reactor.nanoTime() < deadline) {
            loop.reactor.execute(false);
            turns++;
        }
        assertThat(turns).isLessThanOrEqualTo(4);
        loop.reactor.alarm(Long.MAX_VALUE - 1);
        loop.reactor.trigger();
        loop.reactor.execute(false);
    }

    @Test
    @Tag("E15")
    void triggeredBeforeTheTurn_turnReturnsAtOnce() {
        for (int i = 0; i < 1000; i++) loop.reactor.trigger();
        loop.reactor.execute(true);
        loop.reactor.execute(false);
    }

    @Test
    @Tag("E15")
    void triggeredFromOtherThreads_nothingIsMissed() throws Exception {
        // Each thread hands over a number and triggers; the loop sleeps whenever it has nothing to take.
        AtomicInteger handedOver = new AtomicInteger();
        int threads = 4;
        int each = 5000;
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            var builder = t % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
            senders.add(builder.start(() -> {
                for (int i = 0; i < each; i++) {
                    handedOver.incrementAndGet();
                    loop.reactor.trigger();
                }
            }));
        }
        int taken = 0;
        while (taken < threads * each) {
            loop.reactor.execute(false);
            taken += handedOver.getAndSet(0);
        }
        for (Thread sender : senders) sender.join();
    }

    @Test
    @Tag("E15")
    void asleep_oneTriggerWakesIt() throws Exception {
        for (int round = 0; round < 100; round++) {
            Thread sender = Thread.ofPlatform().start(loop.reactor::trigger);
            loop.reactor.execute(false);
            sender.join();
        }
    }

    @Test
    @Tag("E15")
    @Tag("deep")
    void triggeredConcurrentlyWithClose_isHarmless() throws Exception {
        for (int round = 0; round < 50; round++) {
            Reactor reactor = kit.create();
            CountDownLatch started = new CountDownLatch(2);
            List<Thread> senders = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                senders.add(Thread.ofPlatform().start(() -> {
                    started.countDown();
                    for (int i = 0; i < 1000; i++) reactor.trigger();
                }));
            }
            started.await();
            for (int i = 0; i < 5; i++) {
                reactor.alarm(reactor.nanoTime() + MILLI); // the senders may be through
                reactor.execute(false);
            }
            reactor.close();
            reactor.trigger();
            for (Thread sender : senders) sender.join();
            reactor.trigger();
        }
    }

    @Test
    void usedOffTheLoopThread_namesBothThreads() throws Exception {
        var handle = loop.serve().handle;
        List<Throwable> thrown = new ArrayList<>();
        Thread.ofPlatform()
                .name("stranger")
                .start(() -> {
                    for (Runnable use : List.<Runnable>of(
                            () -> loop.reactor.listen(TestLoop.loopback(0), ListenHandle.Options.DEFAULT, null),
                            () -> loop.reactor.connect(TestLoop.loopback(1), null),
                            handle::close,
                            loop.reactor::close)) {
                        try {
                            use.run();
                        } catch (Throwable t) {
                            thrown.add(t);
                        }
                    }
                })
                .join();
        assertThat(thrown).hasSize(4).allSatisfy(t -> assertThat(t)
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("'stranger'")
                .hasMessageContaining("'" + Thread.currentThread().getName() + "'"));
    }

    @Test
    void usedInsideAListenerOrAfterClose_isRefused() throws Exception {
        Reactor reactor = kit.create();
        List<Throwable> thrown = new ArrayList<>();
        TestLoop.Recorder recorder = new TestLoop.Recorder() {
            @Override
            public void onConnected(org.trueasync.spi.SystemError error) {
                super.onConnected(error);
                for (Runnable use :
                        List.<Runnable>of(() -> reactor.execute(true), () -> reactor.execute(false), reactor::close)) {
                    try {
                        use.run();
                    } catch (AsyncException e) {
                        thrown.add(e);
                    }
                }
            }
        };
        reactor.connect(TestLoop.loopback(1), recorder);
        while (recorder.events.isEmpty()) reactor.execute(false);
        assertThat(thrown).hasSize(3).allSatisfy(t -> assertThat(t).hasMessageContaining("inside a listener"));
        reactor.close();
        reactor.close();
        assertThatThrownBy(() -> reactor.execute(true))
                .isInstanceOf(AsyncException.class)
                .hasMessage("execute: the reactor is closed");
        assertThatThrownBy(() -> reactor.connect(TestLoop.loopback(1), recorder))
                .isInstanceOf(AsyncException.class);
        assertThat(recorder.events).contains("closed");
    }
}
