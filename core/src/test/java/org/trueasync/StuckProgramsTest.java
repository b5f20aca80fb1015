package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * Programs drawn at random, over channels, futures, semaphores, mutexes, latches and handles, many of which lose
 * something that others wait for. What a search finds never goes on; and once nothing else goes on, it finds all that
 * is left.
 */
class StuckProgramsTest {
    private static final int STEPS = 12;

    /** What a coroutine has done; it refers to this, and this to nothing. */
    private static final class Progress {
        int steps;
        boolean ended;
    }

    private final Map<Long, Progress> all = new TreeMap<>();

    /** A coroutine that does random things with what it knows. */
    private final class Actor {
        private final Random random;
        private final List<Object> known;
        private final Progress progress = new Progress();
        private boolean inMutex;

        private final boolean maySpawn;

        Actor(Random random, List<Object> known, boolean maySpawn) {
            this.random = random;
            this.known = known;
            this.maySpawn = maySpawn;
        }

        void spawnIn(Scope scope) {
            Coroutine<?> coroutine = scope.spawn(this::act);
            all.put(coroutine.id(), progress);
            known.add(coroutine);
        }

        private void act() {
            try {
                for (int i = 0; i < STEPS && !known.isEmpty(); i++) {
                    step(known.get(random.nextInt(known.size())));
                    progress.steps++;
                }
            } finally {
                progress.ended = true;
            }
        }

        private void step(Object chosen) {
            switch (random.nextInt(8)) {
                case 0 -> delay(Duration.ofMillis(1 + random.nextInt(20)));
                case 1 -> known.remove(chosen);
                case 2 -> {
                    if (maySpawn)
                        new Actor(new Random(random.nextLong()), someOf(known), false).spawnIn(Scope.global());
                }
                default -> use(chosen);
            }
        }

        @SuppressWarnings("unchecked")
        private void use(Object chosen) {
            boolean either = random.nextBoolean();
            switch (chosen) {
                case Channel<?> channel -> useChannel((Channel<String>) channel, either);
                case FutureState<?> state -> {
                    if (either) state.future().await();
                    else if (!state.isCompleted()) state.complete(null);
                }
                case Semaphore semaphore -> {
                    if (either) semaphore.acquire();
                    else semaphore.withPermit(() -> delay(Duration.ofMillis(1)));
                }
                case Mutex mutex -> {
                    if (inMutex) return;
                    inMutex = true;
                    mutex.withLock(() -> step(known.get(random.nextInt(known.size()))));
                    inMutex = false;
                }
                case Latch latch -> {
                    if (either) latch.await();
                    else latch.countDown();
                }
                case Coroutine<?> coroutine -> {
                    if (either && !coroutine.isRunning()) coroutine.await();
                }
                default -> throw new AssertionError(chosen);
            }
        }

        private void useChannel(Channel<String> channel, boolean either) {
            Object other = known.get(random.nextInt(known.size()));
            if (other instanceof FutureState<?> token && random.nextBoolean()) {
                try {
                    channel.receive(token.future());
                } catch (OperationCanceledException tokenWasFirst) {
                    // it goes on
                }
            } else if (other instanceof Channel<?> second && second != channel) {
                Select.<String>of()
                        .receive(channel, value -> value)
                        .receive(second, value -> "other")
                        .select();
            } else if (either) {
                channel.send("value");
            } else {
                channel.receive();
            }
        }

        private List<Object> someOf(List<Object> objects) {
            var some = new ArrayList<Object>();
            for (Object object : objects) if (random.nextInt(3) > 0) some.add(object);
            return some;
        }
    }

    private void begin(long seed, Scope scope) {
        var random = new Random(seed);
        var objects = new ArrayList<Object>();
        for (int i = 0; i < 5; i++) {
            objects.add(
                    switch (random.nextInt(6)) {
                        case 0 -> new FutureState<String>();
                        case 1 -> new Semaphore(1);
                        case 2 -> new Mutex();
                        case 3 -> new Latch(2);
                        default -> new Channel<String>(random.nextInt(2));
                    });
        }
        for (int i = 0; i < 4; i++) {
            var actor = new Actor(new Random(random.nextLong()), new ArrayList<>(), true);
            actor.known.addAll(actor.someOf(objects));
            actor.spawnIn(scope);
        }
    }

    private static List<Long> stuck() {
        return Inspection.findStuck(Runtimes.here("the test")).coroutines().stream()
                .map(Coroutine::id)
                .toList();
    }

    private List<Long> left() {
        return all.entrySet().stream()
                .filter(entry -> !entry.getValue().ended)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Runs batches of programs, and returns how many coroutines were left over. Each batch is a few collections. */
    private int run(int batches, int programs, long seed) {
        int[] found = {0};
        TestRuntime.run(() -> {
            for (int batch = 0; batch < batches; batch++) found[0] += batch(programs, seed + batch * (long) programs);
        });
        return found[0];
    }

    private int batch(int programs, long seed) {
        all.clear();
        for (int i = 0; i < programs; i++) begin(seed + i, Scope.global());
        Map<Long, Integer> stepsWhenFound = new TreeMap<>();
        for (int look = 0; look < 2; look++) {
            delay(Duration.ofMillis(15));
            for (long id : stuck()) stepsWhenFound.put(id, progressOf(id).steps);
        }
        delay(Duration.ofHours(1));
        List<Long> left = left();
        assertThat(stuck()).as("seed %d", seed).isEqualTo(left);
        assertThat(left).as("seed %d", seed).containsAll(stepsWhenFound.keySet());
        stepsWhenFound.forEach((id, steps) -> assertThat(progressOf(id).steps)
                .as("seed %d, coroutine %d", seed, id)
                .isEqualTo(steps));
        end(left);
        assertThat(left()).isEmpty();
        return left.size();
    }

    private Progress progressOf(long id) {
        return Objects.requireNonNull(all.get(id));
    }

    /** Cancels those that are left. */
    private static void end(List<Long> left) {
        for (Coroutine<?> coroutine : Async.coroutines()) if (left.contains(coroutine.id())) coroutine.cancel();
        delay(Duration.ofMillis(1));
    }

    @Test
    void whatIsFound_neverGoesOn_andAllThatIsLeftIsFound() {
        assertThat(run(2, 50, 1)).isPositive();
    }

    @Test
    @Tag("deep")
    void tenThousandPrograms() {
        assertThat(run(20, 500, 100_000)).isGreaterThan(10_000);
    }
}
