package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;

/** One turn of the loop, in both modes, and the trigger. */
public abstract class TurnConformance {
    private static final long MILLI = 1_000_000;

    private final ReactorKit kit;
    private final TestRun run;

    protected TurnConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    @Test
    @Tag("E14")
    void noWait_returnsThoughNothingHappens() {
        try (Reactor reactor = kit.create()) {
            reactor.alarm(reactor.nanoTime() + 3_600_000 * MILLI);
            for (int i = 0; i < 100; i++) reactor.execute(true);
            assertThat(reactor.openHandles()).isZero();
        }
    }

    @Test
    @Tag("E14")
    void waitingTurns_reachTheAlarmInFewTurns() {
        try (Reactor reactor = kit.create()) {
            long deadline = reactor.nanoTime() + 5 * MILLI;
            reactor.alarm(deadline);
            int turns = 0;
            while (reactor.nanoTime() - deadline < 0 && turns < 1_000) {
                reactor.execute(false);
                turns++;
            }
            assertThat(turns).isLessThan(20);
        }
    }

    @Test
    @Tag("E14")
    void alarmPassed_waitingTurnReturns() {
        try (Reactor reactor = kit.create()) {
            reactor.alarm(reactor.nanoTime() - MILLI);
            reactor.execute(false);
            reactor.alarm(Long.MAX_VALUE);
            reactor.trigger();
            reactor.execute(false);
        }
    }

    @Test
    @Tag("E14")
    void nobodyReady_runtimeSleepsInsteadOfSpinning() {
        run.run(() -> {
            long before = Async.runtimeStats().reactorTurns();
            Async.delay(30);
            assertThat(Async.runtimeStats().reactorTurns() - before).isLessThan(20);
        });
    }

    @Test
    @Tag("E15")
    void triggeredBeforeTheTurn_notLostAndMerged() {
        try (Reactor reactor = kit.create()) {
            for (int i = 0; i < 1_000; i++) reactor.trigger();
            reactor.execute(false);
        }
    }

    @Test
    @Tag("E15")
    void triggeredFromAnotherThread_endsAWaitingTurn() throws Exception {
        try (Reactor reactor = kit.create()) {
            for (int i = 0; i < 20; i++) {
                var done = new AtomicBoolean();
                Thread other = Thread.ofPlatform().start(() -> {
                    done.set(true);
                    reactor.trigger();
                });
                while (!done.get()) reactor.execute(false);
                other.join();
            }
        }
    }

    @Test
    @Tag("E15")
    void triggeredAfterClose_harmless() throws Exception {
        Reactor reactor = kit.create();
        reactor.close();
        reactor.close();
        reactor.trigger();
        Thread.ofPlatform().start(reactor::trigger).join();
    }

    @Test
    @Tag("E15")
    @Tag("F11")
    void otherThreadsCompleteFutures_eachIsDeliveredOnce() {
        run.run(() -> {
            int count = 500;
            var waiters = new java.util.ArrayList<org.trueasync.Coroutine<Integer>>();
            var futures = new java.util.ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < count; i++) {
                var future = new CompletableFuture<Integer>();
                futures.add(future);
                waiters.add(Async.spawn(() -> Async.await(future)));
            }
            for (int t = 0; t < 4; t++) {
                int from = t;
                Thread.ofPlatform().daemon().start(() -> {
                    for (int i = from; i < count; i += 4) futures.get(i).complete(i);
                });
            }
            assertThat(Async.awaitAllOrFail(waiters)).hasSize(count).isSorted();
            assertThat(SchedulerProvider.get().activeEvents().count()).isZero();
        });
    }

    @Test
    @Tag("E15")
    @Tag("F11")
    void completedWhileTheRunEnds_deliveredOrDiscarded() throws Exception {
        for (int round = 0; round < 20; round++) {
            var future = new CompletableFuture<String>();
            var started = new CountDownLatch(1);
            Thread completer = Thread.ofPlatform().start(() -> {
                try {
                    started.await();
                } catch (InterruptedException e) {
                    return;
                }
                future.complete("late");
            });
            new TestRun(kit::create).run(() -> {
                var waiter = Async.spawn(() -> Async.await(future));
                Async.suspend();
                started.countDown();
                waiter.cancel();
            });
            completer.join();
        }
    }

    @Test
    @Tag("E15")
    void executorUsedFromAnotherThread_wakesTheLoop() {
        run.run(() -> {
            var executor = Async.executor();
            var done = new CompletableFuture<Thread>();
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> executor.execute(() -> {
                        Async.suspend();
                        done.complete(Thread.currentThread());
                    }));
            assertThat(Async.await(done).isVirtual()).isTrue();
        });
    }
}
