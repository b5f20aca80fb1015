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
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.Waker;

/** A class initialiser on its stack keeps a coroutine from leaving the thread. */
public class PinnedTest {
    private static final List<Throwable> SEEN = new ArrayList<>();

    /** What {@link Initialised} does in its initialiser. */
    public static Callable<Integer> inInitialiser = () -> 0;

    /** Is defined anew by {@link #initialise} for each use, as a class is initialised once. */
    public static final class Initialised {
        public static final int VALUE;

        static {
            try {
                VALUE = inInitialiser.call();
            } catch (Exception e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Initialised() {}
    }

    /** Has a new class initialised by an action, and returns what that does. */
    private static int initialise(Callable<Integer> action) throws Exception {
        inInitialiser = action;
        String name = Initialised.class.getName();
        byte[] bytes;
        try (var in = PinnedTest.class.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            bytes = in.readAllBytes();
        }
        var loader = new ClassLoader(PinnedTest.class.getClassLoader()) {
            Class<?> define() {
                return defineClass(name, bytes, 0, bytes.length);
            }
        };
        return loader.define().getField("VALUE").getInt(null);
    }

    private static int attempt(Body wait) {
        try {
            wait.run();
        } catch (Throwable e) {
            SEEN.add(e);
        }
        return SEEN.size();
    }

    @Test
    void refusedWait_isLeftAndEnteredAgain() {
        var rounds = new ArrayList<String>();
        inAnInitialiser(() -> {
            SwitchHandlers.add((c, entering, finishing) -> rounds.add(entering ? "enter" : "leave"));
            delay(5);
        });
        assertThat(rounds).startsWith("leave", "enter", "leave");
    }

    private static void inAnInitialiser(Body wait) {
        SEEN.clear();
        TestRuntime.run(() -> {
            int[] peer = new int[1];
            Coroutine<?> other = spawn(() -> {
                for (int i = 0; i < 3; i++) {
                    peer[0]++;
                    suspend();
                }
            });
            Coroutine<Integer> c = spawn(() -> {
                int seen = initialise(() -> attempt(wait));
                Thread.yield(); // runs as any other again
                return seen;
            });
            assertThat(await(c)).isEqualTo(1);
            assertThat(SEEN)
                    .singleElement()
                    .isInstanceOf(AsyncException.class)
                    .asString()
                    .contains("pinned", "Initialised", "PinnedTest.java");
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
        inAnInitialiser(Async::suspend);
    }

    @Test
    @Tag("F80")
    void delayInAnInitialiser_isRefusedAndNamed() {
        inAnInitialiser(() -> delay(10));
    }

    @Test
    @Tag("F80")
    void awaitInAnInitialiser_isRefusedAndNamed() {
        inAnInitialiser(() -> await(spawn(() -> 1)));
    }

    private static void wokenWhileItWaits() {
        Waker waker = Waker.current();
        waker.resumeWhen(new ManualEvent("never"), ResumeCallback.RESOLVE);
        Microtask.of(() -> waker.wake(null)).enqueue();
        waker.await();
    }

    /**
     * Woken while others are chosen to run instead: it is in the run queue already when its stack turns out not to come
     * off the thread.
     */
    @Test
    @Tag("F80")
    void wokenBeforeItsWaitIsRefused_itsNextTurnIsNotTooEarly() {
        SEEN.clear();
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Coroutine<?> pinned = spawn(() -> {
                assertThat(initialise(() -> attempt(PinnedTest::wokenWhileItWaits)))
                        .isEqualTo(1);
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
            assertThat(await(spawn(() -> initialise(() -> attempt(() -> Thread.sleep(2))))))
                    .isZero();
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

    @Test
    @Tag("F80")
    void callServedWithoutAWait_isServedToAPinnedCoroutineToo() {
        TestRuntime.run(runtime -> {
            Coroutine<?> other = spawn(() -> delay(1));
            Coroutine<Integer> pinned = spawn(() -> initialise(() -> {
                for (int i = 0; i < 1_000; i++) {
                    runtime.reactor().advance(1_000_000);
                    Runtimes.here("test").shareLoop();
                }
                return 1;
            }));
            assertThat(await(pinned)).isEqualTo(1);
            await(other);
            assertThat(runtimeStats().queued()).isZero();
        });
    }

    @Test
    @Tag("F80")
    void refusedWaitThatLeavesTheInitialiser_isTheCauseOfItsError() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> initialise(() -> {
                delay(10);
                return 1;
            }));
            assertThatThrownBy(() -> await(c))
                    .isInstanceOf(ExceptionInInitializerError.class)
                    .hasCauseInstanceOf(AsyncException.class);
            delay(20);
        });
    }
}
