package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TalkingEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.Threads;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** The tree of scopes and coroutines as text. */
class DumpTest {
    private static String dumpOf(Body prepare) {
        var text = new AtomicReference<String>();
        new TestRuntime().start(() -> {
            prepare.run();
            suspend();
            text.set(withoutNumbers(Async.dump()));
            for (Coroutine<?> coroutine : Async.coroutines())
                if (coroutine != Async.currentCoroutine()) coroutine.cancel();
        });
        return text.get();
    }

    private static AsyncRuntime runtime(String name) {
        return Async.runtime().name(name).reactor(VirtualReactor::new).build();
    }

    private static String withoutNumbers(String dump) {
        return dump.replaceAll("#\\d+", "#").replaceAll("\\.java:\\d+", ".java");
    }

    private static void waitsDeepInside(Body wait) throws Throwable {
        wait.run();
    }

    @Test
    void headLine_namesTheRuntimeAndCounts() {
        assertThat(dumpOf(() -> spawn(() -> delay(50)))).startsWith("""
                Runtime 'test': 2 coroutines (0 not begun, 1 running, 1 suspended, 0 of them in JDK code), 0 in the run queue, \
                1 active event, 1 timer, 0 reactor handles, busy 0 %, lag 0 ms, JDK sockets polled by the JDK, as this reactor has no \
                descriptors
                main scope, 2 coroutines, cancel interrupts
                  # main, running
                """).contains("\n      at org.trueasync.DumpTest");
    }

    @Test
    void suspendedCoroutine_isShownWithWhatItAwaitsAndItsFrames() {
        assertThat(dumpOf(() -> spawn(() -> waitsDeepInside(() -> delay(50)))))
                .containsPattern(
                        "\n  # spawned DumpTest.java, suspended DumpTest.java, awaits [^\n]*50 ms[^\n]*\n      at [^\n]*DumpTest")
                .contains("at org.trueasync.DumpTest.waitsDeepInside(DumpTest.java)")
                .doesNotContain("org.trueasync.internal.kernel");
    }

    @Test
    void coroutineThatHasNotBegun_isShown() {
        var text = new AtomicReference<String>();
        TestRuntime.run(() -> {
            spawn(() -> {});
            text.set(withoutNumbers(Async.dump()));
        });
        assertThat(text.get()).contains("\n  # spawned DumpTest.java, not begun");
    }

    @Test
    void coroutineThatItsScopeHasLetGo_isShownAsZombie() {
        var text = new AtomicReference<String>();
        TestRuntime.run(() -> {
            Scope scope = new Scope().letRunOn();
            scope.spawn(() -> delay(10));
            suspend();
            scope.cancel();
            text.set(withoutNumbers(Async.dump()));
        });
        assertThat(text.get()).contains("\n  # spawned DumpTest.java, zombie, suspended");
    }

    @Test
    void coroutineInJdkCode_isShownWithTheCall() {
        assertThat(dumpOf(() -> spawn(() -> Thread.sleep(10_000))))
                .contains("awaits blocked in java.lang.Thread.sleep");
    }

    @Test
    void coroutineAtAChannel_isShownWithTheChannel() {
        assertThat(dumpOf(() -> spawn(() -> new Channel<String>(4).receive())))
                .contains("awaits receive from channel (0/4");
    }

    @Test
    void cancelledCoroutine_isShownAsSuch() {
        assertThat(dumpOf(() -> {
                    Coroutine<?> protectedOne = spawn(() -> Async.protect(() -> delay(1)));
                    suspend();
                    protectedOne.cancel();
                }))
                .contains("# spawned DumpTest.java, cancelled, suspended");
    }

    @Test
    void coroutinesOfOneScopeThatLookTheSame_shareAnEntry() {
        String dump = dumpOf(() -> {
            for (int i = 0; i < 1_000; i++) {
                int millis = 1_000 + i;
                spawn(() -> delay(millis));
            }
        });
        assertThat(dump).contains("# and 999 more alike, spawned DumpTest.java, suspended DumpTest.java, awaits ");
        assertThat(dump.lines().count()).isLessThan(30);
    }

    @Test
    void crowd_isCountedWhereItIsNotLookedAt() {
        String dump = dumpOf(() -> {
            for (int i = 0; i < 5_000; i++) spawn(() -> delay(1_000));
        });
        assertThat(dump).contains("# and 1998 more alike, ", "... and 3001 more, not looked at: 3001 waiting");
    }

    @Test
    void differentPlaces_areBounded() {
        String dump = dumpOf(() -> {
            for (int i = 0; i < 150; i++) {
                String name = "x".repeat(i);
                spawn(() -> {
                    Waker waker = Waker.current();
                    waker.resumeWhen(new ManualEvent(name), ResumeCallback.RESOLVE);
                    waker.await();
                });
            }
        });
        assertThat(dump).contains("... and 51 more, in 51 other entries");
    }

    @Test
    void scopes_areIndentedBelowTheirParents() {
        String dump = dumpOf(() -> {
            var outer = new Scope();
            Scope inner = Scope.inherit(outer);
            inner.spawn(() -> delay(50));
        });
        assertThat(dump)
                .containsPattern(
                        "\nscope, 0 coroutines, 1 child scope, cancel interrupts\n  scope, 1 coroutine, cancel interrupts\n    # spawned ");
    }

    @Test
    void deepAndManyScopes_areBounded() {
        String dump = dumpOf(() -> {
            var outer = new Scope();
            Scope innermost = outer;
            for (int i = 0; i < 3_000; i++) innermost = Scope.inherit(innermost);
            innermost.spawn(() -> delay(50));
        });
        assertThat(dump).contains("... and 2002 more scopes with 1 coroutine");
    }

    @Test
    void eventWhoseInfoFails_doesNotSpoilTheDump() {
        String dump = dumpOf(() -> spawn(() -> {
            Waker waker = Waker.current();
            waker.resumeWhen(
                    new TalkingEvent(() -> {
                        throw new IllegalStateException("expected");
                    }),
                    ResumeCallback.RESOLVE);
            waker.await();
        }));
        assertThat(dump).contains("whose info() failed with ");
    }

    @Test
    void eventsText_canNeitherSpoilTheDumpNorTheTerminal() {
        String dump = dumpOf(() -> {
            for (String info : new String[] {null, "esc \u001b[2J\r\n\u202e end"})
                spawn(() -> {
                    Waker waker = Waker.current();
                    waker.resumeWhen(new TalkingEvent(() -> info), ResumeCallback.RESOLVE);
                    waker.await();
                });
        });
        assertThat(dump)
                .contains("awaits org.trueasync.internal.testkit.TalkingEvent\n", "awaits esc ?[2J ? end\n")
                .doesNotContain("could not be read");
    }

    @Test
    void runtimesName_isShownInOneLine() {
        var text = new AtomicReference<String>();
        runtime("a\nb\u001b[2J").run(() -> text.set(Async.dump()));
        assertThat(text.get()).startsWith("Runtime 'a?b?[2J': ");
    }

    /** Asks again where the loop was not scheduled for a second. */
    private static String answered(Supplier<String> dump) {
        String text = dump.get();
        for (int i = 0; i < 30 && (text.contains("has not answered") || text.contains("is held by")); i++)
            text = dump.get();
        return text;
    }

    @Test
    void anotherThread_isAnsweredByTheLoop() throws Exception {
        var text = new AtomicReference<String>();
        AsyncRuntime runtime = runtime("asked");
        assertThat(runtime.dump()).isEqualTo("Runtime 'asked' does not run");
        runtime.run(() -> {
            Coroutine<?> sleeper = spawn(() -> Thread.sleep(60_000));
            Async.suspend(); // the loop answers at once, and the sleeper has to sleep by then
            var asker = new Thread(() -> text.set(answered(runtime::dump)));
            asker.start();
            asker.join();
            sleeper.cancel();
        });
        assertThat(text.get())
                .startsWith("Runtime 'asked': 2 coroutines")
                .contains("main scope, 2 coroutines", "Thread.sleep");
        assertThat(runtime.dump()).isEqualTo("Runtime 'asked' does not run");
    }

    @Test
    void threadWithoutARuntime_seesAllOfTheProcess() throws Exception {
        var text = new AtomicReference<String>();
        runtime("one").run(() -> {
            var other = new Thread(() -> runtime("two").run(() -> {
                var asker = new Thread(() -> text.set(answered(Async::dump)));
                asker.start();
                asker.join();
            }));
            other.start();
            other.join();
        });
        assertThat(text.get()).contains("Runtime 'one': 1 coroutine", "\n\nRuntime 'two': 1 coroutine");
    }

    @Test
    @Tag("deep")
    void heldLoop_isAnsweredWithWhoHoldsIt() throws Exception {
        var text = new AtomicReference<String>();
        var asked = new CountDownLatch(1);
        AsyncRuntime runtime = runtime("held");
        var asker = new Thread(() -> {
            text.set(runtime.dump());
            asked.countDown();
        });
        runtime.run(() -> await(spawn(() -> {
            asker.start();
            holdUntil(asked);
        })));
        assertThat(text.get())
                .startsWith("Loop 'held' is held by coroutine #")
                .contains("DumpTest.holdUntil(DumpTest.java:", "Way out:");
    }

    private static void holdUntil(CountDownLatch latch) {
        while (latch.getCount() > 0) Thread.onSpinWait();
    }

    @Test
    void scopeOfAHandler_isNamedByWhatItIsFor() {
        var inFinally = new AtomicReference<String>();
        var inErrorHandler = new AtomicReference<String>();
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((_, _, _) -> inErrorHandler.set(withoutNumbers(Async.dump())));
            scope.spawn(() -> {}).onFinally(_ -> inFinally.set(withoutNumbers(Async.dump())));
            scope.launch(() -> {
                throw new IllegalStateException("for the handler");
            });
            scope.awaitCompletion(Async.timeout(1_000));
        });
        assertThat(inFinally.get())
                .contains("\n  finally handlers: scope, 1 coroutine\n")
                .doesNotContain("error handler");
        assertThat(inErrorHandler.get()).contains("\n  error handler: scope, 1 coroutine\n");
    }

    @Test
    void dump_showsNamesAlsoOfThoseThatAreAlike() {
        TestRuntime.run(() -> {
            try (var scope = new Scope("orders")) {
                for (int i = 0; i < 3; i++) scope.spawn("worker-" + i, () -> delay(50));
                suspend();
                assertThat(Async.dump().replaceAll("#\\d+", "#"))
                        .contains("scope 'orders', 3 coroutines")
                        .contains("# 'worker-0' and 2 more alike (# 'worker-1', # 'worker-2'), spawned DumpTest.java");
            }
        });
    }

    @Test
    void head_saysThatTheRunDrainsOrShutsDown() {
        var texts = new ArrayList<String>();
        var reason = new AsyncCancellation("now");
        TestRuntime.run(runtime -> {
            Async.executor().execute(() -> {
                assertThatThrownBy(() -> delay(3_600_000)).isSameAs(reason);
            });
            suspend();
            Async.gracefulShutdown();
            texts.add(Async.dump());
            runtime.runtime().shutdownNow(reason);
            assertThatThrownBy(() -> delay(3_600_000)).isSameAs(reason);
            texts.add(Async.dump());
            throw reason;
        });
        assertThat(texts.getFirst()).contains("draining").doesNotContain("shutting down");
        assertThat(texts.getLast()).contains("shutting down").doesNotContain("draining");
    }

    @Test
    @Tag("T25")
    void workerWithRoomForAnotherTask_saysWhatItWaitsFor() {
        Threads.run(() -> {
            try (var pool = ThreadPool.builder().workers(1).coroutineMode(true).build()) {
                assertThat(await(pool.submit(Async::dump))).contains("next task of thread pool 'family-pool-1'");
            }
        });
    }

    @Test
    void dump_changesNothing() {
        TestRuntime.run(() -> {
            spawn(() -> delay(5));
            suspend();
            RuntimeStats before = Async.runtimeStats();
            assertThat(Async.dump()).isEqualTo(Async.dump());
            assertThat(Async.runtimeStats()).isEqualTo(before);
        });
    }
}
