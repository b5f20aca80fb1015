package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * Schedules made at random from a seed: coroutines that send, try, receive, iterate, give up, cancel each other and
 * close. Whatever the order, what was sent is received once or still here, and what was not sent is not received. A
 * failure names its seed.
 */
@Tag("deep")
class ChannelSchedulesTest {
    private static final int ROUNDS = 12_000;

    @Test
    @Tag("Ch7")
    @Tag("Ch8")
    @Tag("Ch9")
    @Tag("Ch10")
    @Tag("Ch11")
    @Tag("F1")
    @Tag("F2")
    @Tag("F3")
    @Tag("F36")
    void everythingMixed_nothingIsLostAndNothingDoubled() {
        TestRuntime.run(() -> {
            for (int seed = 0; seed < ROUNDS; seed++) new Round(seed, true).run();
        });
    }

    @Test
    @Tag("Ch2")
    @Tag("F4")
    void receiversThatStay_getEachProducersValuesInOrder() {
        TestRuntime.run(() -> {
            for (int seed = 0; seed < ROUNDS / 2; seed++) new Round(seed, false).run();
        });
    }

    @Test
    @Tag("Ch7")
    @Tag("Ch8")
    @Tag("Ch9")
    @Tag("F1")
    @Tag("F2")
    @Tag("F3")
    @Tag("F4")
    @Tag("F36")
    void coroutinesThatRunInAnyOrder_nothingIsLostAndNothingDoubled() {
        var order = new Random(1);
        new TestRuntime(settings -> settings.runOrder(order::nextInt)).start(() -> {
            for (int seed = 0; seed < ROUNDS; seed++) new Round(seed, seed % 3 > 0).run();
        });
    }

    private static final class Round {
        private final int seed;
        private final Random random;
        private final boolean receiversLeave;
        private final int capacity;
        private final Channel<Integer> channel;
        private final List<Coroutine<?>> all = new ArrayList<>();
        private final Set<Coroutine<?>> receiving = new HashSet<>();
        private final Set<Integer> sent = new HashSet<>();
        private final Set<Integer> notSent = new HashSet<>();
        private final Set<Integer> received = new HashSet<>();
        private final Map<String, Integer> lastSeen = new HashMap<>();
        private int lastValue;

        Round(int seed, boolean receiversLeave) {
            this.seed = seed;
            this.receiversLeave = receiversLeave;
            random = new Random(seed);
            capacity = new int[] {0, 0, 1, 2, 5}[random.nextInt(5)];
            channel = new Channel<>(capacity);
        }

        void run() {
            int crowd = 2 + random.nextInt(8);
            for (int i = 0; i < crowd; i++) {
                int number = i;
                Coroutine<?> one = spawn(() -> body(number));
                if (receiversLeave && random.nextInt(5) == 0) one.asHighPriority();
                all.add(one);
            }
            int steps = random.nextInt(20);
            for (int i = 0; i < steps; i++) pause();
            channel.close();
            for (int i = 0; i < 1_000 && !all.stream().allMatch(Coroutine::isCompleted); i++) delay(1);
            assertThat(all).as(this::toString).allMatch(Coroutine::isCompleted);
            for (int value : channel) note(-1, value);
            assertThat(received).as(this::toString).isEqualTo(sent);
            assertThat(Collections.disjoint(notSent, received))
                    .as(this::toString)
                    .isTrue();
            assertThat(channel.toString()).as(this::toString).isEqualTo("channel (0/" + capacity + ")");
            for (Coroutine<?> one : all)
                if (one.exception() != null && !one.isCancelled())
                    throw new AssertionError(toString(), one.exception());
        }

        private void body(int number) {
            int steps = 1 + random.nextInt(8);
            for (int i = 0; i < steps; i++) {
                try {
                    step(number);
                } catch (OperationCanceledException givenUp) {
                    // and on
                } catch (AsyncCancellation cancelled) {
                    if (random.nextBoolean()) throw cancelled;
                } catch (ChannelException closed) {
                    if (random.nextBoolean()) return;
                }
            }
        }

        private void step(int number) {
            switch (random.nextInt(11)) {
                case 0, 1 -> send(number, null);
                case 2 -> send(number, token(number));
                case 3 -> {
                    int value = next(number);
                    if (channel.trySend(value)) sent.add(value);
                    else notSent.add(value);
                }
                case 4, 5 -> receive(number, null);
                case 6 -> receive(number, token(number));
                case 7 -> {
                    int limit = random.nextInt(3);
                    receiving.add(all.get(number));
                    try {
                        for (int value : channel) {
                            note(number, value);
                            if (limit-- == 0) break;
                        }
                    } finally {
                        receiving.remove(all.get(number));
                    }
                }
                case 8 -> cancelSomebody();
                case 9 -> {
                    if (random.nextInt(40) == 0) channel.close();
                }
                default -> pause();
            }
        }

        private void pause() {
            if (random.nextInt(4) == 0) delay(random.nextInt(3));
            else suspend();
        }

        private void cancelSomebody() {
            Coroutine<?> other = all.get(random.nextInt(all.size()));
            if (receiversLeave || !receiving.contains(other)) other.cancel();
        }

        /** A timeout, or another coroutine of an earlier number, so that there is no cycle. */
        private Completable<?> token(int number) {
            if (number == 0 || random.nextBoolean()) return timeout(1 + random.nextInt(3));
            return all.get(random.nextInt(number));
        }

        private int next(int number) {
            return ++lastValue * 100 + number;
        }

        private void send(int number, @Nullable Completable<?> token) {
            int value = next(number);
            boolean returned = false;
            try {
                if (token == null) channel.send(value);
                else channel.send(value, token);
                returned = true;
            } finally {
                if (returned) sent.add(value);
                else notSent.add(value);
            }
        }

        private void receive(int number, @Nullable Completable<?> token) {
            if (token != null && !receiversLeave) return;
            receiving.add(all.get(number));
            try {
                note(number, token == null ? channel.receive() : channel.receive(token));
            } finally {
                receiving.remove(all.get(number));
            }
        }

        private void note(int receiver, int value) {
            assertThat(received.add(value))
                    .as("%s: %d received twice", this, value)
                    .isTrue();
            if (receiversLeave) return;
            Integer before = lastSeen.put(receiver + " of " + value % 100, value);
            if (before != null) assertThat(value).as(this::toString).isGreaterThan(before);
        }

        @Override
        public String toString() {
            return "seed " + seed + (receiversLeave ? "" : " in order") + ", capacity " + capacity + ", sent " + sent
                    + ", received " + received + ", " + channel + ", " + all;
        }
    }
}
