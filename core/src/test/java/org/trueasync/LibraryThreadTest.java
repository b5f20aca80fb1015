package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.coroutines;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Virtual threads that libraries start inside coroutines run on the loop too, but are no coroutines. */
class LibraryThreadTest {
    @Test
    void guest_runsAndIsNoCoroutine() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Thread guest = Thread.ofVirtual().start(() -> {
                log.add("guest");
                try {
                    Thread.sleep(2);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                log.add("guest goes on, coroutines " + coroutines().size());
            });
            assertThat(log).as("a guest is queued like everybody").isEmpty();
            guest.join();
            assertThat(log).containsExactly("guest", "guest goes on, coroutines 1");
            assertThat(runtimeStats().spawned()).isEqualTo(1);
        });
    }

    @Test
    @Tag("K1")
    void guest_standsInLineWithCoroutines() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            spawn(() -> log.add("spawned before it"));
            Thread guest = Thread.ofVirtual().start(() -> log.add("guest"));
            Coroutine<?> last = spawn(() -> log.add("spawned after it"));
            await(last);
            assertThat(log).containsExactly("spawned before it", "guest", "spawned after it");
            guest.join();
        });
    }

    @Test
    @Tag("K1")
    void guests_shareTheLoopThreadWithCoroutines() {
        TestRuntime.run(() -> {
            var shared = new int[1];
            var guests = new ArrayList<Thread>();
            for (int i = 0; i < 10; i++) {
                guests.add(Thread.ofVirtual().start(() -> {
                    for (int k = 0; k < 100; k++) {
                        int read = shared[0];
                        shared[0] = read + 1;
                        Thread.yield();
                    }
                }));
            }
            for (int k = 0; k < 100; k++) {
                int read = shared[0];
                shared[0] = read + 1;
                suspend();
            }
            for (Thread guest : guests) guest.join();
            assertThat(shared[0]).isEqualTo(1_100);
        });
    }

    @Test
    @Tag("K7")
    void guestThatTriesToWaitOurWay_isRefused() {
        TestRuntime.run(() -> {
            var thrown = new ArrayList<Throwable>();
            Thread guest = Thread.ofVirtual().start(() -> {
                for (Body body :
                        new Body[] {Async::suspend, () -> delay(1), () -> await(new CompletableFuture<Void>())}) {
                    try {
                        body.run();
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                }
            });
            guest.join();
            assertThat(thrown).hasSize(3).hasOnlyElementsOfType(AsyncException.class);
        });
    }

    @Test
    void guest_maySpawnCoroutinesAndCompleteFutures() {
        TestRuntime.run(() -> {
            var result = new CompletableFuture<Integer>();
            Thread.ofVirtual()
                    .start(() -> spawn(() -> {
                        delay(1);
                        result.complete(4);
                    }));
            assertThat(await(result)).isEqualTo(4);
        });
    }

    @Test
    void executorOfVirtualThreads_worksInsideARuntime() {
        TestRuntime.run(() -> {
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                var first = executor.submit(() -> {
                    Thread.sleep(2);
                    return 1;
                });
                var second = executor.submit(() -> 2);
                assertThat(first.get() + second.get()).isEqualTo(3);
            }
        });
    }

    @Test
    @Tag("K5")
    void guest_doesNotKeepTheRunAliveAndEndsElsewhere() throws InterruptedException {
        var gate = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var guest = new AtomicReference<Thread>();
        TestRuntime.run(() -> {
            guest.set(Thread.ofVirtual().start(() -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                ended.countDown();
            }));
            suspend();
        });
        assertThat(guest.get().isAlive()).isTrue();
        gate.countDown();
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(guest.get().join(java.time.Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void guestThatFails_disturbsNobody() {
        TestRuntime.run(() -> {
            Thread guest = Thread.ofVirtual().unstarted(() -> {
                throw new IllegalStateException("expected");
            });
            guest.setUncaughtExceptionHandler((thread, error) -> {});
            guest.start();
            guest.join();
            assertThat(await(spawn(() -> 1))).isEqualTo(1);
        });
    }

    @Test
    void coroutineHandleInAGuest_canBeCancelled() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(1_000));
            suspend();
            Thread.ofVirtual().start(c::cancel);
            assertThatThrownBy(() -> await(c)).isInstanceOf(AsyncCancellation.class);
        });
    }
}
