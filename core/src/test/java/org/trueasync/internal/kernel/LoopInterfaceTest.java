package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SwitchHandlers;

/** What the kernel answers to the other packages. */
class LoopInterfaceTest {
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    private final List<String> log = new ArrayList<>();

    private static Loop here() {
        return Runtimes.here("the test");
    }

    private void note(String where, Loop loop) {
        log.add(where + ": " + loop.maySuspend());
    }

    @Test
    void maySuspend_inACoroutineThatNothingKeepsFromIt() {
        TestRuntime.run(runtime -> {
            Loop loop = here();
            note("coroutine", loop);
            log.add("another thread: " + await(CompletableFuture.supplyAsync(loop::maySuspend)));
            Microtask.of(() -> note("microtask", loop)).enqueue();
            suspend();
            spawn(() -> {
                SwitchHandlers.add((c, entering, finishing) -> {
                    if (!entering && !finishing) note("switch handler", loop);
                    return true;
                });
                delay(1);
            });
            delay(2);
            runtime.reactor().expect(() -> note("the loop's frame", loop));
            delay(1);
            delay(1);
        });
        assertThat(log)
                .containsExactly(
                        "coroutine: true",
                        "another thread: false",
                        "microtask: false",
                        "switch handler: false",
                        "the loop's frame: false");
    }

    @Test
    void postedAction_thatWaitsInATick_isRefusedAndTheWaitOfThatCoroutineGoesOn() {
        TestRuntime.run(() -> {
            here().post(() -> {
                try {
                    delay(1);
                } catch (AsyncException e) {
                    log.add(e.getMessage());
                }
            });
            delay(5);
            log.add("after its own wait");
        });
        assertThat(log)
                .containsExactly(
                        "what the scheduler calls may not suspend: it runs in scheduler context; spawn a coroutine for what"
                                + " must wait",
                        "after its own wait");
    }

    @Test
    void inAShutdown_asksForItsPhase() {
        new TestRuntime(b -> b.shutdownTimeout(Duration.ofSeconds(1))).start(() -> {
            Loop loop = here();
            log.add(loop.isShuttingDown() + " " + loop.isOver() + " " + loop.maySuspend());
            gracefulShutdown();
            log.add(loop.isShuttingDown() + " " + loop.isOver() + " " + loop.maySuspend());
            for (int i = 0; i < 2; i++) {
                try {
                    delay(10_000);
                } catch (AsyncCancellation e) {
                    // until the time is over
                }
            }
            log.add(loop.isShuttingDown() + " " + loop.isOver() + " " + loop.maySuspend());
        });
        assertThat(log).containsExactly("false false true", "true false true", "true true false");
    }

    @Test
    void running_isTheCoroutineAndNoLibraryThread() {
        TestRuntime.run(() -> {
            Loop loop = here();
            assertThat(loop.running()).isSameAs(currentCoroutine());
            assertThat(loop.runsCoroutine()).isTrue();
            Thread guest = Thread.ofVirtual().start(() -> log.add(loop.running() + " " + loop.runsCoroutine()));
            guest.join();
            assertThat(log).containsExactly("null false");
            assertThat(loop.isLoopOn((loop).loopThread)).isTrue();
            assertThat(loop.isLoopOn(guest)).isFalse();
        });
    }

    @Test
    void everyWayToSpawn_bringsWhatItHasBegun() {
        TestRuntime.run(() -> {
            Loop loop = here();
            Callable<String> task = () -> "value";
            assertThat(await(loop.<String>spawn(CoroutineKind.ORDINARY, null, Tasks.task(task))))
                    .isEqualTo("value");
            Object body = Tasks.task((Body) () -> log.add("spawned"));
            assertThat(await(loop.<Object>spawn(CoroutineKind.ORDINARY, null, body)))
                    .isNull();
            Object launched = Tasks.task((Body) () -> log.add("launched by name"));
            Coroutine<?> named = loop.spawn(CoroutineKind.LAUNCHED, "name", launched);
            assertThat(named.name()).isEqualTo("name");
            await(named);
            assertThat(log).containsExactly("spawned", "launched by name");
            assertThat(await(loop.spawnHandler(task))).isEqualTo("value");
            Coroutine<?> failed = loop.spawnHandler(() -> {
                throw new IllegalStateException("somebody else is told of it");
            });
            suspend();
            assertThat(failed.isCompleted()).isTrue();
            assertThat(loop.mainScope()).isSameAs(loop.currentScope());
        });
    }

    @Test
    void inheritance_isWhatTheRunningCoroutineHandsDown() {
        TestRuntime.run(() -> {
            assertThat(here().inheritance()).isNull();
            INHERITED.set("value");
            assertThat(here().inheritance()).isNotNull();
        });
    }

    @Test
    void callsThatCountForMany_letOthersRunSooner() {
        TestRuntime.run(() -> {
            spawn(() -> log.add("other"));
            here().shareLoop(Loop.SERVED_IN_A_ROW);
            assertThat(log).isEmpty();
            here().shareLoop(1);
            assertThat(log).containsExactly("other");
        });
    }

    @Test
    void locals_areKeptHoweverManyThereAre() {
        TestRuntime.run(() -> {
            for (int index : new int[] {4, 0, 3, 9, 8}) {
                assertThat(here().local(index)).isNull();
                here().local(index, "of " + index);
            }
            for (int index : new int[] {0, 3, 4, 8, 9})
                assertThat(here().local(index)).isEqualTo("of " + index);
            assertThat(here().local(100)).isNull();
        });
    }

    @Test
    void releases_runInTheirOrderOnceTheRunHasEnded() {
        var service = new ArrayList<Thread>();
        TestRuntime.run(() -> {
            here().atStop(() -> log.add("first release"));
            here().atStop(() -> log.add("second release"));
            here().inService(() -> service.add(Thread.currentThread()));
            delay(1);
            log.add("main");
        });
        assertThat(log).containsExactly("main", "first release", "second release");
        assertThat(service).singleElement().matches(thread -> !thread.isAlive(), "has ended");
    }
}
