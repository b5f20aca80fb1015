package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.VirtualReactor;

class ManyRunsTest {
    private static AsyncRuntime.Builder virtual() {
        return Async.runtime().reactor(VirtualReactor::new);
    }

    /**
     * The platform threads of this process, without those that the JDK itself starts for virtual threads when it needs
     * them.
     */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> !t.getName().startsWith("VirtualThread")
                        && !t.getName().startsWith("ForkJoinPool")
                        && !t.getName().contains("Poller"))
                .collect(Collectors.toSet());
    }

    @Test
    @Tag("K66")
    @Tag("F77")
    void hundredRuns_leaveNoThread() throws InterruptedException {
        virtual().run(() -> Thread.sleep(1));
        Set<Thread> before = threads();
        var contexts = new ArrayList<Thread>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            AsyncRuntime.Builder builder = i % 10 == 0 ? virtual().stackSize(1 << 20) : virtual();
            Integer result = builder.<Integer>run(() -> {
                for (int k = 0; k < 20; k++) {
                    spawn(() -> {
                        contexts.add(Thread.currentThread());
                        delay(1);
                    });
                }
                if (number % 10 == 5) Thread.sleep(1);
                return await(spawn(() -> number));
            });
            assertThat(result).isEqualTo(i);
        }
        Set<Thread> after = threads();
        after.removeAll(before);
        // among them may be a new deadlock watch, which stays for 5 to 10 s
        for (Thread thread : after) thread.join(60_000);
        assertThat(after).noneMatch(Thread::isAlive);
        assertThat(contexts).hasSize(2_000).noneMatch(Thread::isAlive);
    }

    @Test
    @Tag("K66")
    @Tag("F77")
    void runAfterAFailedOne_startsClean() {
        for (int i = 0; i < 20; i++) {
            int number = i;
            try {
                virtual().diagnostics(report -> {}).run(() -> {
                    spawn(() -> delay(1_000));
                    if (number % 4 != 2) spawn(() -> Thread.sleep(60_000));
                    delay(1);
                    switch (number % 4) {
                        case 0 -> throw new IllegalStateException("expected");
                        case 1 -> Async.gracefulShutdown();
                        case 2 -> await(new FutureState<String>().future());
                        default -> recurse(0);
                    }
                });
                assertThat(number % 4).isEqualTo(1);
            } catch (IllegalStateException | DeadlockError | StackOverflowError expected) {
                assertThat(number % 4).isNotEqualTo(1);
            }
            assertThat(runtimeStats()).isEqualTo(RuntimeStats.NONE);
            virtual().run(() -> {
                RuntimeStats stats = runtimeStats();
                assertThat(stats.coroutines()).isEqualTo(1);
                assertThat(stats.spawned()).isEqualTo(1);
                assertThat(stats.timers() + stats.activeEvents() + stats.blocked() + stats.queued())
                        .isZero();
                assertThat(await(spawn(() -> 1))).isEqualTo(1);
            });
        }
    }

    private static int recurse(int n) {
        return n == Integer.MIN_VALUE ? 0 : 1 + recurse(n + 1);
    }

    @Test
    @Tag("F79")
    @Tag("deep")
    void longRun_retainsNothing() {
        virtual().run(() -> {
            long[] used = new long[2];
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 100_000; i++) {
                    Coroutine<Integer> c = spawn(() -> {
                        delay(1);
                        return 1;
                    });
                    if (i % 3 == 0) c.cancel();
                    try {
                        if (i % 100 == 0) await(c, Async.timeout(1));
                        else if (i % 1_000 == 1) delay(2);
                    } catch (AsyncCancellation e) {
                        // a cancelled one, or one given up
                    }
                }
                delay(10);
                used[round] = Garbage.bytesThatStay();
            }
            assertThat(used[1] - used[0]).isLessThan(20_000_000);
            assertThat(runtimeStats().coroutines()).isEqualTo(1);
            assertThat(runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("U32")
    void runtimeIsThereFromTheFirstCoroutineToTheLast() {
        for (int i = 0; i < 3; i++) {
            assertThat(runtimeStats()).isSameAs(RuntimeStats.NONE);
            assertThat(Async.coroutines()).isEmpty();
            virtual().run(() -> {
                assertThat(runtimeStats().coroutines()).isEqualTo(1);
                assertThat(Async.coroutines()).containsExactly(Async.currentCoroutine());
                spawn(() -> delay(1));
                assertThat(runtimeStats().coroutines()).isEqualTo(2);
            });
        }
        assertThat(runtimeStats()).isSameAs(RuntimeStats.NONE);
    }
}
