package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Who waits at a pool is woken with something that is his own, and passes it on if he leaves. */
class PoolReservationTest extends PoolOfThings {
    @Test
    @Tag("P6")
    @Tag("P11")
    void released_goesToTheOldestWaiterAndNobodyBarges() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.acquire();
            for (int i = 0; i < 3; i++) {
                int n = i;
                spawn(() -> {
                    Thing mine = pool.acquire();
                    log.add("served " + n);
                    pool.release(mine);
                });
            }
            suspend();
            assertThat(pool.stats().waiting()).isEqualTo(3);
            pool.release(thing);
            assertThat(pool.tryAcquire()).as("promised to the first in line").isNull();
            assertNumbers(pool, 0, 1);
            pool.release(pool.acquire());
            assertThat(log).containsExactly("served 0", "served 1", "served 2");
            assertThat(made).isEqualTo(1);
        });
    }

    @Test
    @Tag("P6")
    @Tag("P7")
    void waiterIsPromisedOneThatTheHookRefuses_itsPlaceIsHisForANewOne() {
        TestRuntime.run(() -> {
            var pool = pool().beforeAcquire(t -> t.good).max(1).build();
            Thing bad = pool.acquire();
            bad.good = false;
            Coroutine<Thing> first = spawn(() -> pool.acquire());
            Coroutine<Thing> second = spawn(() -> pool.acquire());
            suspend();
            pool.release(bad);
            Thing mine = await(first);
            assertThat(mine.number).isEqualTo(2);
            assertThat(log).containsExactly("destroyed 1");
            assertThat(second.isCompleted()).isFalse();
            pool.release(mine);
            assertThat(await(second)).isSameAs(mine);
        });
    }

    @Test
    @Tag("P8")
    @Tag("F61")
    void factoryFails_callerGetsTheErrorAndTheNextOneTries() {
        TestRuntime.run(() -> {
            var pool = Pool.of(() -> {
                        int n = ++made;
                        delay(1);
                        if (n < 3) throw new java.io.IOException("refused " + n);
                        return new Thing(n);
                    })
                    .max(1)
                    .build();
            Coroutine<Thing> a = spawn(() -> pool.acquire());
            Coroutine<Thing> b = spawn(() -> pool.acquire());
            Coroutine<Thing> c = spawn(() -> pool.acquire());
            assertThatThrownBy(() -> await(a)).hasRootCauseMessage("refused 1");
            assertThatThrownBy(() -> await(b)).hasRootCauseMessage("refused 2");
            assertThat(await(c).number).isEqualTo(3);
            assertNumbers(pool, 0, 1);
        });
    }

    @Test
    @Tag("F61")
    void refusedResource_freesItsPlaceForWhoWaits() {
        TestRuntime.run(() -> {
            var pool = pool().beforeRelease(t -> t.good).max(1).build();
            Thing bad = pool.acquire();
            Coroutine<Thing> waiter = spawn(() -> pool.acquire());
            suspend();
            bad.good = false;
            pool.release(bad);
            assertThat(await(waiter).number).isEqualTo(2);
        });
    }

    @Test
    @Tag("E13")
    @Tag("P10")
    @Tag("P11")
    void emptyPlaceIsPromised_tryAcquireDoesNotTakeIt() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.acquire();
            Coroutine<Thing> waiter = spawn(() -> pool.acquire());
            suspend();
            pool.discard(thing);
            assertThat(pool.tryAcquire()).isNull();
            assertNumbers(pool, 0, 1);
            assertThat(pool.toString()).isEqualTo("Pool 'things' (max=1 active=1 idle=0 waiting=0 reserved=1)");
            assertThat(await(waiter).number).isEqualTo(2);
            assertThat(pool.toString()).isEqualTo("Pool 'things' (max=1 active=1 idle=0 waiting=0)");
        });
    }

    @Test
    @Tag("P11")
    void moreIsReleasedThanIsWaitedFor_theRestIsFree() {
        TestRuntime.run(() -> {
            var pool = pool().max(2).build();
            Thing first = pool.acquire();
            Thing second = pool.acquire();
            Coroutine<Thing> waiter = spawn(() -> pool.acquire());
            suspend();
            pool.release(first);
            pool.release(second);
            assertThat(pool.tryAcquire()).isSameAs(second);
            assertThat(await(waiter)).isSameAs(first);
        });
    }

    @Test
    @Tag("P11")
    @Tag("F2")
    @Tag("F61")
    void promisedAnEmptyPermit_leaves_nextInQueueMakesOneWithIt() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.acquire();
            Coroutine<Thing> cancelled = spawn(() -> pool.acquire());
            Coroutine<Thing> next = spawn(() -> pool.acquire());
            suspend();
            pool.discard(thing);
            cancelled.cancel();
            assertThat(await(next).number).isEqualTo(2);
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            assertNumbers(pool, 0, 1);
        });
    }

    @Test
    @Tag("P11")
    void promisedOneLeavesAndNobodyWaits_whatHeWasPromisedIsFree() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.acquire();
            Coroutine<Thing> promisedThing = spawn(() -> pool.acquire());
            suspend();
            pool.release(thing);
            promisedThing.cancel();
            assertThatThrownBy(() -> await(promisedThing)).isInstanceOf(AsyncCancellation.class);
            assertNumbers(pool, 1, 0);
            Thing again = pool.acquire();
            Coroutine<Thing> promisedPlace = spawn(() -> pool.acquire());
            suspend();
            pool.discard(again);
            promisedPlace.cancel();
            assertThatThrownBy(() -> await(promisedPlace)).isInstanceOf(AsyncCancellation.class);
            assertNumbers(pool, 0, 0);
        });
    }

    @Test
    @Tag("P9")
    @Tag("P11")
    void timeAndReleaseAtTheSameMoment_heHasEitherLeftTheLineOrHasIt() {
        for (int order = 0; order < 2; order++) {
            boolean releaserFirst = order == 0;
            TestRuntime.run(() -> {
                var pool = Pool.of(Object::new).max(1).build();
                Object thing = pool.acquire();
                if (releaserFirst) releaseLater(pool, thing);
                Coroutine<Object> impatient = spawn(() -> pool.acquire(Duration.ofMillis(5)));
                suspend();
                if (!releaserFirst) releaseLater(pool, thing);
                delay(10);
                boolean served = impatient.exception() == null;
                assertThat(served).isEqualTo(impatient.result() == thing);
                if (!served) assertThat(impatient.exception()).isInstanceOf(AsyncTimeoutException.class);
                assertNumbers(pool, served ? 0 : 1, served ? 1 : 0);
            });
        }
    }

    private static void releaseLater(Pool<Object> pool, Object thing) {
        spawn(() -> {
            delay(5);
            pool.release(thing);
        });
        suspend();
    }

    @Test
    @Tag("P11")
    @Tag("F2")
    void promisedOneLeaves_nextInQueueIsServed() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.acquire();
            Coroutine<Thing> cancelled = spawn(() -> pool.acquire());
            Coroutine<Thing> impatient = spawn(() -> pool.acquire(Duration.ofMillis(5)));
            Coroutine<Thing> next = spawn(() -> pool.acquire());
            delay(10);
            pool.release(thing);
            cancelled.cancel();
            assertThat(await(next)).isSameAs(thing);
            assertThatThrownBy(() -> await(impatient)).isInstanceOf(AsyncTimeoutException.class);
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            pool.release(thing);
            assertNumbers(pool, 1, 0);
        });
    }
}
