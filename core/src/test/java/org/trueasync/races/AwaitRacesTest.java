package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.lazily;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Channel;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.Outcomes;
import org.trueasync.spi.Event;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

/** Members, tokens and cancellations that come in any order, also in the same round of the queue. */
@Tag("sized")
class AwaitRacesTest {
    @Test
    @Tag("A5")
    @Tag("A16")
    @Tag("A20")
    @Tag("A25")
    @Tag("F31")
    @Tag("F32")
    void whateverComesFirst_oneOutcomeAndNothingStaysSubscribed() {
        Orders.exploreAll(() -> new Wait().play());
    }

    /** A wait for some of a few, which a token or a cancellation may end. */
    private static final class Wait {
        private final RandomGenerator random = Schedules.random();
        private final List<Completable<Integer>> members = new ArrayList<>();
        private final List<Throwable> errors = new ArrayList<>();
        private final int wanted = 1 + random.nextInt(3);
        private final boolean orFail = random.nextBoolean();
        private @Nullable Outcomes<Integer, Integer> outcomes;
        private @Nullable List<Integer> values;
        private @Nullable Throwable thrown;

        void play() {
            int count = 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) members.add(member(i));
            if (random.nextInt(4) == 0) members.add(members.getFirst());
            Completable<Integer> token = Outside.completes(-1);
            Coroutine<?> waiter = spawn(() -> waits(token));
            boolean cancelled = random.nextInt(3) == 0;
            if (cancelled) Outside.happens(() -> waiter.cancel());

            for (Completable<Integer> member : members) awaitQuietly(member);
            awaitQuietly(token);
            awaitQuietly(waiter);
            Async.delay(10);

            for (Completable<Integer> member : members)
                assertThat(isAwaited(member)).isFalse();
            assertThat(isAwaited(token)).isFalse();
            if (waiter.exception() != null)
                assertThat(cancelled && waiter.isCancelled()).isTrue();
            if (thrown != null)
                assertThat(thrown instanceof AsyncCancellation || (orFail && errors.contains(thrown)))
                        .isTrue();
            if (values != null)
                assertThat(values.size() == wanted || values.size() == members.size())
                        .isTrue();
            if (outcomes != null) checkOutcomes(outcomes);
        }

        /** Its value is its position, so it shows whose it is. */
        private Completable<Integer> member(int position) {
            var error = new IllegalStateException("member " + position);
            errors.add(error);
            Completable<Integer> outside = random.nextInt(3) == 0 ? Outside.fails(error) : Outside.completes(position);
            return random.nextBoolean() ? outside : spawn(() -> await(outside));
        }

        private void waits(Completable<Integer> token) {
            Iterable<Completable<Integer>> source =
                    switch (random.nextInt(3)) {
                        case 0 -> members;
                        case 1 -> lazily(members);
                        default ->
                            lazily(members.stream().map(member -> {
                                awaitQuietly(Outside.completes(0));
                                return member;
                            })::iterator);
                    };
            try {
                if (orFail) values = Async.awaitAnyOfOrFail(wanted, source, token);
                else outcomes = Async.awaitAnyOf(wanted, source, token);
            } catch (Throwable e) {
                thrown = e;
            }
            Async.delay(1); // nothing of that wait may reach the next one
        }

        private void checkOutcomes(Outcomes<Integer, Integer> outcomes) {
            int successes = outcomes.results().size();
            assertThat(successes).isLessThanOrEqualTo(wanted);
            assertThat(successes == wanted || successes + outcomes.errors().size() == members.size())
                    .isTrue();
            outcomes.results().forEach((key, value) -> assertThat(value).isEqualTo(await(members.get(key))));
            assertThat(errors).containsAll(outcomes.errors().values());
        }
    }

    @Test
    @Tag("A21")
    @Tag("F36")
    void whenTheWaitEnds_nothingMoreIsTakenFromTheChannelThatItsMembersComeFrom() {
        Orders.exploreAll(() -> {
            int sent = 3;
            var channel = new Channel<Completable<Integer>>(Schedules.random().nextInt(2) * sent);
            Coroutine<?> sender = spawn(() -> {
                for (int i = 0; i < sent; i++) {
                    channel.send(Outside.completes(i));
                    awaitQuietly(Outside.completes(0));
                }
                channel.close();
            });
            int wanted = 1 + Schedules.random().nextInt(2);
            var taken = new ArrayList<Completable<Integer>>();
            Iterator<Completable<Integer>> source = channel.iterator();
            var watched = new Iterator<Completable<Integer>>() {
                @Override
                public boolean hasNext() {
                    return source.hasNext();
                }

                @Override
                public Completable<Integer> next() {
                    // what is taken after the end of the wait is lost
                    assertThat(taken.stream().filter(Completable::isCompleted)).hasSizeLessThan(wanted);
                    taken.add(source.next());
                    return taken.getLast();
                }
            };
            assertThat(Async.<Integer>awaitAnyOf(wanted, lazily(() -> watched)).results())
                    .hasSize(wanted);
            int left = 0;
            for (Completable<Integer> ignored : channel) left++;
            await(sender);
            assertThat(taken.size() + left).isEqualTo(sent);
        });
    }

    private static void awaitQuietly(Completable<?> one) {
        try {
            await(one);
        } catch (IllegalStateException | AsyncCancellation e) {
            // whatever ends it
        }
    }

    private static boolean isAwaited(Completable<?> member) {
        return ((Event) member).hasCallbacks();
    }
}
