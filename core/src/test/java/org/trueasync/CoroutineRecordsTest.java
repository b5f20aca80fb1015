package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.internal.testkit.TalkingEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** What the flight recorder gets to know of coroutines. */
class CoroutineRecordsTest {
    private static final String PREFIX = "org.trueasync.Coroutine";

    @TempDir
    @Nullable
    Path directory;

    private List<RecordedEvent> recorded(List<String> kinds, Body main) throws Exception {
        Path file = directory.resolve("coroutines.jfr");
        try (var recording = new Recording()) {
            for (String kind : kinds) recording.enable(PREFIX + kind);
            recording.start();
            new TestRuntime().start(main);
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith(PREFIX))
                .sorted(java.util.Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    private static String kind(RecordedEvent event) {
        return event.getEventType().getName().substring(PREFIX.length());
    }

    private static List<String> kindsOf(List<RecordedEvent> events, long coroutine) {
        var kinds = new ArrayList<String>();
        for (RecordedEvent event : events) if (event.getLong("coroutine") == coroutine) kinds.add(kind(event));
        return kinds;
    }

    private static RecordedEvent only(List<RecordedEvent> events, long coroutine, String kind) {
        List<RecordedEvent> those = events.stream()
                .filter(event ->
                        event.getLong("coroutine") == coroutine && kind(event).equals(kind))
                .toList();
        assertThat(those).hasSize(1);
        return those.getFirst();
    }

    @Test
    void lifeOfACoroutine_isRecorded() throws Exception {
        long[] ids = new long[2];
        List<RecordedEvent> events = recorded(List.of("Spawn", "Suspend", "Resume", "End"), () -> {
            ids[0] = Async.currentCoroutine().id();
            ids[1] = spawn(() -> delay(5)).id();
        });
        assertThat(kindsOf(events, ids[1])).containsExactly("Spawn", "Suspend", "Resume", "End");
        RecordedEvent spawned = only(events, ids[1], "Spawn");
        assertThat(spawned.getString("runtime")).isEqualTo("test");
        assertThat(spawned.getLong("parent")).isEqualTo(ids[0]);
        assertThat(spawned.getString("place")).startsWith("CoroutineRecordsTest.java:");
        RecordedEvent suspended = only(events, ids[1], "Suspend");
        assertThat(suspended.getString("awaits")).contains("5 ms");
        assertThat(suspended.getStackTrace().getFrames())
                .anyMatch(frame ->
                        frame.getMethod().getType().getName().equals(getClass().getName()));
        assertThat(only(events, ids[1], "End").getString("outcome")).isEqualTo("completed");
    }

    @Test
    void coroutineThatJdkCodeParks_isRecorded() throws Exception {
        long[] id = new long[1];
        List<RecordedEvent> events = recorded(
                List.of("Suspend", "Resume"),
                () -> id[0] = spawn(() -> Thread.sleep(5)).id());
        assertThat(kindsOf(events, id[0])).containsExactly("Suspend", "Resume");
        assertThat(only(events, id[0], "Suspend").getString("awaits")).isEqualTo("JDK code");
    }

    @Test
    void failuresAndCancellations_areToldApart_withoutTheirMessages() throws Exception {
        long[] ids = new long[3];
        List<RecordedEvent> events = recorded(List.of("End"), () -> {
            Coroutine<?> failing = spawn(() -> {
                throw new IllegalStateException("secret");
            });
            Coroutine<?> cancelled = spawn(() -> delay(1_000));
            Coroutine<?> neverBegun = spawn(() -> {});
            neverBegun.cancel();
            delay(1);
            cancelled.cancel();
            assertThat(failing.exception()).isInstanceOf(IllegalStateException.class);
            ids[0] = failing.id();
            ids[1] = cancelled.id();
            ids[2] = neverBegun.id();
        });
        RecordedEvent failed = only(events, ids[0], "End");
        assertThat(failed.getString("outcome")).isEqualTo("failed");
        assertThat(failed.getClass("error").getName()).isEqualTo("java.lang.IllegalStateException");
        assertThat(failed.toString()).doesNotContain("secret");
        assertThat(only(events, ids[1], "End").getString("outcome")).isEqualTo("cancelled");
        assertThat(only(events, ids[2], "End").getString("outcome")).isEqualTo("cancelled");
    }

    @Test
    void eventThatWaitsWhereItTellsOfItself_harmsNobody() throws Exception {
        long[] id = new long[1];
        List<RecordedEvent> events = recorded(List.of("Suspend"), () -> {
            Coroutine<?> waiter = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(
                        new TalkingEvent(() -> {
                            delay(1);
                            return "never";
                        }),
                        ResumeCallback.RESOLVE);
                waker.await();
            });
            delay(1);
            waiter.cancel();
            id[0] = waiter.id();
        });
        assertThat(only(events, id[0], "Suspend").getString("awaits")).contains("whose info() failed");
    }

    @Test
    void recordingThatDoesNotNameThem_getsNone() throws Exception {
        assertThat(recorded(List.of(), () -> spawn(() -> delay(1)))).isEmpty();
    }
}
