package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.CircuitBreakerState;
import org.trueasync.Coroutine;
import org.trueasync.Pool;
import org.trueasync.PoolException;
import org.trueasync.PoolStats;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

@Tag("sized")
class PoolRacesTest {
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A resource that knows whether somebody has it. */
    private static final class Thing {
        boolean inUse;
        boolean destroyed;
    }

    /**
     * A pool whose hooks wait, fail and refuse as the seed has it, and its users; whatever happens, the numbers are
     * right.
     */
    private static final class World {
        final RandomGenerator random = Schedules.random();
        final int max = 1 + random.nextInt(3);
        final List<Thing> things = new ArrayList<>();
        final List<Coroutine<?>> users = new ArrayList<>();
        /** Those that exist, or that somebody is making or destroying. */
        int living;

        final boolean hooksWait = random.nextBoolean();
        final boolean hooksFail = random.nextInt(3) == 0;
        final Pool<Thing> pool = build();

        Pool<Thing> build() {
            Pool.Builder<Thing> builder = Pool.of(this::make)
                    .destructor(this::destroy)
                    .beforeAcquire(t -> looks())
                    .beforeRelease(t -> looks())
                    .max(max);
            if (random.nextBoolean()) builder.healthcheck(t -> looks()).healthcheckInterval(Duration.ofMillis(2));
            return builder.build();
        }

        /** What holds at any moment. */
        void assertConsistent() {
            PoolStats now = pool.stats();
            assertThat(now.count()).isEqualTo(now.idle() + now.active()).isBetween(living, max);
            if (now.waiting() == 0) return;
            assertThat(now.idle()).as("somebody waits beside a free one").isZero();
            assertThat(now.count()).as("somebody waits beside a free place").isEqualTo(max);
            assertThat(pool.isClosed()).isFalse();
            assertThat(pool.state()).isNotEqualTo(CircuitBreakerState.INACTIVE);
        }

        void waits() {
            assertConsistent();
            if (hooksWait && random.nextBoolean()) Async.await(Outside.completes(null));
            assertConsistent();
        }

        boolean looks() {
            waits();
            if (hooksFail && random.nextInt(4) == 0) throw new Refused();
            return !hooksFail || random.nextInt(4) > 0;
        }

        Thing make() {
            assertThat(++living).as("more than max").isLessThanOrEqualTo(max);
            try {
                waits();
                if (hooksFail && random.nextInt(4) == 0) throw new Refused();
            } catch (Throwable e) {
                living--;
                throw e;
            }
            var thing = new Thing();
            things.add(thing);
            return thing;
        }

        void destroy(Thing thing) {
            assertThat(thing.destroyed).as("destroyed twice").isFalse();
            assertThat(thing.inUse).isFalse();
            thing.destroyed = true;
            try {
                waits();
                if (hooksFail && random.nextInt(8) == 0) throw new Refused();
            } finally {
                living--;
            }
        }

        void close() {
            try {
                pool.close();
            } catch (Refused e) {
                // a destructor, as the seed has it
            }
        }

        void user() {
            boolean hurries = random.nextInt(3) == 0;
            users.add(Async.spawn(() -> {
                Thing thing = hurries ? pool.acquire(Duration.ofMillis(1)) : pool.acquire();
                assertThat(thing.inUse || thing.destroyed).isFalse();
                thing.inUse = true;
                try {
                    if (random.nextBoolean()) Async.await(Outside.completes(null));
                } finally {
                    thing.inUse = false;
                    assertConsistent();
                    if (random.nextInt(5) == 0) pool.discard(thing);
                    else pool.release(thing);
                    assertConsistent();
                }
            }));
        }

        void somebodyLeaves() {
            Outside.happens(users.get(random.nextInt(users.size()))::cancel);
        }

        void everybodyEnds() {
            for (Coroutine<?> user : users) {
                try {
                    Async.await(user);
                } catch (Refused | AsyncTimeoutException | ServiceUnavailableException e) {
                    // as the seed has it
                } catch (PoolException e) {
                    assertThat(pool.isClosed()).isTrue();
                } catch (AsyncCancellation e) {
                    assertThat(user.isCancelled()).isTrue();
                }
            }
        }
    }

    @Test
    @Tag("P5")
    @Tag("P8")
    @Tag("P11")
    @Tag("F2")
    @Tag("F60")
    @Tag("F61")
    void someLeaveAtAnyTimeAndHooksWaitAndFail_nothingIsLostAndNobodyIsForgotten() {
        Orders.exploreAll(() -> {
            var world = new World();
            for (int i = world.random.nextInt(6); i >= 0; i--) world.user();
            for (int i = world.random.nextInt(3); i > 0; i--) world.somebodyLeaves();
            Orders.settle();
            assertThat(world.users).as("everybody has ended").allMatch(Coroutine::isCompleted);
            world.everybodyEnds();
            // a health check may be under way
            for (int i = 0; i < 100 && world.pool.activeCount() > 0; i++) Async.delay(1);
            assertThat(world.pool.activeCount()).isZero();
            assertThat(world.pool.count()).isEqualTo(world.living);
            world.close();
            assertThat(world.living).isZero();
            assertThat(world.things).allMatch(t -> t.destroyed);
        });
    }

    @Test
    @Tag("P14")
    @Tag("F1")
    void closedOrDeactivatedAtAnyTime_everybodyIsWokenAndEachResourceIsDestroyedOnce() {
        Orders.exploreAll(() -> {
            var world = new World();
            for (int i = world.random.nextInt(6); i >= 0; i--) world.user();
            if (world.random.nextBoolean()) world.somebodyLeaves();
            if (world.random.nextInt(3) == 0) Outside.happens(world.pool::deactivate);
            if (world.random.nextInt(3) == 0) Outside.happens(world.pool::activate);
            Outside.happens(world::close);
            Orders.settle();
            assertThat(world.users).allMatch(Coroutine::isCompleted);
            world.everybodyEnds();
            assertThat(world.pool.isClosed()).isTrue();
            assertThat(world.pool.count()).isZero();
            assertThat(world.living).isZero();
            assertThat(world.things).allMatch(t -> t.destroyed);
        });
    }

    @Test
    @Tag("P6")
    @Tag("P11")
    void plainPool_servesInTheOrderOfArrival() {
        Orders.exploreCompletions(() -> {
            RandomGenerator random = Schedules.random();
            var pool = Pool.of(Thing::new).max(1 + random.nextInt(2)).build();
            var served = new ArrayList<Integer>();
            var users = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 6; i++) {
                int number = i;
                users.add(Async.spawn(() -> {
                    Thing thing = pool.acquire();
                    served.add(number);
                    try {
                        Async.await(Outside.completes(null));
                    } finally {
                        pool.release(thing);
                    }
                }));
            }
            for (int i = random.nextInt(3); i > 0; i--) Outside.happens(users.get(random.nextInt(6))::cancel);
            Orders.settle();
            assertThat(users).allMatch(Coroutine::isCompleted);
            assertThat(served).isSorted().doesNotHaveDuplicates();
            assertThat(pool.activeCount()).isZero();
            pool.close();
        });
    }
}
