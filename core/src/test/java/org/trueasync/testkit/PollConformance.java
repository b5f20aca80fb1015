package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.spi.PollHandle.DISCONNECT;
import static org.trueasync.spi.PollHandle.READABLE;
import static org.trueasync.spi.PollHandle.WRITABLE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.PollException;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Poll;
import org.trueasync.spi.PollEvent;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.ReactorKit.Descriptors;

/** Descriptors shared by proxies, and select over several. */
public abstract class PollConformance {
    private final ReactorKit kit;
    private final TestRun run;
    private final List<Integer> open = new ArrayList<>();

    protected PollConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    @AfterEach
    void closeDescriptors() {
        for (int descriptor : open) kit.descriptors().close(descriptor);
    }

    /** Two connected sockets, and the system calls for them. */
    private record Pair(Descriptors os, int near, int far) {
        void send() {
            os.write(far, 1);
        }

        void take() {
            os.drain(near);
        }
    }

    private Pair pair() {
        Descriptors os = kit.requireDescriptors();
        int[] both = os.pair();
        open.add(both[0]);
        open.add(both[1]);
        return new Pair(os, both[0], both[1]);
    }

    private void closeFar(Pair pair) {
        open.remove((Integer) pair.far);
        pair.os.close(pair.far);
    }

    private static Object waitFor(PollEvent event) {
        Waker waker = Waker.current();
        waker.resumeWhen(event, ResumeCallback.RESOLVE);
        return waker.await();
    }

    private static int openHandles() {
        return SchedulerProvider.get().reactor().openHandles();
    }

    /** Enough turns of the loop for everything that is ready to be reported. */
    private static void settle() {
        for (int i = 0; i < 3; i++) Async.delay(1);
    }

    private void onSockets(Body body) {
        kit.requireDescriptors();
        run.run(() -> {
            body.run();
            // closing takes a turn
            for (int i = 0; i < 100 && openHandles() > 0; i++) Async.delay(1);
            assertThat(openHandles()).isZero();
            assertThat(SchedulerProvider.get().activeEvents().count()).isZero();
        });
    }

    @Test
    @Tag("E21")
    void severalProxiesOfADescriptor_shareOneWatch() {
        Pair pair = pair();
        onSockets(() -> {
            pair.os.fill(pair.near);
            var woken = new ArrayList<String>();
            Coroutine<?> reader = Async.spawn(() -> woken.add("reader " + waitFor(Poll.watch(pair.near, READABLE))));
            Coroutine<?> writer = Async.spawn(() -> woken.add("writer " + waitFor(Poll.watch(pair.near, WRITABLE))));
            Async.suspend();
            assertThat(openHandles()).isEqualTo(1);
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(2);
            settle();
            assertThat(woken).isEmpty();
            pair.send();
            Async.await(reader);
            assertThat(woken).containsExactly("reader 1");
            assertThat(openHandles()).isEqualTo(1);
            pair.os.drain(pair.far);
            Async.await(writer);
            assertThat(woken).containsExactly("reader 1", "writer 2");
        });
    }

    @Test
    @Tag("E21")
    void watchNarrowedWhenAProxyStops_readySideDoesNotSpinTheLoop() {
        Pair pair = pair();
        onSockets(() -> {
            pair.os.fill(pair.near);
            pair.send();
            Coroutine<?> writer = Async.spawn(() -> waitFor(Poll.watch(pair.near, WRITABLE)));
            assertThat(waitFor(Poll.watch(pair.near, READABLE))).isEqualTo(READABLE);
            // still readable, but nobody asks any more
            long turns = Async.runtimeStats().reactorTurns();
            Async.delay(20);
            assertThat(Async.runtimeStats().reactorTurns() - turns).isLessThan(15);
            writer.cancel();
            Async.suspend();
        });
    }

    @Test
    @Tag("E22")
    @Tag("F6")
    void descriptorReady_wakesOnlyTheProxiesThatWantIt() {
        Pair pair = pair();
        onSockets(() -> {
            var woken = new ArrayList<String>();
            pair.os.fill(pair.near);
            Coroutine<?> writer = Async.spawn(() -> woken.add("w" + waitFor(Poll.watch(pair.near, WRITABLE))));
            Coroutine<?> reader = Async.spawn(() -> woken.add("r" + waitFor(Poll.watch(pair.near, READABLE))));
            Coroutine<?> both = Async.spawn(() -> woken.add("b" + waitFor(Poll.watch(pair.near, READABLE | WRITABLE))));
            Async.suspend();
            pair.send();
            Async.await(reader);
            Async.await(both);
            assertThat(woken).containsExactly("r1", "b1");
            assertThat(writer.isCompleted()).isFalse();
            writer.cancel();
            Async.suspend();
        });
    }

    @Test
    @Tag("E22")
    @Tag("F5")
    @Tag("F6")
    void peerGone_everyProxyWakes() {
        Pair pair = pair();
        onSockets(() -> {
            pair.os.fill(pair.near);
            var woken = new ArrayList<Integer>();
            var all = new ArrayList<Coroutine<?>>();
            for (int interest : new int[] {READABLE, WRITABLE, READABLE | WRITABLE, READABLE}) {
                all.add(Async.spawn(() -> woken.add((Integer) waitFor(Poll.watch(pair.near, interest)))));
            }
            Async.suspend();
            closeFar(pair);
            all.forEach(Async::await);
            assertThat(woken).hasSize(4).allMatch(mask -> mask != 0);
        });
    }

    @Test
    @Tag("E22")
    @Tag("F5")
    void peerGone_writerAloneWakesToo() {
        Pair pair = pair();
        onSockets(() -> {
            pair.os.fill(pair.near);
            Coroutine<Object> writer = Async.spawn(() -> waitFor(Poll.watch(pair.near, WRITABLE)));
            Async.suspend();
            closeFar(pair);
            assertThat((Integer) Async.await(writer) & (DISCONNECT | WRITABLE)).isNotZero();
        });
    }

    @Test
    @Tag("E22")
    void peerGone_laterWaiterWakesToo_whileAnotherSubscriberStays() {
        Pair pair = pair();
        onSockets(() -> {
            pair.os.fill(pair.near);
            PollEvent stays = Poll.watch(pair.near, WRITABLE);
            var fired = new AtomicInteger();
            stays.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event source, @Nullable Object result, @Nullable Throwable error) {
                    fired.incrementAndGet();
                }
            });
            stays.start();
            closeFar(pair);
            while (fired.get() == 0) Async.suspend();
            assertThat((Integer) waitFor(Poll.watch(pair.near, WRITABLE))).isNotZero();
            stays.stop();
        });
    }

    @Test
    @Tag("E23")
    @Tag("F6")
    @Tag("F22")
    void oneOfSeveralReadersCancelled_othersWakeAndCountsAreExact() {
        Pair pair = pair();
        onSockets(() -> {
            var woken = new ArrayList<Integer>();
            var all = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) {
                int me = i;
                all.add(Async.spawn(() -> {
                    waitFor(Poll.watch(pair.near, READABLE));
                    woken.add(me);
                }));
            }
            Async.suspend();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(3);
            all.get(1).cancel();
            all.get(1).cancel();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(2);
            Async.suspend();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(2);
            assertThat(openHandles()).isEqualTo(1);
            pair.send();
            Async.await(all.get(0));
            Async.await(all.get(2));
            assertThat(woken).containsExactly(0, 2);
        });
    }

    @Test
    @Tag("E23")
    @Tag("F6")
    void proxyStoppedTwice_othersKeepTheWatch() {
        Pair pair = pair();
        onSockets(() -> {
            PollEvent mine = Poll.watch(pair.near, READABLE);
            Coroutine<Object> other = Async.spawn(() -> waitFor(Poll.watch(pair.near, READABLE)));
            Async.suspend();
            mine.start();
            mine.stop();
            mine.stop();
            mine.dispose();
            mine.dispose();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            assertThat(openHandles()).isEqualTo(1);
            pair.send();
            assertThat(Async.await(other)).isEqualTo(READABLE);
        });
    }

    @Test
    @Tag("E22")
    void descriptorStaysReady_eachWaitReturns() {
        Pair pair = pair();
        onSockets(() -> {
            pair.send();
            PollEvent event = Poll.watch(pair.near, READABLE);
            for (int i = 0; i < 5; i++) assertThat(waitFor(event)).isEqualTo(READABLE);
            assertThat(event.info()).contains("" + pair.near).contains("readable");
            event.dispose();
        });
    }

    @Test
    @Tag("E22")
    @Tag("F22")
    void descriptorThatCantBeWatched_failsNamingIt() {
        onSockets(() -> {
            assertThatThrownBy(() -> waitFor(Poll.watch(100_000, READABLE)))
                    .isInstanceOf(PollException.class)
                    .hasMessageContaining("100000")
                    .hasMessageContaining("EBADF");
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThatThrownBy(() -> Poll.watch(-1, READABLE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            for (int interest : new int[] {0, 4, -1, 8}) {
                assertThatThrownBy(() -> Poll.watch(0, interest))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("got " + interest);
            }
        });
    }

    @Test
    @Tag("F20")
    void onlyADescriptorAwaited_noDeadlockIsReported() {
        Pair pair = pair();
        onSockets(() -> {
            Thread.ofPlatform().daemon().start(() -> pair.os.write(pair.far, 1));
            assertThat(waitFor(Poll.watch(pair.near, READABLE))).isEqualTo(READABLE);
        });
        assertThat(run.complaints()).isEmpty();
    }

    // ---- select

    @Test
    @Tag("E24")
    void selectOfNothing_returnsAtOnce() {
        run.run(() -> {
            long switches = Async.runtimeStats().switches();
            assertThat(Poll.select(List.of(), null)).isEmpty();
            assertThat(Poll.select(List.of(), Duration.ofHours(1))).isEmpty();
            assertThat(Poll.select(List.of(), Duration.ZERO)).isEmpty();
            assertThat(Async.runtimeStats().switches()).isEqualTo(switches);
        });
    }

    @Test
    @Tag("E24")
    void selectWithZeroTimeout_looksOnce() {
        Pair a = pair();
        Pair b = pair();
        onSockets(() -> {
            var events = List.of(Poll.watch(a.near, READABLE), Poll.watch(b.near, READABLE));
            assertThat(Poll.select(events, Duration.ZERO)).isEmpty();
            b.send();
            assertThat(Poll.select(events, Duration.ZERO)).containsExactly(events.get(1));
            a.send();
            assertThat(Poll.select(events, Duration.ZERO)).containsExactlyElementsOf(events);
        });
    }

    @Test
    @Tag("E24")
    void selectWithoutTimeout_waitsWhileOthersRun() {
        Pair a = pair();
        Pair b = pair();
        onSockets(() -> {
            var events = List.of(Poll.watch(a.near, READABLE), Poll.watch(b.near, READABLE));
            var steps = new AtomicInteger();
            Async.spawn(() -> {
                for (int i = 0; i < 5; i++) {
                    Async.delay(1);
                    steps.incrementAndGet();
                }
                a.send();
            });
            assertThat(Poll.select(events, null)).containsExactly(events.get(0));
            assertThat(steps.get()).isEqualTo(5);
        });
    }

    @Test
    @Tag("E24")
    void selectTimesOut_readySetIsEmpty() {
        Pair a = pair();
        onSockets(() -> {
            long before = SchedulerProvider.get().reactor().nanoTime();
            assertThat(Poll.select(List.of(Poll.watch(a.near, READABLE)), Duration.ofMillis(3)))
                    .isEmpty();
            assertThat(SchedulerProvider.get().reactor().nanoTime() - before).isGreaterThanOrEqualTo(3_000_000);
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("E24")
    @Tag("F6")
    void bytesBufferedInUserSpace_countAsReadableAtOnce() {
        // no descriptor is needed: it is readable whatever the system says
        run.run(() -> {
            boolean[] buffered = {true};
            PollEvent event = Poll.watch(100_000, READABLE, () -> buffered[0]);
            assertThat(waitFor(event)).isEqualTo(READABLE);
            assertThat(Poll.select(List.of(event), null)).containsExactly(event);
            assertThat(Poll.select(List.of(event), Duration.ZERO)).containsExactly(event);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    @Tag("E24")
    @Tag("F6")
    void bytesBufferedForOneOfSeveral_selectDoesNotWaitForTheOthers() {
        Pair silent = pair();
        Pair ready = pair();
        onSockets(() -> {
            PollEvent first = Poll.watch(silent.near, READABLE);
            PollEvent buffered = Poll.watch(silent.near, READABLE, () -> true);
            PollEvent writable = Poll.watch(ready.near, READABLE, () -> true);
            assertThat(Poll.select(List.of(first, buffered, writable), null)).containsExactly(buffered, writable);
        });
    }

    @Test
    @Tag("E24")
    @Tag("E40")
    void selectCancelled_leavesNothingWatched() {
        Pair a = pair();
        onSockets(() -> {
            Coroutine<?> waiter = Async.spawn(() ->
                    Poll.select(List.of(Poll.watch(a.near, READABLE), Poll.watch(a.near, WRITABLE | READABLE)), null));
            a.os.fill(a.near);
            Async.suspend();
            waiter.cancel();
            Async.suspend();
            assertThat(waiter.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("E24")
    void selectOfADescriptorThatCantBeWatched_fails() {
        Pair a = pair();
        onSockets(() -> assertThatThrownBy(
                        () -> Poll.select(List.of(Poll.watch(a.near, READABLE), Poll.watch(100_000, READABLE)), null))
                .isInstanceOf(PollException.class)
                .hasMessageContaining("100000"));
    }

    @Test
    @Tag("F32")
    void selectWokenAndFinished_laterWaitIsNotDisturbed() {
        run.run(() -> {
            // more microtasks than one drain takes stand before the one that select queues
            PollEvent buffered = Poll.watch(100_000, READABLE, () -> true);
            for (int i = 0; i < 25_000; i++)
                org.trueasync.spi.Microtask.of(() -> {}).enqueue();
            Poll.select(List.of(buffered), Duration.ZERO);
            long before = SchedulerProvider.get().reactor().nanoTime();
            Async.delay(5);
            assertThat(SchedulerProvider.get().reactor().nanoTime() - before).isGreaterThanOrEqualTo(5_000_000);
        });
    }

    @Test
    @Tag("F21")
    void proxyThatIsNotStarted_keepsNothingAlive() {
        Pair a = pair();
        onSockets(() -> Poll.watch(a.near, READABLE));
    }

    @Test
    @Tag("F5")
    @Tag("F21")
    @Tag("E38")
    void proxyDisposedOfUnderAWaiter_waiterGetsAnError() {
        Pair a = pair();
        kit.requireDescriptors();
        run.run(() -> {
            PollEvent event = Poll.watch(a.near, READABLE);
            Async.spawn(event::dispose);
            assertThatThrownBy(() -> waitFor(event))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("descriptor " + a.near + " readable")
                    .hasMessageContaining("disposed");
        });
    }
}
