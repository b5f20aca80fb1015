package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

/** What the flight recorder gets to know of pools and circuit breakers. */
class PoolRecordsTest {
    private static final String PREFIX = "org.trueasync.";

    @TempDir
    @Nullable
    Path directory;

    /** Of one kind, in the order of their ends. */
    private List<RecordedEvent> recorded(String kind, Body main) throws Exception {
        Path file = directory.resolve("pools.jfr");
        try (var recording = new Recording()) {
            recording.enable(PREFIX + kind).withoutThreshold();
            recording.start();
            new TestRuntime().start(main);
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PREFIX + kind))
                .sorted(Comparator.comparing(RecordedEvent::getEndTime))
                .toList();
    }

    private static void leaves(Coroutine<?> waiter) {
        assertThat(waiter.exception()).isNotNull();
    }

    @Test
    void acquiresThatWait_areRecordedWithTheirOutcome() throws Exception {
        long[] served = new long[1];
        List<RecordedEvent> events = recorded("PoolWait", () -> {
            var pool = Pool.of(Object::new).max(1).name("busy").build();
            pool.release(pool.acquire());
            Object one = pool.acquire();
            Coroutine<Object> cancelled = spawn(() -> pool.acquire());
            Coroutine<Object> granted = spawn(() -> pool.acquire());
            served[0] = granted.id();
            suspend();
            cancelled.cancel();
            suspend();
            assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(5))).isInstanceOf(AsyncTimeoutException.class);
            assertThatThrownBy(() -> pool.acquire(timeout(5))).isInstanceOf(OperationCanceledException.class);
            pool.release(one);
            suspend();
            Coroutine<Object> refused = spawn(() -> pool.acquire());
            suspend();
            pool.deactivate();
            suspend();
            pool.activate();
            Coroutine<Object> closed = spawn(() -> pool.acquire());
            suspend();
            pool.close();
            suspend();
            List.of(cancelled, refused, closed).forEach(PoolRecordsTest::leaves);
        });
        assertThat(events)
                .extracting(event -> event.getString("outcome"))
                .containsExactly("cancelled", "timed out", "token ended", "granted", "unavailable", "closed");
        assertThat(events).allSatisfy(event -> {
            assertThat(event.getString("pool")).isEqualTo("busy");
            assertThat(event.getString("runtime")).isEqualTo("test");
        });
        RecordedEvent granted = events.get(3);
        assertThat(granted.getLong("coroutine")).isEqualTo(served[0]);
        assertThat(granted.getInt("waitingBefore")).isEqualTo(1);
        assertThat(granted.getDuration())
                .as("as long as all before it")
                .isGreaterThanOrEqualTo(events.get(1).getDuration());
        assertThat(granted.getStackTrace().getFrames())
                .anyMatch(frame ->
                        frame.getMethod().getType().getName().equals(getClass().getName()));
    }

    @Test
    void shortWaits_areNotRecordedUnlessAskedFor() throws Exception {
        Path file = directory.resolve("defaults.jfr");
        try (var recording = new Recording()) {
            recording.enable(PREFIX + "PoolWait");
            recording.start();
            new TestRuntime().start(() -> {
                var pool = Pool.of(Object::new).max(1).build();
                Object one = pool.acquire();
                Coroutine<Object> waiter = spawn(() -> pool.acquire());
                suspend();
                pool.release(one);
                Async.await(waiter);
            });
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events)
                .as("on in any recording")
                .anyMatch(event -> event.getEventType().getName().equals(PREFIX + "PoolCreate"));
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals(PREFIX + "PoolWait"))
                .allSatisfy(event -> assertThat(event.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(20)));
    }

    @Test
    void whatTheFactoryDoes_isRecorded() throws Exception {
        List<RecordedEvent> events = recorded("PoolCreate", () -> {
            boolean[] up = {true};
            var pool = Pool.of(() -> {
                        if (!up[0]) throw new java.io.IOException("secret");
                        return new Object();
                    })
                    .min(1)
                    .name("made")
                    .build();
            pool.acquire();
            up[0] = false;
            assertThatThrownBy(pool::acquire).hasRootCauseMessage("secret");
            up[0] = true;
            pool.acquire();
        });
        assertThat(events).hasSize(3).allSatisfy(event -> assertThat(event.getString("pool"))
                .isEqualTo("made"));
        assertThat(events.get(0).getClass("error")).isNull();
        assertThat(events.get(1).getClass("error").getName()).endsWith("CompletionException");
        assertThat(events.get(2).getClass("error")).isNull();
        assertThat(events.toString()).doesNotContain("secret");
    }

    @Test
    void whatIsDestroyed_isRecordedWithTheReason() throws Exception {
        List<RecordedEvent> events = recorded("PoolDestroy", () -> {
            boolean[] good = {true, true, true};
            var failing = new boolean[1];
            var pool = Pool.of(Object::new)
                    .destructor(r -> {
                        if (failing[0]) throw new IllegalStateException("destructor");
                    })
                    .beforeAcquire(r -> good[0])
                    .beforeRelease(r -> good[1])
                    .healthcheck(r -> good[2])
                    .healthcheckInterval(Duration.ofMillis(10))
                    .name("mortal")
                    .build();
            pool.release(pool.acquire());
            good[0] = false;
            Object second = pool.acquire();
            good[1] = false;
            pool.release(second);
            pool.discard(pool.acquire());
            good[1] = true;
            pool.release(pool.acquire());
            good[2] = false;
            delay(15);
            pool.release(pool.acquire());
            failing[0] = true;
            assertThatThrownBy(pool::close).hasMessage("destructor");
        });
        assertThat(events)
                .extracting(event -> event.getString("reason"))
                .containsExactly(
                        "refused by beforeAcquire", "refused by beforeRelease", "discarded", "unhealthy", "closed");
        assertThat(events.getFirst().getString("pool")).isEqualTo("mortal");
        assertThat(events.getFirst().getClass("error")).isNull();
        assertThat(events.getLast().getClass("error").getName()).endsWith("IllegalStateException");
    }

    @Test
    @Tag("P13")
    void resourceThatIsDropped_isRecordedWithItsPlace() throws Exception {
        List<RecordedEvent> events = recorded("PoolLeak", () -> {
            var pool = Pool.of(Object::new).acquireSites(true).name("leaky").build();
            pool.acquire();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (pool.stats().leaked() == 0 && System.nanoTime() < end) {
                Garbage.collect();
                suspend();
            }
        });
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().getString("pool")).isEqualTo("leaky");
        assertThat(events.getFirst().getString("place")).startsWith("PoolRecordsTest.java:");
    }

    @Test
    @Tag("P20")
    void changesOfABreaker_areRecorded() throws Exception {
        List<RecordedEvent> events = recorded("BreakerState", () -> {
            var pool = Pool.of(Object::new).name("guarded").build();
            pool.deactivate();
            pool.deactivate();
            pool.recover();
            new GuardedCalls("calls", RecoveryStrategy.consecutiveFailures(1)).deactivate();
        });
        var changes = new ArrayList<String>();
        for (RecordedEvent event : events)
            changes.add(event.getString("breaker") + ": " + event.getString("from") + " to " + event.getString("to"));
        assertThat(changes)
                .containsExactly(
                        "guarded: ACTIVE to INACTIVE", "guarded: INACTIVE to RECOVERING", "calls: ACTIVE to INACTIVE");
    }
}
