package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.CompositeException;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.OperationCanceledException;
import org.trueasync.Scope;
import org.trueasync.TaskGroup;
import org.trueasync.TaskResult;
import org.trueasync.TaskSet;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

/** Spawners that wait, leave and are cancelled; takers who do the same. */
@Tag("sized")
class GroupRacesTest {
    @Test
    @Tag("G2")
    @Tag("G3")
    @Tag("G8")
    @Tag("F3")
    @Tag("F64")
    void whoeverLeaves_limitsHoldAndATaskRunsExactlyIfItsSpawnReturned() {
        Orders.exploreAll(() -> new Spawning().play());
    }

    private static final class Spawning {
        private final RandomGenerator random = Schedules.random();
        private final int concurrency = 1 + random.nextInt(2);
        private final int limit = 1 + random.nextInt(2);
        private final TaskGroup<Integer> group = TaskGroup.<Integer>builder()
                .concurrency(concurrency)
                .queueLimit(limit)
                .build();
        private final List<Integer> accepted = new ArrayList<>();
        private final List<Integer> ran = new ArrayList<>();
        private int running;
        private int tasks;

        void play() {
            var spawners = new ArrayList<Coroutine<?>>();
            int count = 2 + random.nextInt(3);
            for (int i = 0; i < count; i++) spawners.add(spawn(this::spawnSome));
            if (random.nextInt(2) == 0) {
                Coroutine<?> victim = spawners.get(random.nextInt(count));
                Outside.happens(() -> victim.cancel());
            }
            boolean cancelled = random.nextInt(4) == 0;
            if (cancelled) Outside.happens(() -> group.cancel());
            else if (random.nextInt(4) == 0) Outside.happens(group::close);
            for (Coroutine<?> spawner : spawners) quietly(() -> await(spawner));
            group.close();
            group.awaitCompletion();

            assertThat(running).isZero();
            assertThat(group.size()).isEqualTo(accepted.size());
            assertThat(ran).doesNotHaveDuplicates();
            if (cancelled) assertThat(accepted).containsAll(ran);
            else assertThat(ran).containsExactlyInAnyOrderElementsOf(accepted);
            assertThat(group.results().size() + group.errors().size()).isEqualTo(accepted.size());
            delay(10);
            assertThat(Scope.global().childScopes()).isEmpty();
        }

        private void spawnSome() {
            int count = 1 + random.nextInt(2);
            for (int i = 0; i < count; i++) {
                int task = tasks++;
                try {
                    if (random.nextInt(4) == 0)
                        Async.withTimeout(Duration.ofMillis(1), () -> group.spawn(() -> run(task)));
                    else group.spawn(() -> run(task));
                } catch (AsyncTimeoutException givenUp) {
                    continue;
                } catch (AsyncException closed) {
                    assertThat(group.isClosed()).isTrue();
                    return;
                }
                accepted.add(task);
            }
        }

        private int run(int task) {
            ran.add(task);
            assertThat(++running).isLessThanOrEqualTo(concurrency);
            try {
                if (random.nextInt(4) > 0) await(Outside.completes(task));
                return task;
            } finally {
                running--;
            }
        }
    }

    @Test
    @Tag("G11")
    @Tag("F3")
    @Tag("F64")
    void whoeverLeaves_eachOutcomeIsHandedOutOnceAndNoneIsLost() {
        Orders.exploreAll(() -> new Taking().play());
    }

    private static final class Taking {
        private final RandomGenerator random = Schedules.random();
        private final TaskSet<Integer> set = new TaskSet<>();
        private final List<Object> taken = new ArrayList<>();
        private final List<Future<?>> futures = new ArrayList<>();

        void play() {
            int count = 2 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                int n = i;
                boolean fails = random.nextInt(4) == 0;
                set.spawn(() -> {
                    await(Outside.completes(n));
                    if (fails) throw new Numbered(n);
                    return n;
                });
            }
            var takers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) takers.add(spawn(random.nextInt(2) == 0 ? this::iterate : this::join));
            if (random.nextInt(2) == 0) {
                Coroutine<?> victim = takers.get(random.nextInt(3));
                Outside.happens(() -> victim.cancel());
            }
            set.close();
            set.awaitCompletion();
            for (Coroutine<?> taker : takers) quietly(() -> await(taker));
            // what a future has got although nobody waited any more
            for (Future<?> future : List.copyOf(futures))
                if (future.isCompleted()) take(future, () -> taken.add(future.await()));

            int left = set.size();
            for (TaskResult<Integer> one : set)
                taken.add(one.isFailed() ? ((Numbered) one.error()).number : one.result());
            assertThat(taken).as("with " + left + " left").hasSize(count).doesNotHaveDuplicates();
            assertThat(set.size()).isZero();
        }

        private static final class Numbered extends RuntimeException {
            private static final long serialVersionUID = 1;
            final int number;

            Numbered(int number) {
                super(null, null, false, false);
                this.number = number;
            }
        }

        private void iterate() {
            for (TaskResult<Integer> one : set) {
                taken.add(one.isFailed() ? ((Numbered) one.error()).number : one.result());
                if (random.nextInt(3) == 0) return;
            }
        }

        private void join() {
            if (set.size() == 0) return;
            Future<Integer> future = random.nextInt(3) == 0 ? set.joinAny() : set.joinNext();
            futures.add(future);
            take(future, () -> {
                int value = random.nextBoolean() ? future.await() : future.await(Outside.completes(0));
                futures.remove(future);
                taken.add(value);
            });
        }

        /** A failure that is an outcome counts as taken. */
        private void take(Future<?> future, Body wait) {
            try {
                wait.run();
            } catch (Numbered outcome) {
                futures.remove(future);
                taken.add(outcome.number);
            } catch (CompositeException several) {
                futures.remove(future);
                for (Throwable one : several.exceptions()) taken.add(((Numbered) one).number);
            } catch (OperationCanceledException | AsyncException nothing) {
                // nothing was taken
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    @Tag("G4")
    @Tag("G5")
    @Tag("F9")
    @Tag("F31")
    void questionsAskedAtAnyTime_agreeWithWhatHasSettled() {
        Orders.exploreCompletions(() -> {
            var group = new TaskGroup<Integer>();
            for (int i = 0; i < 3; i++) {
                int n = i;
                group.spawn(() -> await(Outside.completes(n)));
            }
            var order = new ArrayList<Object>();
            Coroutine<?> reader = spawn(() -> {
                for (TaskResult<Integer> one : group) order.add(one.result());
            });
            await(Outside.completes(0));
            Set<Object> before = new HashSet<>(group.results().values());
            Future<Integer> race = group.race();
            Future<Integer> any = group.any();
            Future<Map<Object, Integer>> all = group.all();
            try {
                race.await(Outside.completes(0));
            } catch (OperationCanceledException givenUp) {
                assertThat(before).isEmpty();
            }
            group.close();
            await(reader);
            assertThat(all.await()).hasToString("{0=0, 1=1, 2=2}");
            Object expected = before.isEmpty()
                    ? order.getFirst()
                    : before.stream().mapToInt(x -> (int) x).min().getAsInt();
            assertThat(race.await()).isEqualTo(expected);
            assertThat(any.await()).isEqualTo(expected);
        });
    }

    private static void quietly(Runnable wait) {
        try {
            wait.run();
        } catch (AsyncCancellation e) {
            // the one that was cancelled
        }
    }
}
