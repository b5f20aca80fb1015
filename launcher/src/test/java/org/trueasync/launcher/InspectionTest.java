package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** The commands that look into a running process, which has a directory for its socket of its own. */
@Tag("deep")
class InspectionTest {
    private static final long SOCKET_WITHIN_NANOS = 60_000_000_000L;

    @TempDir
    Path directory;

    private Path sockets;
    private Process process;

    @BeforeEach
    void directory() throws Exception {
        sockets = Files.createDirectory(directory.resolve("run"));
    }

    @AfterEach
    void end() {
        if (process != null) process.destroyForcibly();
    }

    private void start(String program) throws Exception {
        LauncherProcess.write(directory, "Program.java", program);
        ProcessBuilder builder = LauncherProcess.starting(directory, "run", "Program.java", "argument")
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment().put("XDG_RUNTIME_DIR", sockets.toString());
        process = builder.start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line;
        do line = out.readLine();
        while (line != null && !line.equals("ready"));
        long begin = System.nanoTime();
        while (!Files.exists(socket()) && System.nanoTime() - begin < SOCKET_WITHIN_NANOS) Thread.sleep(20);
    }

    private Path socket() {
        return sockets.resolve("trueasync").resolve(process.pid() + ".sock");
    }

    private Result ask(String... words) throws Exception {
        ProcessBuilder builder = LauncherProcess.starting(directory, words).redirectInput(new File("/dev/null"));
        builder.environment().put("XDG_RUNTIME_DIR", sockets.toString());
        return LauncherProcess.execute(directory, builder, "");
    }

    private String answer(String command, String... options) throws Exception {
        var words = new ArrayList<>(List.of(command, Long.toString(process.pid())));
        words.addAll(List.of(options));
        Result result = ask(words.toArray(String[]::new));
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        return result.out();
    }

    @Test
    void programThatWaits_explainsItself() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                import org.trueasync.*;
                void main() {
                    var mutex = new Mutex();
                    spawn("holder", () -> mutex.withLock(() -> { delay(600_000); return 1; }));
                    spawn("wanter", () -> mutex.withLock(() -> 2));
                    spawn(() -> IO.println("ready"));
                    new Channel<String>().receive();
                }
                """);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                .isEqualTo("rw-------");
        assertThat(ask("ps").out())
                .containsPattern("(?m)^ *" + process.pid() + " +1 +3 +\\d+ % +waiting +Program.java argument$");
        assertThat(answer("tree"))
                .containsPattern("'wanter' spawned Program.java:6, .*, only #2 'holder' can end that");
        assertThat(answer("why")).startsWith("Runtime 'main' goes on: main has not returned, and 2 more coroutines");
        assertThat(answer("stats")).contains("coroutines   3: ");
        assertThat(answer("dump")).contains("Program.java", "coroutines   3: ", "'holder'");
        assertThat(answer("dump", "--json")).startsWith("{\"format\":\"trueasync-dump\",\"version\":1,");
        process.destroy();
        process.waitFor();
        assertThat(socket()).doesNotExist();
        Result ended = ask("tree", Long.toString(process.pid()));
        assertThat(ended.err()).isEqualTo("trueasync: there is no process " + process.pid() + "\n");
        assertThat(ended.status()).isEqualTo(Exit.USAGE);
    }

    @Test
    void stuckCoroutines_areFoundWhileTheProgramGoesOn() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                import org.trueasync.*;
                void main() {
                    begin();
                    IO.println("ready");
                    delay(600_000);
                }
                void begin() {
                    var orders = new Channel<String>();
                    spawn("reader", () -> { orders.receive(); });
                    var answer = new Channel<String>();
                    spawn("asker", () -> { answer.receive(); });
                    spawn("slow", () -> { delay(600_000); answer.send("late"); });
                }
                """);
        assertThat(answer("stuck"))
                .startsWith("Runtime 'main': 1 coroutine is stuck: no running code can reach what it waits for;")
                .contains("'reader' spawned Program.java:10, suspended Program.java:10, awaits receive from channel");
    }

    @Test
    void heldLoop_isToldWithWhoHoldsIt() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                void main() {
                    await(spawn("spinner", () -> {
                        IO.println("ready");
                        while (true) Thread.onSpinWait();
                    }));
                }
                """);
        assertThat(ask("ps").out()).contains(" held ");
        assertThat(answer("tree")).contains("Loop 'main' is held by coroutine #2 'spinner'", "Program.java:5");
        Thread.sleep(3_000);
        assertThat(answer("why")).as("since it is held").containsPattern(", for ([4-9]|\\d\\d)\\d{3} ms so far");
    }

    @Test
    void runtimeThatHasEnded_leavesTheThreadsThatGoOn() throws Exception {
        start("""
                void main() {
                    Thread.ofPlatform().daemon(false).name("lasting").start(() -> {
                        try {
                            Thread.sleep(600_000);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    IO.println("ready");
                }
                """);
        assertThat(answer("why")).contains("No runtime is left. The process goes on for 1 thread", "lasting");
    }

    @Test
    void eachCore_isShown() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                import java.util.concurrent.CountDownLatch;
                import org.trueasync.*;
                static final CountDownLatch begun = new CountDownLatch(2);
                void main() {
                    Cores.builder().count(2).run(() -> {
                        for (int i = 0; i <= 5 * Cores.current().index(); i++) spawn(() -> delay(600_000));
                        begun.countDown();
                        delay(1);
                        if (Cores.current().index() == 0) {
                            blocking(() -> {
                                begun.await();
                                return 1;
                            });
                            IO.println("ready");
                        }
                        delay(600_000);
                    });
                }
                """);
        // each core has its main and its body too
        assertThat(ask("ps").out()).containsPattern("(?m)^ *" + process.pid() + " +2 +11 +\\d+ % +");
        assertThat(answer("stats"))
                .containsPattern(
                        "(?s)Runtime 'main', .*  coroutines   3: .*Runtime 'main-core-1', .*  coroutines   8: ");
        assertThat(answer("tree"))
                .containsPattern("(?s)Runtime 'main': 3 coroutines .*\nscope 'core 0', 2 coroutines, "
                        + ".*\nRuntime 'main-core-1': 8 coroutines .*\nscope 'core 1', 7 coroutines, "
                        + ".* and 5 more alike, spawned Program.java:7, suspended Program.java:7, ");
    }

    @Test
    void library_hasASocketWhileARuntimeRuns() throws Exception {
        LauncherProcess.write(directory, "App.java", """
                import java.nio.file.*;
                import org.trueasync.Async;
                public class App {
                    public static void main(String[] args) {
                        Path sockets = Path.of(System.getenv("XDG_RUNTIME_DIR"), "trueasync");
                        Path socket = sockets.resolve(ProcessHandle.current().pid() + ".sock");
                        for (int i = 0; i < 2; i++) {
                            Async.run(() -> {
                                while (!Files.exists(socket)) Async.delay(10);
                                System.out.println("open");
                            });
                            System.out.println(Files.exists(socket) ? "left" : "gone");
                        }
                    }
                }
                """);
        LauncherProcess.compile(directory, "App.java");
        ProcessBuilder builder =
                LauncherProcess.library(directory, LauncherProcess.flagsAnd("-Dorg.trueasync.inspectable=true"), "App");
        builder.environment().put("XDG_RUNTIME_DIR", sockets.toString());
        assertThat(LauncherProcess.execute(directory, builder, ""))
                .isEqualTo(new Result(0, "open\ngone\nopen\ngone\n", ""));
    }

    @Test
    void processOfAnotherUser_isToldFromOneOfOurs() throws Exception {
        Path setpriv = Path.of("/usr/bin/setpriv");
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")) && Files.isExecutable(setpriv),
                "only root can be somebody else, by setpriv");
        process = new ProcessBuilder(setpriv.toString(), "--reuid=65534", "--clear-groups", "sleep", "600").start();
        ProcessHandle other = process.toHandle();
        while (other.info().user().orElse("root").equals("root") && other.isAlive()) Thread.sleep(10);
        Result result = ask("tree", Long.toString(other.pid()));
        assertThat(result.err())
                .isEqualTo("trueasync: process " + other.pid() + " belongs to "
                        + other.info().user().orElseThrow() + ", and only its owner can ask it\n");
        assertThat(result.status()).isEqualTo(Exit.USAGE);
    }

    @Test
    void hundredThousandCoroutines_areShown() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                void main() {
                    for (int i = 0; i < 100_000; i++) spawn(() -> delay(600_000));
                    delay(1);
                    IO.println("ready");
                }
                """);
        assertThat(answer("tree")).containsPattern("#2 and 99999 more alike, spawned Program.java:3, ");
        assertThat(answer("dump", "--json")
                        .lines()
                        .filter(line -> line.startsWith("{\"id\":"))
                        .count())
                .isEqualTo(100_000 + 1);
    }

    @Test
    void killedProcess_leavesNoSocketAfterPs() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                void main() {
                    spawn(() -> IO.println("ready"));
                    delay(600_000);
                }
                """);
        process.destroyForcibly().waitFor();
        assertThat(socket()).exists();
        assertThat(ask("ps").out()).isEqualTo("PID  RUNTIMES  COROUTINES  BUSY  STATE  PROGRAM\n");
        assertThat(socket()).doesNotExist();
    }

    @Test
    void socketOfAnEarlierProcess_isNotTakenForThatOfTheNumbersNextOne() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                void main() {
                    spawn(() -> IO.println("ready"));
                    delay(600_000);
                }
                """);
        process.destroyForcibly().waitFor();
        Path stale = socket();
        process = new ProcessBuilder("sleep", "600").start();
        Files.move(stale, socket());
        Result tree = ask("tree", Long.toString(process.pid()));
        assertThat(tree.err())
                .isEqualTo("trueasync: process " + process.pid()
                        + " has ended, or it is another one that has got the number of one that was killed\n");
        assertThat(tree.status()).isEqualTo(Exit.USAGE);
        assertThat(socket()).doesNotExist();
        Files.createFile(socket());
        assertThat(ask("ps").out()).doesNotContainPattern("(?m)^ *" + process.pid() + " ");
        assertThat(socket()).doesNotExist();
    }

    @Test
    void answerThatCannotBeWritten_isAnError() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                void main() {
                    spawn("\u540d", () -> delay(600_000));
                    spawn(() -> IO.println("ready"));
                    delay(600_000);
                }
                """);
        File full = new File("/dev/full");
        Assumptions.assumeTrue(full.exists());
        ProcessBuilder dump = LauncherProcess.starting(directory, "dump", Long.toString(process.pid()), "--json");
        dump.environment().put("XDG_RUNTIME_DIR", sockets.toString());
        Process toFull = dump.redirectOutput(full).start();
        assertThat(new String(toFull.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("trueasync: can't write the answer: ");
        assertThat(toFull.waitFor()).isEqualTo(Exit.USAGE);
        dump.environment().put("LC_ALL", "C");
        assertThat(LauncherProcess.execute(directory, dump, "").out())
                .as("JSON in whatever locale")
                .contains("\"\u540d\"");
    }

    @Test
    void statsWithWatch_comeAgainAndAgain() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                void main() {
                    spawn(() -> IO.println("ready"));
                    delay(600_000);
                }
                """);
        ProcessBuilder builder = LauncherProcess.starting(directory, "stats", Long.toString(process.pid()), "--watch");
        builder.environment().put("XDG_RUNTIME_DIR", sockets.toString());
        Process watch = builder.start();
        try (BufferedReader out = watch.inputReader(StandardCharsets.UTF_8)) {
            for (int seen = 0; seen < 3; ) {
                String line = out.readLine();
                assertThat(line).as("after %s", seen).isNotNull();
                if (line.startsWith("Runtime 'main', waiting")) seen++;
            }
            process.destroy();
            watch.waitFor();
            assertThat(watch.exitValue()).isEqualTo(Exit.FAILED);
        } finally {
            watch.destroyForcibly();
        }
    }

    @Test
    void stoppedProcess_isToldAfterABound() throws Exception {
        start("""
                import static org.trueasync.Async.*;
                void main() {
                    spawn(() -> IO.println("ready"));
                    delay(600_000);
                }
                """);
        long pid = process.pid();
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
        Result result = ask("tree", Long.toString(pid));
        assertThat(result.err())
                .isEqualTo(
                        "trueasync: process " + pid + " has not answered for 10 s: is it stopped, or out of memory?\n");
        assertThat(result.status()).isEqualTo(Exit.FAILED);
    }

    @Test
    void processWithoutASocket_isToldFromOneOfOurs() throws Exception {
        long self = ProcessHandle.current().pid();
        Result result = ask("why", Long.toString(self));
        assertThat(result.err()).startsWith("trueasync: process " + self + " has no socket: it was not started by");
        assertThat(result.status()).isEqualTo(Exit.USAGE);
    }
}
