package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Threads;

/** Real threads on one channel: nothing is lost, nothing comes twice, each sender's values come in order. */
@Tag("slow")
class ThreadChannelStressTest {
    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    /** A value of one sender. */
    private record Item(int sender, int number) {}

    private static void check(ThreadChannel<Item> channel, int[] last, AtomicInteger count) {
        for (Item item : channel) {
            assertThat(item.number()).isGreaterThan(last[item.sender()]);
            last[item.sender()] = item.number();
            count.incrementAndGet();
        }
    }

    @Test
    @Tag("T10")
    @Tag("T13")
    void manySendersAndReceiversInManyRuntimes_eachValueOnceAndInOrder() {
        int each = 3_000;
        for (int capacity : new int[] {1, 3, 64}) {
            Threads.run(() -> {
                var channel = new ThreadChannel<Item>(capacity);
                var count = new AtomicInteger();
                var senders = new ArrayList<ThreadTask<?>>();
                for (int s = 0; s < 3; s++) {
                    int sender = s;
                    senders.add(spawnThread(() -> {
                        for (int i = 1; i <= each; i++) channel.send(new Item(sender, i));
                    }));
                }
                var receivers = new ArrayList<ThreadTask<?>>();
                for (int r = 0; r < 2; r++) {
                    receivers.add(spawnThread(() -> {
                        var one = spawn(() -> check(channel, new int[3], count));
                        var two = spawn(() -> check(channel, new int[3], count));
                        await(one);
                        await(two);
                    }));
                }
                for (ThreadTask<?> sender : senders) await(sender);
                channel.close();
                for (ThreadTask<?> receiver : receivers) await(receiver);
                assertThat(count).hasValue(3 * each);
            });
        }
    }

    @Test
    @Tag("F2")
    @Tag("F3")
    @Tag("F36")
    @Tag("F11")
    void sendersAndReceiversThatAreCancelled_loseNothingAndLeaveNothingBehind() {
        for (int seed = 1; seed <= 10; seed++) {
            int start = seed;
            Threads.run(() -> {
                var channel = new ThreadChannel<Integer>(2);
                var sent = ConcurrentHashMap.<Integer>newKeySet();
                var received = ConcurrentHashMap.<Integer>newKeySet();
                var numbers = new AtomicInteger();
                var tasks = new ArrayList<ThreadTask<?>>();
                for (int t = 0; t < 3; t++) {
                    int thread = t;
                    tasks.add(spawnThread(
                            () -> wild(new Random(start * 10L + thread), channel, numbers, sent, received)));
                }
                for (ThreadTask<?> task : tasks) await(task);
                channel.close();
                for (int value : channel) assertThat(received.add(value)).isTrue();
                assertThat(received).isEqualTo(sent);
            });
        }
    }

    private static void wild(
            Random random,
            ThreadChannel<Integer> channel,
            AtomicInteger numbers,
            ConcurrentHashMap.KeySetView<Integer, Boolean> sent,
            ConcurrentHashMap.KeySetView<Integer, Boolean> received) {
        var running = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < 1_000; i++) {
            boolean sends = random.nextBoolean();
            running.add(spawn(() -> {
                if (sends) {
                    int number = numbers.incrementAndGet();
                    channel.send(number);
                    sent.add(number);
                } else {
                    int number = channel.receive();
                    assertThat(received.add(number)).isTrue();
                }
            }));
            for (int pause = random.nextInt(3); pause > 0; pause--) suspend();
            if (random.nextInt(3) > 0)
                running.get(random.nextInt(running.size())).cancel();
            if (running.size() > 20) running.removeFirst().cancel();
        }
        for (Coroutine<?> one : running) one.cancel();
    }
}
