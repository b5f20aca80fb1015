package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.ThreadChannel;
import org.trueasync.ThreadPool;
import org.trueasync.ThreadPoolException;
import org.trueasync.ThreadTask;

/** What real threads do to each other through channels and pools; each is the body of a main coroutine. */
public final class ThreadLoads {
    private ThreadLoads() {}

    /** A value of one sender. */
    private record Item(int sender, int number) {}

    // ---- channels

    /**
     * Senders and receivers in many runtimes: each value comes once, and those of one sender in order.
     *
     * @param capacity of the channel
     * @param each how many values each sender has
     */
    public static void manyToMany(int capacity, int each) {
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
                var one = spawn(() -> receiveAll(channel, new int[3], count));
                var two = spawn(() -> receiveAll(channel, new int[3], count));
                await(one);
                await(two);
            }));
        }
        for (ThreadTask<?> sender : senders) await(sender);
        channel.close();
        for (ThreadTask<?> receiver : receivers) await(receiver);
        assertThat(count).hasValue(3 * each);
    }

    private static void receiveAll(ThreadChannel<Item> channel, int[] last, AtomicInteger count) {
        for (Item item : channel) {
            assertThat(item.number()).isGreaterThan(last[item.sender()]);
            last[item.sender()] = item.number();
            count.incrementAndGet();
        }
    }

    /**
     * A question and an answer at a time between two runtimes. The answer takes between nothing and several times what
     * a loop spins before it sleeps, so it comes at any moment of the way to sleep. A wake-up that was lost would leave
     * both waiting.
     *
     * @param seed of how long answers take
     * @param count how many
     */
    public static void questions(int seed, int count) {
        var questions = new ThreadChannel<Integer>(1);
        var answers = new ThreadChannel<Integer>(1);
        ThreadTask<?> other = spawnThread(() -> {
            var random = new Random(seed);
            for (int question : questions) {
                compute(random);
                answers.send(question);
            }
        });
        var random = new Random(-seed);
        for (int i = 0; i < count; i++) {
            questions.send(i);
            assertThat(answers.receive()).isEqualTo(i);
            compute(random);
        }
        questions.close();
        await(other);
    }

    private static void compute(Random random) {
        // Mostly shorter than the spin, so that it goes on spinning; now and then around its end, or longer.
        int bound = random.nextInt(4) == 0 ? 60_000 : 10_000;
        long end = System.nanoTime() + random.nextInt(bound);
        while (System.nanoTime() - end < 0) Thread.onSpinWait();
    }

    /**
     * Senders and receivers that are cancelled at any moment: what was sent is received once, and nothing else.
     *
     * @param seed of who does what
     * @param each how many there are in each runtime
     */
    public static void cancelled(int seed, int each) {
        var channel = new ThreadChannel<Integer>(2);
        Set<Integer> sent = ConcurrentHashMap.newKeySet();
        Set<Integer> received = ConcurrentHashMap.newKeySet();
        var numbers = new AtomicInteger();
        var tasks = new ArrayList<ThreadTask<?>>();
        for (int t = 0; t < 3; t++) {
            var random = new Random(seed * 10L + t);
            tasks.add(spawnThread(() -> wild(random, each, channel, numbers, sent, received)));
        }
        for (ThreadTask<?> task : tasks) await(task);
        channel.close();
        for (int value : channel) assertThat(received.add(value)).isTrue();
        assertThat(received).isEqualTo(sent);
    }

    private static void wild(
            Random random,
            int each,
            ThreadChannel<Integer> channel,
            AtomicInteger numbers,
            Set<Integer> sent,
            Set<Integer> received) {
        var running = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < each; i++) {
            boolean sends = random.nextBoolean();
            running.add(spawn(() -> {
                if (sends) {
                    int number = numbers.incrementAndGet();
                    channel.send(number);
                    sent.add(number);
                } else {
                    assertThat(received.add(channel.receive())).isTrue();
                }
            }));
            for (int pause = random.nextInt(3); pause > 0; pause--) suspend();
            if (random.nextInt(3) > 0)
                running.get(random.nextInt(running.size())).cancel();
            if (running.size() > 20) running.removeFirst().cancel();
        }
        for (Coroutine<?> one : running) one.cancel();
    }

    // ---- pools

    /**
     * Submitters in several runtimes, tasks that end in all ways or are given up, and reloads meanwhile: each future
     * ends as its task did, and the counters add up.
     *
     * @param seed of who does what
     * @param each how many tasks each submitter has
     * @param coroutineMode of the pool
     */
    public static void pool(int seed, int each, boolean coroutineMode) {
        var accepted = new AtomicInteger();
        var pool = ThreadPool.builder()
                .workers(3)
                .queueSize(2)
                .coroutineMode(coroutineMode)
                .build();
        var submitters = new ArrayList<ThreadTask<?>>();
        for (int s = 0; s < 2; s++) {
            var random = new Random(seed * 10L + s);
            submitters.add(spawnThread(() -> submit(pool, random, each, accepted)));
        }
        Coroutine<?> reloads = spawn(() -> {
            for (int i = 0; i < 3; i++) pool.reload();
        });
        submit(pool, new Random(seed * 10L + 9), each, accepted);
        await(reloads);
        for (ThreadTask<?> submitter : submitters) await(submitter);
        pool.close();
        assertThat(pool.workerCount()).isZero();
        assertThat(pool.pendingCount()).isZero();
        assertThat(pool.runningCount()).isZero();
        assertThat(pool.completedCount()).isEqualTo(accepted.get());
    }

    private static void submit(ThreadPool pool, Random random, int each, AtomicInteger accepted) {
        var waiters = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < each; i++) {
            int number = i;
            int way = random.nextInt(4);
            Future<Integer> future = pool.submit(() -> {
                if (way == 1) throw new IllegalStateException("task " + number);
                if (way == 2) suspend();
                if (way == 3) spawn(() -> new ThreadChannel<String>().receive());
                return number;
            });
            accepted.incrementAndGet();
            waiters.add(spawn(() -> check(future, number, way)));
            if (random.nextInt(4) == 0)
                waiters.get(random.nextInt(waiters.size())).cancel();
            if (random.nextInt(8) == 0) future.cancel();
        }
        for (Coroutine<?> waiter : waiters) {
            try {
                await(waiter);
            } catch (AsyncCancellation e) {
                // the waiter or its task was cancelled
            }
        }
    }

    private static void check(Future<Integer> future, int number, int way) {
        try {
            assertThat(await(future)).isEqualTo(number);
            assertThat(way).isNotEqualTo(1);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("task " + number);
        }
    }

    /**
     * A pool that is closed or cancelled while others submit: each submission is refused or its future ends.
     *
     * @param seed of who does what
     * @param cancels whether it is cancelled
     */
    public static void poolThatEnds(int seed, boolean cancels) {
        var random = new Random(seed);
        var pool = ThreadPool.builder().workers(2).queueSize(1).build();
        var submitters = new ArrayList<ThreadTask<Integer>>();
        for (int s = 0; s < 2; s++) {
            submitters.add(spawnThread(() -> {
                List<Future<Integer>> futures = new ArrayList<>();
                try {
                    for (int i = 0; ; i++) {
                        int number = i;
                        futures.add(pool.submit(() -> number));
                    }
                } catch (ThreadPoolException closed) {
                    // as it should be
                }
                for (Future<Integer> future : futures) {
                    try {
                        await(future);
                    } catch (AsyncCancellation e) {
                        assertThat(cancels).isTrue();
                    }
                }
                return futures.size();
            }));
        }
        for (int i = random.nextInt(20); i > 0; i--) await(pool.submit(() -> "x"));
        int own = pool.completedCount();
        if (cancels) pool.cancel();
        pool.close();
        int accepted = 0;
        for (ThreadTask<Integer> submitter : submitters) accepted += await(submitter);
        assertThat(accepted).isLessThanOrEqualTo(pool.completedCount());
        assertThat(own).isLessThanOrEqualTo(pool.completedCount());
    }
}
