package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Threads;

class ThreadChannelTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    @Test
    @Tag("T10")
    void capacity_isAtLeastOneAndSixteenByDefault() {
        assertThat(new ThreadChannel<String>().capacity()).isEqualTo(16);
        assertThat(new ThreadChannel<String>(1).capacity()).isEqualTo(1);
        for (int bad : new int[] {0, -1})
            assertThatThrownBy(() -> new ThreadChannel<String>(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(String.valueOf(bad));
        assertThat(new ThreadChannel<String>(Integer.MAX_VALUE).trySend("x")).isTrue();
    }

    @Test
    @Tag("T10")
    void capacityWithoutLimit_takesNoMoreRoomThanThereAreValues() {
        var channel = new ThreadChannel<Integer>(Integer.MAX_VALUE);
        for (int i = 0; i < 100; i++) {
            assertThat(channel.trySend(i)).isTrue();
            assertThat(channel.receive()).isEqualTo(i);
        }
        assertThat(channel.isClosed()).isFalse();
    }

    @Test
    @Tag("T10")
    void values_comeInTheOrderOfSending() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(100);
            for (int i = 0; i < 100; i++) channel.send(i);
            assertThat(channel.isFull()).isTrue();
            assertThat(channel.trySend(100)).isFalse();
            for (int i = 0; i < 100; i++) assertThat(channel.receive()).isEqualTo(i);
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("T10")
    void null_isAValue() {
        Threads.run(() -> {
            var channel = new ThreadChannel<String>(1);
            channel.send(null);
            assertThat(channel.size()).isEqualTo(1);
            assertThat(channel.receive()).isNull();
            Coroutine<String> receiver = spawn(() -> channel.receive());
            suspend();
            channel.send(null);
            assertThat(await(receiver)).isNull();
        });
    }

    @Test
    @Tag("T10")
    void fullOrEmpty_parksOnlyTheCallerWhileItsRuntimeGoesOn() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            Coroutine<Integer> receiver = spawn(() -> channel.receive());
            suspend();
            assertThat(receiver.isSuspended()).isTrue();
            assertThat(receiver.awaitingInfo()).containsExactly("receive from thread channel (0/1)");
            channel.send(1);
            assertThat(await(receiver)).isEqualTo(1);
            channel.send(2);
            Coroutine<?> sender = spawn(() -> channel.send(3));
            suspend();
            assertThat(sender.isSuspended()).isTrue();
            assertThat(sender.awaitingInfo()).containsExactly("send to thread channel (1/1)");
            assertThat(channel.receive()).isEqualTo(2);
            await(sender);
            assertThat(channel.receive()).isEqualTo(3);
        });
    }

    @Test
    @Tag("T10")
    @Tag("F4")
    void waiters_areServedInTheOrderOfArrivalAlsoAfterOneHasLeft() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            var got = new ArrayList<String>();
            var receivers = new ArrayList<Coroutine<?>>();
            for (String name : List.of("a", "b", "c", "d"))
                receivers.add(spawn(() -> got.add(name + channel.receive())));
            suspend();
            receivers.get(1).cancel();
            suspend();
            for (int i = 0; i < 3; i++) channel.send(i);
            for (int i : new int[] {0, 2, 3}) await(receivers.get(i));
            assertThat(got).containsExactly("a0", "c1", "d2");
            var senders = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                int n = i;
                senders.add(spawn(() -> channel.send(n)));
            }
            suspend();
            senders.get(2).cancel();
            suspend();
            for (int i : new int[] {0, 1, 3, 4}) assertThat(channel.receive()).isEqualTo(i);
        });
    }

    @Test
    @Tag("T11")
    void close_sendsFailAndReceiversDrainThenFail() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(4);
            channel.send(1);
            channel.send(2);
            channel.close();
            channel.close();
            assertThat(channel.isClosed()).isTrue();
            assertThatThrownBy(() -> channel.send(3)).isInstanceOf(ThreadChannelException.class);
            assertThat(channel.trySend(3)).isFalse();
            assertThat(channel.receive()).isEqualTo(1);
            assertThat(channel.receive()).isEqualTo(2);
            for (int i = 0; i < 2; i++)
                assertThatThrownBy(() -> channel.receive())
                        .isInstanceOf(ThreadChannelException.class)
                        .hasMessageContaining("was closed");
        });
    }

    @Test
    @Tag("T11")
    void close_wakesWaitersInEveryThread() {
        Threads.run(() -> {
            for (boolean full : new boolean[] {false, true}) {
                var channel = new ThreadChannel<Integer>(1);
                if (full) channel.send(0);
                Body wait = () -> {
                    if (full) channel.send(1);
                    else channel.receive();
                };
                Coroutine<?> here = spawn(wait);
                ThreadTask<?> there = spawnThread(wait);
                var failed = new CompletableFuture<Throwable>();
                Thread plain = Thread.ofPlatform().start(() -> {
                    try {
                        wait.run();
                    } catch (Throwable e) {
                        failed.complete(e);
                    }
                });
                Threads.awaitParked(plain);
                suspend();
                channel.close();
                assertThatThrownBy(() -> await(here)).isInstanceOf(ThreadChannelException.class);
                assertThatThrownBy(() -> await(there)).hasCauseInstanceOf(ThreadChannelException.class);
                assertThat(await(failed)).isInstanceOf(ThreadChannelException.class);
                if (full) assertThat(channel.receive()).isZero();
                assertThatThrownBy(() -> channel.receive()).isInstanceOf(ThreadChannelException.class);
            }
        });
    }

    @Test
    @Tag("T12")
    void token_endsTheWaitAndItsReasonIsTheCause() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            assertThatThrownBy(() -> channel.receive(timeout(5)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            channel.send(1);
            assertThatThrownBy(() -> channel.send(2, timeout(5)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(channel.receive()).isEqualTo(1);
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("T12")
    @Tag("D19")
    void spentToken_refusesAlthoughThereIsRoomOrAValue() {
        Threads.run(() -> {
            Coroutine<String> spent = spawn(() -> "spent");
            await(spent);
            var channel = new ThreadChannel<Integer>(1);
            assertThatThrownBy(() -> channel.send(1, spent)).isInstanceOf(OperationCanceledException.class);
            assertThat(channel.size()).isZero();
            channel.send(2);
            assertThatThrownBy(() -> channel.receive(spent)).isInstanceOf(OperationCanceledException.class);
            assertThat(channel.receive()).isEqualTo(2);
        });
    }

    @Test
    @Tag("T12")
    void tokenOutsideACoroutine_isRefused() throws Exception {
        var token = new AtomicReference<Completable<?>>();
        Threads.run(() -> token.set(spawn(() -> "token")));
        var channel = new ThreadChannel<Integer>(1);
        assertThatThrownBy(() -> channel.receive(token.get()))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("needs a coroutine");
    }

    @Test
    @Tag("F2")
    @Tag("F32")
    void receiverCancelledAfterItsValueCame_theValueGoesToTheNextOrBackToItsPlace() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(4);
            Coroutine<Integer> first = spawn(() -> channel.receive());
            Coroutine<Integer> second = spawn(() -> channel.receive());
            Coroutine<Integer> third = spawn(() -> channel.receive());
            suspend();
            Async.currentCoroutine().asHighPriority();
            for (int i = 1; i <= 2; i++) channel.send(i);
            while (!second.isQueued()) suspend();
            first.cancel();
            second.cancel();
            assertThat(await(third)).isEqualTo(1);
            channel.send(3);
            assertThat(channel.receive()).isEqualTo(2);
            assertThat(channel.receive()).isEqualTo(3);
        });
    }

    @Test
    @Tag("F2")
    void twoCancelledReceiversInAnyOrder_theirValuesKeepTheirOrder() {
        for (boolean reversed : new boolean[] {false, true}) {
            Threads.run(() -> {
                var channel = new ThreadChannel<Integer>(4);
                Coroutine<Integer> first = spawn(() -> channel.receive());
                Coroutine<Integer> second = spawn(() -> channel.receive());
                suspend();
                Async.currentCoroutine().asHighPriority();
                for (int i = 1; i <= 3; i++) channel.send(i);
                while (!second.isQueued()) suspend();
                if (reversed) second.asHighPriority();
                first.cancel();
                second.cancel();
                for (Coroutine<Integer> gone : List.of(first, second))
                    assertThatThrownBy(() -> await(gone)).isInstanceOf(AsyncCancellation.class);
                for (int i = 1; i <= 3; i++) assertThat(channel.receive()).isEqualTo(i);
            });
        }
    }

    @Test
    @Tag("F36")
    void senderThatLeaves_takesItsValueBackAlsoWhenItHadComeIn() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            channel.send(0);
            Coroutine<?> inLine = spawn(() -> channel.send(1));
            suspend();
            inLine.cancel();
            assertThatThrownBy(() -> await(inLine)).isInstanceOf(AsyncCancellation.class);
            assertThat(channel.receive()).isZero();
            assertThat(channel.trySend(2)).isTrue();
            Coroutine<?> cameIn = spawn(() -> channel.send(3));
            Coroutine<?> behind = spawn(() -> channel.send(4));
            suspend();
            Async.currentCoroutine().asHighPriority();
            assertThat(channel.receive()).isEqualTo(2);
            while (!cameIn.isQueued()) suspend();
            cameIn.cancel();
            assertThatThrownBy(() -> await(cameIn)).isInstanceOf(AsyncCancellation.class);
            assertThat(channel.receive()).isEqualTo(4);
            await(behind);
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("F32")
    void senderCancelledAfterItsValueWasTaken_hasSentItAndIsCancelledAtItsNextWait() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            channel.send(0);
            var sent = new ArrayList<String>();
            Coroutine<?> sender = spawn(() -> {
                channel.send(1);
                sent.add("sent");
                suspend();
                sent.add("not reached");
            });
            suspend();
            Async.currentCoroutine().asHighPriority();
            assertThat(channel.receive()).isZero();
            while (!sender.isQueued()) suspend();
            assertThat(channel.receive()).isEqualTo(1);
            sender.cancel();
            spawn(() -> {});
            assertThatThrownBy(() -> await(sender)).isInstanceOf(AsyncCancellation.class);
            assertThat(sent).containsExactly("sent");
        });
    }

    @Test
    @Tag("T14")
    @Tag("F76")
    void ownerEnds_threadsThatWaitAreDisconnected() throws Exception {
        var channel = new AtomicReference<ThreadChannel<Integer>>();
        var made = new CountDownLatch(1);
        var waits = new CountDownLatch(1);
        Thread owner = Thread.ofPlatform()
                .start(() -> Threads.run(() -> {
                    channel.set(new ThreadChannel<>(1));
                    made.countDown();
                    waits.await();
                }));
        made.await();
        var failed = new CompletableFuture<Throwable>();
        Thread plain = Thread.ofPlatform().start(() -> {
            try {
                channel.get().receive();
            } catch (Throwable e) {
                failed.complete(e);
            }
        });
        Threads.awaitParked(plain);
        waits.countDown();
        assertThat(failed.get())
                .isInstanceOf(ThreadChannelException.class)
                .hasMessageContaining("ended with the runtime");
        owner.join();
        assertThatThrownBy(() -> channel.get().send(1)).isInstanceOf(ThreadChannelException.class);
    }

    @Test
    @Tag("T14")
    void otherRuntimesEnd_theChannelGoesOn() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            ThreadTask<?> other = spawnThread(() -> channel.send(1));
            await(other);
            assertThat(channel.receive()).isEqualTo(1);
            channel.send(2);
        });
    }

    @Test
    @Tag("T10")
    void plainThreads_sendAndReceive() throws Exception {
        var channel = new ThreadChannel<Integer>(2);
        var sum = new CompletableFuture<Integer>();
        Thread receiver = Thread.ofPlatform().start(() -> {
            int total = 0;
            for (int value : channel) total += value;
            sum.complete(total);
        });
        for (int i = 1; i <= 1_000; i++) channel.send(i);
        channel.close();
        assertThat(sum.get()).isEqualTo(500_500);
        receiver.join();
    }

    @Test
    @Tag("T10")
    @Tag("T12")
    void virtualThreadOfALibrary_waitsAsThreadsDo() {
        Threads.run(() -> {
            var channel = new ThreadChannel<String>(1);
            var log = new ArrayList<String>();
            Coroutine<?> token = spawn(() -> suspend());
            Thread guest = Thread.ofVirtual().start(() -> {
                log.add("waits");
                log.add("got " + channel.receive());
                assertThatThrownBy(() -> channel.receive(token))
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("needs a coroutine");
                log.add("refused");
            });
            while (log.isEmpty()) suspend();
            suspend();
            channel.send("x");
            guest.join();
            assertThat(log).containsExactly("waits", "got x", "refused");
        });
    }

    @Test
    @Tag("F76")
    void interruptedThread_leavesTheLine() throws Exception {
        var channel = new ThreadChannel<Integer>(1);
        var failed = new CompletableFuture<Throwable>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                channel.receive();
            } catch (AsyncCancellation e) {
                if (Thread.currentThread().isInterrupted()) failed.complete(e);
            }
        });
        Threads.awaitParked(waiting);
        waiting.interrupt();
        assertThat(failed.get()).hasMessageContaining("interrupted");
        channel.send(1);
        assertThat(channel.receive()).isEqualTo(1);
    }

    @Test
    @Tag("T11")
    void iteration_endsWithTheChannel() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(2);
            ThreadTask<?> producer = spawnThread(() -> {
                for (int i = 0; i < 10; i++) channel.send(i);
                channel.close();
            });
            var seen = new ArrayList<Integer>();
            for (int value : channel) seen.add(value);
            assertThat(seen).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            await(producer);
            assertThatThrownBy(() -> channel.iterator().next()).isInstanceOf(NoSuchElementException.class);
        });
    }

    @Test
    @Tag("F20")
    void waitForOtherThreads_isNoDeadlock() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            var go = new CountDownLatch(1);
            Thread plain = Thread.ofPlatform().start(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                channel.send(1);
            });
            spawn(() -> go.countDown());
            assertThat(channel.receive()).isEqualTo(1);
            plain.join();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    @Tag("F36")
    void senderThatLeavesTheMiddleOfTheBuffer_closesTheGap() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(3);
            for (int i = 0; i < 3; i++) channel.send(i);
            var senders = new ArrayList<Coroutine<?>>();
            for (int i = 3; i < 7; i++) {
                int n = i;
                senders.add(spawn(() -> channel.send(n)));
            }
            suspend();
            Async.currentCoroutine().asHighPriority();
            for (int i = 0; i < 3; i++) assertThat(channel.receive()).isEqualTo(i);
            while (!senders.get(2).isQueued()) suspend();
            senders.get(1).cancel();
            assertThatThrownBy(() -> await(senders.get(1))).isInstanceOf(AsyncCancellation.class);
            assertThat(channel.size()).isEqualTo(3);
            for (int i : new int[] {3, 5, 6}) assertThat(channel.receive()).isEqualTo(i);
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("T12")
    @Tag("F32")
    void tokenFiresAfterTheValueWasTaken_theSenderGoesOnUncancelled() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            var token = new FutureState<String>();
            channel.send(0);
            Coroutine<String> sender = spawn(() -> {
                channel.send(1, token.future());
                suspend();
                return "went on";
            });
            suspend();
            // the send is told of its end by another thread's post, which has not come when the token fires
            assertThat(channel.receive()).isZero();
            assertThat(channel.receive()).isEqualTo(1);
            token.complete("over");
            assertThat(await(sender)).isEqualTo("went on");
        });
    }

    @Test
    @Tag("T10")
    void wokenForNothing_theThreadWaitsOn() throws Exception {
        var channel = new ThreadChannel<Integer>(1);
        var got = new CompletableFuture<Integer>();
        Thread waiting = Thread.ofPlatform().start(() -> got.complete(channel.receive()));
        for (int i = 0; i < 100; i++) {
            Threads.awaitParked(waiting);
            java.util.concurrent.locks.LockSupport.unpark(waiting);
        }
        Threads.awaitParked(waiting);
        assertThat(got).isNotDone();
        channel.send(1);
        assertThat(got.get()).isEqualTo(1);
    }

    @Test
    @Tag("T11")
    void text_tellsNameAndSize() {
        var channel = new ThreadChannel<Integer>("orders", 2);
        channel.send(1);
        assertThat(channel.toString()).isEqualTo("thread channel 'orders' (1/2)");
        channel.close();
        assertThatThrownBy(() -> channel.send(2)).hasMessage("thread channel 'orders' (1/2) was closed");
    }

    @Test
    @Tag("T11")
    @Tag("T14")
    void iterationOfAChannelWhoseRuntimeHasEnded_throws() {
        var kept = new AtomicReference<ThreadChannel<Integer>>();
        Threads.run(() -> {
            kept.set(new ThreadChannel<>(2));
            kept.get().send(1);
        });
        var seen = new ArrayList<Integer>();
        assertThatThrownBy(() -> {
                    for (int value : kept.get()) seen.add(value);
                })
                .isInstanceOf(ThreadChannelException.class);
        assertThat(seen).containsExactly(1);
        assertThat(kept.get().isClosed()).isTrue();
    }

    @Test
    @Tag("T10")
    @Tag("F2")
    void valueThatAReceiverGaveBack_countsAndTakesNoRoom() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            Coroutine<Integer> receiver = spawn(() -> channel.receive());
            suspend();
            Async.currentCoroutine().asHighPriority();
            channel.send(1);
            while (!receiver.isQueued()) suspend();
            assertThat(channel.isEmpty()).isTrue();
            receiver.cancel();
            assertThatThrownBy(() -> await(receiver)).isInstanceOf(AsyncCancellation.class);
            assertThat(channel.isEmpty()).isFalse();
            assertThat(channel.size()).isEqualTo(1);
            assertThat(channel.isFull()).isFalse();
            channel.send(2);
            assertThat(channel.size()).isEqualTo(2);
            assertThat(channel.isFull()).isTrue();
            assertThat(channel.receive()).isEqualTo(1);
            assertThat(channel.size()).isEqualTo(1);
            Coroutine<Integer> last = spawn(() -> channel.receive());
            assertThat(await(last)).isEqualTo(2);
            assertThat(channel.isEmpty()).isTrue();
        });
    }
}
