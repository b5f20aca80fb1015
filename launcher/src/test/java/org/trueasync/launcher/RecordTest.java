package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** The black box of a process, on request and when a limit is passed. */
@Tag("deep")
class RecordTest {
    private static final long SOCKET_WITHIN_NANOS = 60_000_000_000L;

    private static final String SHOP = """
            import static org.trueasync.Async.*;
            import org.trueasync.*;
            void main() {
                var pool = Pool.of(() -> "connection").name("db").max(1).build();
                spawn("first", () -> pool.use(c -> { delay(60); return 1; }));
                spawn("second", () -> pool.use(c -> { delay(60); return 1; }));
                spawn("report", () -> {
                    delay(5);
                    long end = System.nanoTime() + 30_000_000;
                    while (System.nanoTime() < end) Thread.onSpinWait();
                });
                delay(400);
                IO.println("ready");
                delay(600_000);
            }
            """;

    @TempDir
    Path directory;

    private Process process;
    private BufferedReader out;

    @AfterEach
    void end() {
        if (process != null) process.destroyForcibly();
    }

    private void start(String... options) throws Exception {
        LauncherProcess.write(directory, "Shop.java", SHOP);
        var words = new ArrayList<String>(List.of("run"));
        words.addAll(List.of(options));
        words.add("Shop.java");
        ProcessBuilder builder = LauncherProcess.starting(directory, words.toArray(String[]::new))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
        process = builder.start();
        out = process.inputReader(StandardCharsets.UTF_8);
        String line;
        do line = out.readLine();
        while (line != null && !line.equals("ready"));
        Path socket = directory.resolve("trueasync").resolve(process.pid() + ".sock");
        long begin = System.nanoTime();
        while (!Files.exists(socket) && System.nanoTime() - begin < SOCKET_WITHIN_NANOS) Thread.sleep(20);
    }

    private Result ask(String... words) throws Exception {
        ProcessBuilder builder = LauncherProcess.starting(directory, words).redirectInput(new File("/dev/null"));
        builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
        return LauncherProcess.execute(directory, builder, "");
    }

    private List<Path> boxes() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".box")).toList();
        }
    }

    @Test
    void runningProcess_tellsWhatItDid_andTheTimelineDrawsIt() throws Exception {
        start();
        Result result = ask("record", Long.toString(process.pid()), "-o", "shop.box");
        assertThat(result).isEqualTo(new Result(0, "Written to shop.box\n", ""));
        assertThat(Files.getPosixFilePermissions(directory.resolve("shop.box")))
                .containsOnly(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        List<String> lines = Files.readAllLines(directory.resolve("shop.box"));
        assertThat(lines.getFirst()).startsWith("trueasync-black-box 1\t" + process.pid() + "\t");
        assertThat(lines.getLast()).isEqualTo("complete");
        assertThat(lines).anyMatch(line -> line.matches("spawn\t-\\d+\t\\d+\t1\tsecond Shop.java:6"));
        assertThat(lines).anyMatch(line -> line.matches("wake\t-\\d+\t\\d+\t\\d+\tacquire from .*ool.*"));
        assertThat(ask("timeline", "shop.box"))
                .isEqualTo(new Result(0, "Written to shop.json, for https://ui.perfetto.dev\n", ""));
        assertThat(Files.readString(directory.resolve("shop.json")))
                .contains("loop of main", "second Shop.java:6", "\"name\":\"wake\"");
    }

    @Test
    void withoutABlackBox_thereIsNothingToRecord() throws Exception {
        start("--black-box", "off");
        Result result = ask("record", Long.toString(process.pid()));
        assertThat(result.status()).isEqualTo(Exit.USAGE);
        assertThat(result.err()).contains("records nothing: start it with trueasync run");
        assertThat(boxes()).as("a part would look like a recording").isEmpty();
    }

    @Test
    void limitAndEnd_writeFiles() throws Exception {
        start("--record-on", "pool=40ms,end");
        process.toHandle().destroy(); // Process.destroy would close the output
        List<String> rest = out.lines().toList();
        process.waitFor();
        assertThat(boxes()).hasSize(2);
        assertThat(rest).anyMatch(line -> line.matches("Black box written to .*\\.box: end of runtime 'main'"));
        for (Path box : boxes()) assertThat(Files.readAllLines(box).getLast()).isEqualTo("complete");
    }

    /** The process ends at once, and the file is complete nevertheless. */
    @Test
    void errorThatEndsTheRun_writesAFile() throws Exception {
        LauncherProcess.write(directory, "Failing.java", """
                import static org.trueasync.Async.*;
                void main() {
                    spawn("before", () -> delay(5));
                    delay(20);
                    throw new IllegalStateException("planned");
                }
                """);
        Result result = LauncherProcess.run(directory, "run", "--record-on", "error", "Failing.java");
        assertThat(result.status()).isEqualTo(Exit.FAILED);
        assertThat(result.err()).contains("Black box written to trueasync-");
        List<String> lines = Files.readAllLines(boxes().getFirst());
        assertThat(lines.getFirst()).endsWith("error: runtime 'main': unhandled java.lang.IllegalStateException");
        assertThat(lines).anyMatch(line -> line.endsWith("\tbefore Failing.java:3"));
        assertThat(lines.getLast()).isEqualTo("complete");
    }
}
