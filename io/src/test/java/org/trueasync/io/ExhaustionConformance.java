package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.read;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.RuntimeStats;
import org.trueasync.io.Runs.Pair;

/** Stack and heap run out in one coroutine: it dies alone. */
@Tag("F55")
public abstract class ExhaustionConformance {
    /** So small that overflowing is quick. */
    private static final long STACK = 1 << 20;

    private static int endlessly(int depth) {
        return endlessly(depth + 1) + 1;
    }

    /**
     * The first thousands of calls wait; frames of a coroutine that waits lie in the heap, so it is the others that use
     * the stack up.
     */
    private static int endlessly(int depth, Body each) throws Throwable {
        if (depth < 3_000) each.run();
        return endlessly(depth + 1, each) + 1;
    }

    /** Each call waits. */
    private static int endlesslyInTheHeap(int depth) {
        Async.suspend();
        return endlesslyInTheHeap(depth + 1) + 1;
    }

    /** Goes so deep, then does it. */
    private static <T> T deep(int depth, Callable<T> then) throws Exception {
        return depth == 0 ? then.call() : deep(depth - 1, then);
    }

    private static int limit() {
        int[] depth = {0};
        try {
            count(depth);
        } catch (StackOverflowError e) {
            // found
        }
        return depth[0];
    }

    private static void count(int[] depth) throws StackOverflowError {
        depth[0]++;
        count(depth);
    }

    private static void onOwnStack(Body main) {
        Runs.testRun().stackSize(STACK).run(main);
    }

    @Test
    void stackOverflows_coroutineDiesAloneAndItsAwaiterIsTold() {
        onOwnStack(() -> {
            int[] steps = {0};
            Coroutine<?> other = Async.spawn(() -> {
                for (int i = 0; i < 50; i++) {
                    Async.suspend();
                    steps[0]++;
                }
            });
            for (int i = 0; i < 10; i++)
                assertThat(failureOf(Async.spawn(() -> endlessly(0)))).isInstanceOf(StackOverflowError.class);
            Async.await(other);
            assertThat(steps[0]).isEqualTo(50);
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
    }

    private interface Suspending {
        void once() throws Throwable;
    }

    private static void overflowWhileSuspending(Suspending wait) {
        onOwnStack(() -> {
            boolean[] stop = {false};
            int[] steps = {0};
            var others = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) {
                others.add(Async.spawn(() -> {
                    while (!stop[0]) {
                        Async.suspend();
                        steps[0]++;
                    }
                }));
            }
            for (int i = 0; i < 5; i++) {
                Coroutine<?> victim = Async.spawn(() -> {
                    endlessly(0, wait::once);
                });
                assertThat(failureOf(victim)).isInstanceOf(StackOverflowError.class);
            }
            int before = steps[0];
            for (int i = 0; i < 20; i++) Async.suspend();
            assertThat(steps[0]).isGreaterThanOrEqualTo(before + 3);
            stop[0] = true;
            others.forEach(Async::await);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
    }

    @Test
    @Tag("deep")
    void stackOverflowsBetweenSuspensions_othersGoOn() {
        overflowWhileSuspending(Async::suspend);
    }

    @Test
    @Tag("deep")
    void stackOverflowsBetweenAwaits_othersGoOn() {
        overflowWhileSuspending(() -> Async.await(Async.spawn(() -> "value")));
    }

    /** 200 times: deep enough for the wait itself to be where the stack ends. */
    private static void atRandomDepths(long seed, Suspending wait) {
        onOwnStack(() -> {
            var random = new Random(seed);
            boolean[] stop = {false};
            int[] steps = {0};
            var others = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) {
                others.add(Async.spawn(() -> {
                    while (!stop[0]) {
                        Async.suspend();
                        steps[0]++;
                    }
                }));
            }
            int overflows = 0;
            for (int i = 0; i < 200; i++) {
                Coroutine<String> victim = Async.spawn(() -> {
                    int limit = limit();
                    // the interpreter's frames are bigger than those that were counted, so this reaches well over the
                    // end
                    int depth = (int) (limit * (0.3 + random.nextDouble() * 0.75));
                    return deep(depth, () -> {
                        try {
                            wait.once();
                        } catch (Exception | Error e) {
                            throw e;
                        } catch (Throwable e) {
                            throw new AssertionError(e);
                        }
                        return "survived";
                    });
                });
                Throwable failure = failureOf(victim);
                if (failure != null) {
                    assertThat(failure).as("round " + i).isInstanceOf(StackOverflowError.class);
                    overflows++;
                }
                int before = steps[0];
                for (int k = 0; k < 3; k++) Async.suspend();
                assertThat(steps[0]).as("the others go on, round " + i).isGreaterThan(before);
            }
            stop[0] = true;
            others.forEach(Async::await);
            assertThat(overflows).isPositive();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
    }

    @Test
    @Tag("deep")
    void stackEndsInsideSuspend_othersGoOn() {
        atRandomDepths(1, Async::suspend);
    }

    @Test
    @Tag("deep")
    void stackEndsInsideDelay_othersGoOn() {
        atRandomDepths(2, () -> Async.delay(1));
    }

    @Test
    @Tag("deep")
    void stackEndsInsideAwait_othersGoOn() {
        atRandomDepths(
                3,
                () -> Async.await(Async.spawn(() -> {
                    Async.suspend();
                    return "value";
                })));
    }

    @Test
    @Tag("deep")
    void stackEndsInsideAwaitWithAToken_othersGoOn() {
        atRandomDepths(4, () -> Async.await(Async.spawn(() -> Async.suspend()), Async.timeout(3_600_000)));
    }

    @Test
    @Tag("deep")
    void stackEndsInsideReadAndWrite_streamAndOthersGoOn() {
        onOwnStack(() -> {
            try (Pair pair = Pair.open()) {
                Async.spawn(() -> Runs.echo(pair.peer()));
                var random = new Random(5);
                int overflows = 0;
                for (int i = 0; i < 200; i++) {
                    ByteBuffer into = ByteBuffer.allocate(8);
                    boolean[] wrote = {false};
                    Coroutine<?> victim = Async.spawn(() -> {
                        int depth = (int) (limit() * (0.3 + random.nextDouble() * 0.75));
                        return deep(depth, () -> {
                            pair.client().write(bytes("x"));
                            wrote[0] = true;
                            return pair.client().read(into);
                        });
                    });
                    Throwable failure = failureOf(victim);
                    if (failure != null) {
                        assertThat(failure).as("round " + i).isInstanceOf(StackOverflowError.class);
                        overflows++;
                    }
                    // whatever happened, the stream is in step again after this
                    pair.client().write(bytes("."));
                    StringBuilder got = new StringBuilder();
                    while (got.indexOf(".") < 0) got.append(read(pair.client(), 8));
                    assertThat(got.toString()).as("round " + i).matches("x?\\.");
                    if (wrote[0] && into.position() == 0)
                        assertThat(got.toString()).as("round " + i).isEqualTo("x.");
                }
                assertThat(overflows).isPositive();
            }
        });
    }

    @Test
    void heapRunsOutInOneCoroutine_itDiesAlone() {
        Runs.runClean(() -> {
            Coroutine<?> hungry = Async.spawn(() -> {
                var all = new ArrayList<long[]>();
                while (true) {
                    all.add(new long[Integer.MAX_VALUE - 8]);
                    Async.suspend();
                }
            });
            Coroutine<String> other = Async.spawn(() -> {
                for (int i = 0; i < 10; i++) Async.delay(1);
                return "fine";
            });
            assertThat(failureOf(hungry)).isInstanceOf(OutOfMemoryError.class);
            assertThat(Async.await(other)).isEqualTo("fine");
        });
    }

    /** Runs with a heap of 48 MB. */
    static final class SmallHeap {
        private SmallHeap() {}

        public static void main(String[] arguments) {
            Runs.run(() -> {
                try (Pair pair = Pair.open()) {
                    Async.spawn(() -> Runs.echo(pair.peer()));
                    for (int round = 0; round < 5; round++) {
                        Coroutine<?> hungry = Async.spawn(() -> {
                            List<Object> all = new ArrayList<>();
                            for (int i = 0; ; i++) {
                                all.add(new byte[i % 2 == 0 ? 1 << 20 : 100_000]);
                                if (i % 4 == 0) Async.suspend();
                            }
                        });
                        Throwable failure = failureOf(hungry);
                        if (!(failure instanceof OutOfMemoryError)) throw new AssertionError(failure);
                        pair.client().write(bytes("round " + round));
                        System.out.println(Runs.readFully(pair.client(), 7));
                    }
                }
            });
            System.out.println("ended");
        }
    }

    @Test
    @Tag("deep")
    void heapIsReallyFull_coroutineDiesAndTheRuntimeGoesOn() throws Exception {
        String output =
                new ChildProgram().options("-Xmx48m", "-XX:+UseSerialGC").run(SmallHeap.class);
        assertThat(output.lines())
                .containsExactly("round 0", "round 1", "round 2", "round 3", "round 4", "ended", "exit 0");
    }

    /** Runs with a heap of 16 MB. */
    static final class DeepInTheHeap {
        private DeepInTheHeap() {}

        public static void main(String[] arguments) {
            Runs.testRun().timeLimit(java.time.Duration.ofSeconds(80)).run(() -> {
                boolean[] stop = {false};
                long[] steps = {0};
                Coroutine<?> other = Async.spawn(() -> {
                    while (!stop[0]) {
                        try {
                            Async.suspend();
                        } catch (OutOfMemoryError e) {
                            continue; // to suspend takes memory too, now and then: it may be the one that gets none
                        }
                        steps[0]++;
                    }
                });
                Throwable failure = failureOf(Async.spawn(() -> endlesslyInTheHeap(0)));
                System.out.println(failure instanceof VirtualMachineError ? "died" : "" + failure);
                long before = steps[0];
                Async.delay(2);
                System.out.println(steps[0] > before ? "others go on" : "others stand still");
                stop[0] = true;
                Async.await(other);
            });
            System.out.println("ended");
        }
    }

    @Test
    @Tag("deep")
    void endlessRecursionThatSuspends_diesOfHeapAndOthersGoOn() throws Exception {
        String output =
                new ChildProgram().options("-Xmx16m", "-XX:+UseSerialGC").run(DeepInTheHeap.class);
        assertThat(output.lines()).containsExactly("died", "others go on", "ended", "exit 0");
    }

    /** Runs with G1 and its smallest regions: half of one is what a suspended stack may take. */
    static final class DeepForG1 {
        /** Interpreted, a call takes about 100 bytes: 100 KB, and 5 MB. */
        private static final int[] DEPTHS = {1_000, 50_000, 1_000};

        private DeepForG1() {}

        public static void main(String[] arguments) {
            Runs.testRun().stackSize(64L << 20).run(() -> {
                Coroutine<?> other = Async.spawn(() -> {
                    while (true) Async.suspend();
                });
                List<Callable<?>> waits = List.of(
                        () -> {
                            Async.suspend();
                            return null;
                        },
                        () -> {
                            Async.delay(1);
                            return null;
                        },
                        () -> Async.await(Async.spawn(() -> {}), Async.timeout(3_600_000)));
                for (Callable<?> wait : waits) {
                    for (int depth : DEPTHS) {
                        Coroutine<?> deep = Async.spawn(() -> deep(depth, wait));
                        Throwable failure = failureOf(deep);
                        System.out.println(
                                failure == null ? depth : failure.getMessage().replaceAll("#\\d+", "#n"));
                    }
                }
                other.cancel();
                Async.delay(1);
                RuntimeStats left = Async.runtimeStats();
                System.out.println(
                        left.coroutines() + " coroutine, " + left.queued() + " queued, " + left.timers() + " timers");
            });
        }
    }

    @Test
    @Tag("K2")
    @Tag("K67")
    void waitOnAStackThatIsTooLargeForG1_throwsWithTheWayOut() throws Exception {
        String output = new ChildProgram()
                .options("-XX:+UseG1GC", "-XX:G1HeapRegionSize=1m", "-Xmx256m", "-Xint")
                .run(DeepForG1.class);
        String refusal = "coroutine #n can't suspend here: G1 keeps a suspended stack in one object of at most half a"
                + " heap region, and this stack is larger; recurse less deep, or run with larger regions"
                + " (-XX:G1HeapRegionSize=32m) or with another collector (-XX:+UseSerialGC)";
        assertThat(output.lines())
                .containsExactly(
                        "1000",
                        refusal,
                        "1000",
                        "1000",
                        refusal,
                        "1000",
                        "1000",
                        refusal,
                        "1000",
                        "1 coroutine, 0 queued, 0 timers",
                        "exit 0");
    }

    /** As many calls above the end of the stack; what happens then ends all of them. */
    private static void nearTheEnd(int[] calls, Suspending operation) throws Throwable {
        try {
            nearTheEnd(calls, operation);
        } catch (StackOverflowError e) {
            if (calls[0]-- != 0) throw e;
            operation.once();
        }
    }

    /**
     * In a JVM where nothing of the kind has been done before: whatever is loaded and initialised on first use is so at
     * the end of the stack.
     */
    static final class ColdStart {
        private ColdStart() {}

        public static void main(String[] arguments) {
            Runs.testRun()
                    .stackSize(STACK)
                    .timeLimit(java.time.Duration.ofSeconds(200))
                    .run(() -> {
                        Pair[] pair = new Pair[1];
                        Suspending operation =
                                switch (arguments[0]) {
                                    case "suspend" -> Async::suspend;
                                    case "delay" -> () -> Async.delay(1);
                                    case "await" -> () -> Async.await(Async.spawn(Async::suspend));
                                    case "token" ->
                                        () -> Async.await(Async.spawn(Async::suspend), Async.timeout(3_600_000));
                                    case "timeout" ->
                                        () -> {
                                            try {
                                                Async.await(Async.timeout(1));
                                            } catch (org.trueasync.AsyncTimeoutException e) {
                                                // as it should be
                                            }
                                        };
                                    case "future" ->
                                        () -> {
                                            var future = new java.util.concurrent.CompletableFuture<String>();
                                            Thread.ofPlatform().daemon().start(() -> future.complete("x"));
                                            Async.await(future);
                                        };
                                    case "cancel" ->
                                        () -> {
                                            Coroutine<?> sleeper = Async.spawn(() -> Async.delay(3_600_000));
                                            boolean done = false;
                                            try {
                                                Async.suspend();
                                                sleeper.cancel();
                                                done = true;
                                            } finally {
                                                if (!done) sleeper.cancel();
                                            }
                                            if (!(failureOf(sleeper) instanceof AsyncCancellation))
                                                throw new AssertionError("not cancelled");
                                        };
                                    case "connect" ->
                                        () -> {
                                            try (TcpServer server = TcpServer.listen("127.0.0.1", 0)) {
                                                TcpStream client = TcpStream.connect("127.0.0.1", server.port());
                                                server.accept().close();
                                                client.close();
                                            }
                                        };
                                    case "read" ->
                                        () -> {
                                            pair[0].peer().write(bytes("x"));
                                            if (read(pair[0].client(), 1_000).isEmpty())
                                                throw new AssertionError("nothing");
                                        };
                                    default -> throw new AssertionError(arguments[0]);
                                };
                        if (arguments[0].equals("read")) pair[0] = Pair.open();
                        int overflows = 0;
                        for (int round = 0; round < 400; round++) {
                            int[] calls = {round % 80};
                            Coroutine<?> victim = Async.spawn(() -> nearTheEnd(calls, operation));
                            Throwable failure = failureOf(victim);
                            if (failure instanceof StackOverflowError) {
                                overflows++;
                            } else if (failure != null) {
                                failure.printStackTrace(System.out);
                                throw new AssertionError("round " + round, failure);
                            }
                            // others can still do it, and everything else
                            if (round % 20 == 0) operation.once();
                            if (!Async.await(Async.spawn(() -> "value")).equals("value"))
                                throw new AssertionError("value");
                        }
                        Async.delay(1);
                        if (overflows == 0) throw new AssertionError("did not overflow");
                        if (Async.runtimeStats().timers() > 0)
                            throw new AssertionError("timers left: " + Async.runtimeStats());
                    });
            System.out.println("ended");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"suspend", "delay", "await", "token", "timeout", "future", "cancel", "connect", "read"})
    @Tag("deep")
    void operationFirstDoneAtTheEndOfTheStack_worksAfterwards(String operation) throws Exception {
        String output = new ChildProgram().options("-XX:+UseSerialGC").run(ColdStart.class, operation);
        assertThat(output.lines()).containsExactly("ended", "exit 0");
    }

    @Test
    @Tag("F33")
    void stackOverflowsInsideProtect_protectionIsOver() {
        onOwnStack(() -> {
            var seen = new ArrayList<String>();
            Coroutine<?> victim = Async.spawn(() -> {
                try {
                    Async.protect(() -> {
                        endlessly(0);
                    });
                } catch (StackOverflowError e) {
                    seen.add("overflow");
                }
                Async.delay(3_600_000);
            });
            Async.suspend();
            victim.cancel();
            assertThat(failureOf(victim)).isInstanceOf(AsyncCancellation.class);
            assertThat(seen).containsExactly("overflow");
        });
    }
}
