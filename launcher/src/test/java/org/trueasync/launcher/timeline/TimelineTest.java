package org.trueasync.launcher.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Channel;
import org.trueasync.Mutex;

/** The trace of a real program whose order is known. */
class TimelineTest {
    private static final List<String> EVENTS =
            List.of("CoroutineSpawn", "CoroutineSuspend", "CoroutineResume", "CoroutineEnd");

    private static final String VALUE =
            "(?:\"(?:[^\"\\\\\\p{Cntrl}]|\\\\[\"\\\\n]|\\\\u[0-9a-f]{4})*+\"|\\d+(?:\\.\\d+)?)";
    private static final String FIELDS = "(?:\"\\w+(?: \\w+)*\":" + VALUE + "(?:,(?!})|(?=})))*+";
    private static final Pattern LINE =
            Pattern.compile("\\{" + FIELDS + "(?:\"args\":\\{" + FIELDS + "}(?:,(?!})|(?=})))?" + FIELDS + "},?");

    @TempDir
    Path directory;

    private record Slice(int process, int track, String name, String kind, long from, long to) {}

    private Path recorded(String reactor, List<String> events, Body main) throws IOException {
        Path file = directory.resolve("recording.jfr");
        try (var recording = new Recording()) {
            for (String event : events) recording.enable("org.trueasync." + event);
            recording.start();
            Async.runtime().reactor(reactor).name("a \"loop\"").run(main);
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    private Path out() {
        return directory.resolve("out.json");
    }

    private Timeline.Outcome convert(Path recording) throws IOException {
        return Timeline.write(recording, () -> Files.newBufferedWriter(out()));
    }

    private List<String> entries() throws IOException {
        List<String> lines = Files.readAllLines(out());
        assertThat(lines.getFirst()).isEqualTo("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        assertThat(lines.getLast()).isEqualTo("]}");
        List<String> entries = lines.subList(1, lines.size() - 1);
        assertThat(entries).allMatch(line -> LINE.matcher(line).matches());
        assertThat(entries.subList(0, entries.size() - 1)).allMatch(line -> line.endsWith(","));
        return entries;
    }

    private static String field(String entry, String name) {
        Matcher field = Pattern.compile("\"" + name + "\":\"?((?:[^\",}\\\\]|\\\\.|(?<=[^0-9]),)*)")
                .matcher(entry);
        assertThat(field.find()).as(entry).isTrue();
        return field.group(1);
    }

    private static long nanos(String micros) {
        return Long.parseLong(micros.replace(".", ""));
    }

    private static List<Slice> slices(List<String> entries) {
        return entries.stream()
                .filter(entry -> entry.startsWith("{\"ph\":\"X\""))
                .map(entry -> {
                    long from = nanos(field(entry, "ts"));
                    return new Slice(
                            Integer.parseInt(field(entry, "pid")),
                            Integer.parseInt(field(entry, "tid")),
                            field(entry, "name"),
                            field(entry, "cat"),
                            from,
                            from + nanos(field(entry, "dur")));
                })
                .sorted(Comparator.comparingLong(Slice::from))
                .toList();
    }

    /** The track whose name contains this. */
    private static int track(List<String> entries, String name) {
        return entries.stream()
                .filter(entry -> entry.contains("\"thread_name\"") && entry.contains(name))
                .mapToInt(entry -> Integer.parseInt(field(entry, "tid")))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> kinds(List<Slice> slices, int track) {
        return slices.stream()
                .filter(slice -> slice.track == track)
                .map(Slice::kind)
                .toList();
    }

    private static void main() {
        var channel = new Channel<String>();
        var mutex = new Mutex();
        var receiver = spawn("receives \"\\", () -> {
            channel.receive();
        });
        spawn("sends", () -> {
            delay(5);
            channel.send("a value");
        });
        spawn("holds", () -> mutex.withLock(() -> delay(5)));
        spawn("waits", () -> mutex.withLock(() -> {}));
        spawn("sleeps", () -> {
            mutex.withLock(() -> {});
            Thread.sleep(20);
        });
        await(receiver);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "libuv"})
    void programOfKnownOrder_isShownInThatOrder(String reactor) throws Exception {
        assertThat(convert(recorded(reactor, EVENTS, TimelineTest::main))).isEqualTo(Timeline.Outcome.COMPLETE);
        List<String> entries = entries();
        List<Slice> slices = slices(entries);
        assertThat(entries).anyMatch(entry -> entry.contains("loop of a \\\"loop\\\""));
        assertThat(kinds(slices, track(entries, "receives \\\"\\\\'"))).containsExactly("run", "channel", "run");
        assertThat(kinds(slices, track(entries, "sends"))).startsWith("run", "timer", "run");
        assertThat(kinds(slices, track(entries, "holds"))).containsExactly("run", "timer", "run");
        assertThat(kinds(slices, track(entries, "waits"))).containsExactly("run", "lock", "run");

        assertThat(kinds(slices, track(entries, "sleeps"))).containsExactly("run", "lock", "run", "jdk code", "run");

        List<Slice> runs =
                slices.stream().filter(slice -> slice.kind.equals("run")).toList();
        assertApart(runs);
        for (int track : slices.stream().mapToInt(Slice::track).distinct().toArray())
            assertApart(slices.stream().filter(slice -> slice.track == track).toList());
        List<Slice> busy =
                slices.stream().filter(slice -> slice.kind.equals("loop")).toList();
        // the loop surely waits while nothing but the sleep is left; before that a slow machine may leave it no time
        assertThat(busy).hasSizeGreaterThan(1);
        assertThat(runs).allMatch(run -> busy.stream().anyMatch(turn -> turn.from <= run.from && run.to <= turn.to));
        for (String end : List.of("s", "f"))
            assertThat(entries.stream().filter(entry -> entry.startsWith("{\"ph\":\"" + end + "\"")))
                    .hasSize(5);
    }

    private static void assertApart(List<Slice> slices) {
        for (int i = 1; i < slices.size(); i++)
            assertThat(slices.get(i).from).isGreaterThanOrEqualTo(slices.get(i - 1).to);
    }

    @Test
    void recordingWithoutOurEvents_opensNoOutput() throws Exception {
        assertThat(convert(recorded("nio", List.of(), () -> delay(1)))).isEqualTo(Timeline.Outcome.NOTHING);
        assertThat(out()).doesNotExist();
    }

    @Test
    void fileOfAnotherKind_isRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("text"), "no recording ".repeat(100));
        assertThatThrownBy(() -> convert(file)).isInstanceOf(IOException.class);
        assertThat(out()).doesNotExist();
    }

    @Test
    void recordingThatBreaksOff_isShownAsFarAsItGoes() throws Exception {
        byte[] whole = Files.readAllBytes(recorded("nio", EVENTS, () -> delay(1)));
        // at some of these places the JDK's reader fails, at others it passes in silence over what is not there
        for (int part = 1; part < 16; part++) {
            Path first = Files.write(directory.resolve("first"), Arrays.copyOf(whole, whole.length / 16 * part));
            assertThatThrownBy(() -> convert(first))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("breaks off");
            assertThat(out()).doesNotExist();
        }
        Path second = Files.write(directory.resolve("second"), whole);
        Files.write(second, Arrays.copyOf(whole, whole.length / 2), StandardOpenOption.APPEND);
        assertThat(convert(second)).isEqualTo(Timeline.Outcome.CUT_OFF);
        assertThat(slices(entries())).isNotEmpty();
    }

    @Test
    void failureToWrite_isThrown() throws Exception {
        Path recording = recorded("nio", EVENTS, () -> delay(1));
        assertThatThrownBy(() -> Timeline.write(recording, () -> {
                    throw new IOException("full");
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("full");
    }
}
