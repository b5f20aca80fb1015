package org.trueasync;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** A class initialiser on its stack keeps a coroutine from leaving the thread. */
class PinnedTest {
    private static final List<Throwable> SEEN = new ArrayList<>();

    private static void attempt(Body wait) {
        try {
            wait.run();
        } catch (Throwable e) {
            SEEN.add(e);
        }
    }

    private static final class SuspendsWhenInitialised {
        static final int VALUE;

        static {
            attempt(Async::suspend);
            VALUE = SEEN.size();
        }
    }

    private static final class DelaysWhenInitialised {
        static final int VALUE;

        static {
            attempt(() -> delay(10));
            VALUE = SEEN.size();
        }
    }

    private static final class AwaitsWhenInitialised {
        static final int VALUE;

        static {
            attempt(() -> await(spawn(() -> 1)));
            VALUE = SEEN.size();
        }
    }

    private static final class SleepsWhenInitialised {
        static final int VALUE;

        static {
            attempt(() -> Thread.sleep(2));
            VALUE = 1;
        }
    }

    private static final class WokenWhenInitialised {
        static final int VALUE;

        static {
            attempt(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(new ManualEvent("never"), ResumeCallback.RESOLVE);
                Microtask.of(() -> waker.wake(null)).enqueue();
                waker.await();
            });
            VALUE = SEEN.size();
        }
    }

    private static void inAnInitialiser(String name, Supplier<Integer> initialise) {
        SEEN.clear();
        TestRuntime.run(() -> {
            int[] peer = new int[1];
            Coroutine<?> other = spawn(() -> {
                for (int i = 0; i < 3; i++) {
                    peer[0]++;
                    suspend();
                }
            });
            Coroutine<Integer> c = spawn(initialise::get);
            assertThat(await(c)).isEqualTo(1);
            assertThat(SEEN)
                    .singleElement()
                    .isInstanceOf(AsyncException.class)
                    .asString()
                    .contains("pinned", name, "PinnedTest.java");
            await(other);
            assertThat(peer[0]).isEqualTo(3);
            delay(20);
            RuntimeStats stats = runtimeStats();
            assertThat(stats.coroutines()).isEqualTo(1);
            assertThat(stats.timers()).isZero();
            assertThat(stats.activeEvents()).isZero();
            assertThat(stats.queued()).isZero();
        });
    }

    @Test
    @Tag("F80")
    void suspendInAnInitialiser_isRefusedAndNamed() {
        inAnInitialiser("SuspendsWhenInitialised", () -> SuspendsWhenInitialised.VALUE);
    }

    @Test
    @Tag("F80")
    void delayInAnInitialiser_isRefusedAndNamed() {
        inAnInitialiser("DelaysWhenInitialised", () -> DelaysWhenInitialised.VALUE);
    }

    @Test
    @Tag("F80")
    void awaitInAnInitialiser_isRefusedAndNamed() {
        inAnInitialiser("AwaitsWhenInitialised", () -> AwaitsWhenInitialised.VALUE);
    }

    /** Woken while others are chosen to run instead: it is in the run queue already when its stack turns out not to come off the thread. */
    @Test
    @Tag("F80")
    void wokenBeforeItsWaitIsRefused_itsNextTurnIsNotTooEarly() {
        SEEN.clear();
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Coroutine<?> pinned = spawn(() -> {
                assertThat(WokenWhenInitialised.VALUE).isEqualTo(1);
                spawn(() -> log.add("queued before it"));
                suspend();
                log.add("its turn");
            });
            spawn(() -> log.add("chosen instead"));
            await(pinned);
            assertThat(SEEN).singleElement().isInstanceOf(AsyncException.class);
            assertThat(log).containsExactly("chosen instead", "queued before it", "its turn");
        });
    }

    @Test
    @Tag("F80")
    void jdkBlockingInAnInitialiser_blocksTheLoopAndGoesOn() {
        SEEN.clear();
        TestRuntime.run(() -> {
            assertThat(await(spawn(() -> SleepsWhenInitialised.VALUE))).isEqualTo(1);
            assertThat(SEEN).isEmpty();
        });
    }

    @Test
    @Tag("F80")
    void waitUnderANativeFrame_isRefusedAndNamed() throws Throwable {
        SEEN.clear();
        Linker linker = Linker.nativeLinker();
        MethodHandle qsort = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("qsort"),
                FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        MethodHandle compare = MethodHandles.lookup()
                .findStatic(
                        PinnedTest.class,
                        "compare",
                        MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        TestRuntime.run(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment callback =
                        linker.upcallStub(compare, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), arena);
                qsort.invokeExact(arena.allocateFrom(JAVA_INT, 2, 1), 2L, 4L, callback);
            }
            delay(1);
        });
        assertThat(SEEN).singleElement().asString().contains("pinned", "native");
    }

    @SuppressWarnings("UnusedVariable") // qsort's signature
    private static int compare(MemorySegment one, MemorySegment two) {
        attempt(() -> delay(10));
        return 0;
    }

    private static final class SharesTheLoopWhenInitialised {
        static final int VALUE = compute();

        private static int compute() {
            for (int i = 0; i < 1_000; i++) {
                reactor.advance(1_000_000);
                Runtimes.here("test").shareLoop();
            }
            return 1;
        }
    }

    private static VirtualReactor reactor;

    @Test
    @Tag("F80")
    void callServedWithoutAWait_isServedToAPinnedCoroutineToo() {
        TestRuntime.run(runtime -> {
            reactor = runtime.reactor();
            Coroutine<?> other = spawn(() -> delay(1));
            assertThat(await(spawn(() -> SharesTheLoopWhenInitialised.VALUE))).isEqualTo(1);
            await(other);
            assertThat(runtimeStats().queued()).isZero();
        });
    }

    private static final class EndsItsInitialiserBadly {
        static final int VALUE = compute();

        private static int compute() {
            delay(10);
            return 1;
        }
    }

    @Test
    @Tag("F80")
    void refusedWaitThatLeavesTheInitialiser_isTheCauseOfItsError() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> EndsItsInitialiserBadly.VALUE);
            assertThatThrownBy(() -> await(c))
                    .isInstanceOf(ExceptionInInitializerError.class)
                    .hasCauseInstanceOf(AsyncException.class);
            delay(20);
        });
    }
}
