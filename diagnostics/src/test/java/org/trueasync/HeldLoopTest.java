package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.TimerEvent;

/**
 * "A coroutine blocks the loop": what holds it is reported, from beside it, once for each place. Each test holds the
 * loop until that has happened.
 */
@Tag("E42")
class HeldLoopTest {
    private static final Duration LIMIT = Duration.ofMillis(20);

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch next = new CountDownLatch(1);

    @TempDir
    @Nullable
    Path directory;

    private TestRuntime runtime(Consumer<String> sink) {
        return new TestRuntime(builder -> builder.heldLoopAfter(LIMIT).diagnostics(sink));
    }

    /** Runs a body, and returns the only report. */
    private String reported(Body main) {
        run(main);
        assertThat(reports).hasSize(1);
        return reports.getFirst();
    }

    private void run(Body main) {
        runtime(this::note).start(main);
    }

    private void note(String report) {
        reports.add(report);
        CountDownLatch waiting = next;
        next = new CountDownLatch(1);
        waiting.countDown();
    }

    /** Holds the loop as a computation does, until somebody has been reported. */
    private void compute(CountDownLatch until) {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (until.getCount() > 0 && System.nanoTime() < limit) Thread.onSpinWait();
    }

    @Test
    void computation_isReportedWhileItGoesOn() {
        String report = reported(() -> await(spawn(() -> compute(next))));
        assertThat(report)
                .startsWith("Loop 'test' is held by coroutine #")
                .contains(
                        " spawned HeldLoopTest.java:",
                        " ms so far",
                        "HeldLoopTest.compute(HeldLoopTest.java:",
                        "Way out:",
                        "Async.suspend()")
                .doesNotContain("org.trueasync.internal.kernel");
    }

    /** A loop that only another thread could end looks like a computation; after a while it is said what it may be. */
    @Test
    void loopThatLooksAgainAndAgain_isNamed() {
        var named = new CountDownLatch(2);
        runtime(report -> {
                    reports.add(report);
                    named.countDown();
                })
                .start(() -> await(spawn(() -> spin(named))));
        assertThat(reports).hasSize(2);
        assertThat(reports.getLast())
                .startsWith("Loop 'test' is still held by coroutine #")
                .contains("at the same place", "HeldLoopTest.spin(", "it never ends", "Thread.onSpinWait()");
    }

    private static void spin(CountDownLatch until) {
        while (until.getCount() > 0) Thread.onSpinWait();
    }

    @Test
    void samePlace_isReportedOnce() {
        run(() -> {
            CountDownLatch first = next;
            hold(first);
            suspend();
            hold(first);
            suspend();
            compute(next);
        });
        assertThat(reports).hasSize(2);
        assertThat(reports.getFirst()).contains("HeldLoopTest.hold(");
        assertThat(reports.getLast()).contains("HeldLoopTest.compute(");
    }

    /** Until the first report, and in any case for as long as a report would take. */
    private static void hold(CountDownLatch first) {
        long end = System.nanoTime() + 3 * LIMIT.toNanos();
        while (first.getCount() > 0 || System.nanoTime() < end) Thread.onSpinWait();
    }

    /** What a program does first is done once, and frameworks have deep stacks. */
    @Test
    void startUp_isReportedInAFewLinesAndTwice() {
        run(() -> {
            compute(next);
            suspend();
            other(next);
            suspend();
            third();
        });
        assertThat(reports).hasSize(2);
        assertThat(reports.getFirst().lines().toList())
                .hasSize(2)
                .first()
                .asString()
                .contains(
                        "is held by the main coroutine, #", " ms so far: ", "HeldLoopTest.compute(HeldLoopTest.java:");
        assertThat(reports.getFirst()).contains("Async.blocking(...)");
        assertThat(reports.getLast().lines().toList())
                .hasSize(3)
                .last()
                .asString()
                .contains("are not reported");
    }

    private static void third() {
        long end = System.nanoTime() + 5 * LIMIT.toNanos();
        while (System.nanoTime() < end) Thread.onSpinWait();
    }

    /** No turn is long enough to be reported by itself. */
    @Test
    void saturatedLoop_isReportedWithItsBusiestPlaces() {
        var saturated = new CountDownLatch(1);
        TestRuntime runtime = runtime(report -> {
            note(report);
            if (report.contains("is saturated")) saturated.countDown();
        });
        runtime.start(() -> {
            spawn(() -> {
                while (saturated.getCount() > 0) suspend();
            });
            long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (saturated.getCount() > 0 && System.nanoTime() < limit) {
                runtime.reactor().advance(TimeUnit.MILLISECONDS.toNanos(50));
                shortWork();
                suspend();
            }
        });
        assertThat(reports)
                .filteredOn(report -> report.contains("is saturated"))
                .singleElement()
                .asString()
                .startsWith(
                        "Loop 'test' is saturated: busy for 100 % of the last 10 s, and what becomes ready waits for ")
                .contains(" %  org.trueasync.HeldLoopTest.shortWork(HeldLoopTest.java:", "Async.blocking(...)");
    }

    @Test
    void busyCoroutineThatIsAlone_keepsNobodyWaiting() {
        TestRuntime runtime = runtime(this::note);
        runtime.start(() -> {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_500);
            while (System.nanoTime() < end) {
                runtime.reactor().advance(TimeUnit.MILLISECONDS.toNanos(500));
                shortWork();
                suspend();
            }
        });
        assertThat(reports).noneMatch(report -> report.contains("is saturated"));
    }

    private static void shortWork() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
        while (System.nanoTime() < end) Thread.onSpinWait();
    }

    @Test
    void everyPlaceOfOneHold_isReported() {
        run(() -> {
            compute(next);
            other(next);
        });
        assertThat(reports).hasSize(2);
        assertThat(reports.getLast()).contains("HeldLoopTest.other(");
    }

    private void other(CountDownLatch until) {
        compute(until);
    }

    @Test
    void fileThatBlocks_isReportedWithTheWayOut() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        runtime(report -> {
                    note(report);
                    open(pipe);
                })
                .start(() -> {
                    try (var in = new FileInputStream(pipe.toFile())) {
                        assertThat(in.read()).isEqualTo(-1);
                    }
                });
        assertThat(reports)
                .singleElement()
                .asString()
                .contains("held by the main coroutine, #", "java.io.FileInputStream.open0(Native Method)", "AsyncFile");
    }

    private static void open(Path pipe) {
        try {
            Files.newOutputStream(pipe).close();
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private static volatile @Nullable CountDownLatch wanted;

    private static final class WaitsWhenInitialised {
        static final boolean DONE = attempt();

        private static boolean attempt() {
            try {
                return wanted.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return false;
            }
        }
    }

    @Test
    @Tag("F80")
    void classInitialiserThatWaits_isReported() {
        String report = reported(() -> {
            wanted = next;
            assertThat(WaitsWhenInitialised.DONE).isTrue();
        });
        assertThat(report).contains("WaitsWhenInitialised.<clinit>", "a class initialiser can't be left");
    }

    @Test
    void microtask_isReportedInWhosePlaceItRuns() {
        String report = reported(() -> {
            Microtask.of(() -> compute(next)).enqueue();
            suspend();
        });
        assertThat(report).contains("is held by a microtask", "HeldLoopTest.compute(");
    }

    @Test
    void microtaskAfterACoroutinesEnd_isReported() {
        String report = reported(() -> {
            await(spawn(() -> Microtask.of(() -> compute(next)).enqueue()));
        });
        assertThat(report).contains("is held by a microtask", "HeldLoopTest.compute(");
    }

    @Test
    void switchHandler_isReportedInWhosePlaceItRuns() {
        String report = reported(() -> {
            var once = new boolean[1];
            SwitchHandlers.add((coroutine, entering, finishing) -> {
                if (!once[0]) compute(next);
                once[0] = true;
                return true;
            });
            spawn(() -> {});
            suspend();
        });
        assertThat(report).contains("is held by a switch handler in the place of the main coroutine, #");
    }

    @Test
    void callbackInTheLoopsFrame_isReported() {
        String report = reported(() -> {
            TimerEvent timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(1));
            timer.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                    compute(next);
                }
            });
            timer.start();
            delay(2);
        });
        assertThat(report).contains("is held by a callback", "HeldLoopTest.compute(");
    }

    @Test
    void guest_isReported() {
        String report =
                reported(() -> Thread.startVirtualThread(() -> compute(next)).join());
        assertThat(report).contains("no coroutine", "HeldLoopTest.compute(");
    }

    @Test
    void sinkThatFails_doesNotEndTheWatch() {
        runtime(report -> {
                    note(report);
                    throw new IllegalStateException("expected");
                })
                .start(() -> {
                    compute(next);
                    suspend();
                    other(next);
                });
        assertThat(reports).hasSize(2);
    }

    @Test
    void sinkIsCalledOnAnotherThread_andTheLoopIsNotNeeded() {
        var threads = ConcurrentHashMap.<Thread>newKeySet();
        runtime(report -> {
                    threads.add(Thread.currentThread());
                    note(report);
                })
                .start(() -> compute(next));
        assertThat(threads).singleElement().satisfies(thread -> {
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getName()).isEqualTo("trueasync-watchdog-test");
            assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
        });
    }

    @Test
    void withoutALimit_nobodyWatches() {
        new TestRuntime(builder -> builder.name("unwatched"))
                .start(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().equals("trueasync-watchdog-unwatched")));
    }

    @Test
    void impossibleLimit_isRefused() {
        assertThatThrownBy(() -> Async.runtime().heldLoopAfter(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("heldLoopAfter must be >= 0 ms, got -1");
        assertThatThrownBy(() -> Async.runtime().heldLoopAfter(Duration.ofNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("heldLoopAfter must be >= 1 ms, or 0 for no reports, got PT0.000000001S");
    }

    @Test
    void flightRecorder_getsAnEvent() throws Exception {
        Path file = directory.resolve("held.jfr");
        try (var recording = new Recording()) {
            recording.enable("org.trueasync.HeldLoop");
            recording.start();
            reported(() -> compute(next));
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("org.trueasync.HeldLoop"))
                .toList();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getString("runtime")).isEqualTo("test");
            assertThat(event.getString("holder")).contains("the main coroutine, #");
            assertThat(event.getString("stack")).contains("HeldLoopTest.compute(");
            assertThat(event.getDuration("heldSoFar")).isGreaterThanOrEqualTo(LIMIT);
        });
    }
}
