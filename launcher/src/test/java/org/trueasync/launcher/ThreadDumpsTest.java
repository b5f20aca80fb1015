package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;
import org.trueasync.spi.ReactorProvider;

/**
 * SIGQUIT under the command gives both dumps, the JVM's and ours, and goes on opening the JVM's door for {@code jcmd}.
 */
@Tag("deep")
class ThreadDumpsTest {
    private static final long TIME_LIMIT_SECONDS = 60;
    private static final String JVMS_DUMP = "Full thread dump";
    private static final String DUMP = "Runtime 'main': ";
    private static final String HELD = "Loop 'main' is held by ";
    private static final String NO_ANSWER = "Runtime 'main' has not answered within ";

    @TempDir
    Path directory;

    private Process process;
    private int signals;
    private File out;
    private File err;

    @BeforeEach
    void requireLibuv() throws Exception {
        assumeTrue(
                ReactorProvider.installed().stream()
                        .anyMatch(provider -> provider.name().equals("libuv") && provider.unavailableBecause() == null),
                "libuv is not installed");
        out = directory.resolve("out").toFile();
        err = directory.resolve("err").toFile();
        LauncherProcess.write(directory, "Waits.java", """
                import static org.trueasync.Async.*;
                void main() {
                    spawn(() -> delay(600_000));
                    IO.println("ready");
                }
                """);
        LauncherProcess.write(directory, "Holds.java", """
                import static org.trueasync.Async.*;
                void main() {
                    await(spawn(() -> {
                        IO.println("ready");
                        while (true) Thread.onSpinWait();
                    }));
                }
                """);
    }

    @AfterEach
    void end() {
        if (process != null) process.destroyForcibly();
    }

    private void start(String program) throws Exception {
        start(program, Map.of());
    }

    private void start(String program, Map<String, String> environment) throws Exception {
        var builder = LauncherProcess.starting(directory, "run", "--held-loop-after", "off", program);
        builder.environment().putAll(environment);
        process = builder.redirectInput(new File("/dev/null"))
                .redirectOutput(out)
                .redirectError(err)
                .start();
        await(out, text -> text.contains("ready"));
        // the listener begins beside the program; its thread is there when the signal is ours
        awaitListener();
    }

    private void awaitListener() throws Exception {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIME_LIMIT_SECONDS);
        while (!hasThread("trueasync-quit")) {
            assertThat(System.nanoTime()).as("no listener").isLessThan(limit);
            Thread.sleep(20);
        }
    }

    private boolean hasThread(String name) throws Exception {
        File[] threads = new File("/proc/" + process.pid() + "/task").listFiles();
        if (threads == null) return true; // elsewhere the start has to be waited for otherwise
        for (File thread : threads) {
            try {
                if (Files.readString(thread.toPath().resolve("comm")).strip().equals(name)) return true;
            } catch (java.io.IOException ended) {
                continue;
            }
        }
        return false;
    }

    private void quit() throws Exception {
        assertThat(new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /**
     * Signals until the dump with this number has come. On a busy machine the loop may not answer within the second
     * that it is given; that is told instead.
     */
    private String dump(int number) throws Exception {
        while (true) {
            quit();
            int reports = ++signals;
            String text = await(err, now -> times(DUMP, now) + times(HELD, now) + times(NO_ANSWER, now) == reports);
            if (times(DUMP, text) == number) return text;
        }
    }

    private String await(File file, Predicate<String> expected) throws Exception {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIME_LIMIT_SECONDS);
        while (true) {
            String text = file.exists() ? Files.readString(file.toPath()) : "";
            if (expected.test(text)) return text;
            assertThat(process.isAlive()).as(text).isTrue();
            assertThat(System.nanoTime()).as(text).isLessThan(limit);
            Thread.sleep(20);
        }
    }

    private Result jcmd(String command) throws Exception {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        // by default it signals once more after 5 s, and gives up after 10
        String patient = "-J-Dsun.tools.attach.attachTimeout=100000";
        var call = new ProcessBuilder(jcmd, patient, String.valueOf(process.pid()), command);
        return LauncherProcess.execute(directory, call, "");
    }

    private static int times(String part, String text) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void eachSignal_givesBothDumps() throws Exception {
        start("Waits.java");
        for (int i = 1; i <= 3; i++) {
            String ours = dump(i);
            await(out, text -> times(JVMS_DUMP, text) == signals);
            assertThat(ours).contains("main scope, 1 coroutine", "Waits.java:3", "awaits timer 600000 ms");
        }
    }

    @Test
    void jcmd_goesOnWorking_andPrintsNothingIntoTheProgramsStreams() throws Exception {
        start("Waits.java");
        for (int i = 0; i < 2; i++) {
            Result threads = jcmd("Thread.print");
            assertThat(threads.status()).as(threads.err()).isZero();
            assertThat(threads.out()).contains(JVMS_DUMP);
        }
        assertThat(Files.readString(err.toPath())).isEmpty();
        dump(1);
    }

    @Test
    void jcmdsDump_hasTheNamesOfCoroutines_ifTheJvmIsToKnowAllThreads() throws Exception {
        LauncherProcess.write(directory, "Named.java", """
                import static org.trueasync.Async.*;
                void main() {
                    spawn("indexer", () -> delay(600_000));
                    spawn("mailer", () -> Thread.sleep(600_000));
                    suspend();
                    IO.println("ready");
                }
                """);
        start("Named.java", Map.of("JDK_JAVA_OPTIONS", "-Djdk.trackAllThreads=true"));
        Path dump = directory.resolve("threads.json");
        Result written = jcmd("Thread.dump_to_file -format=json " + dump);
        assertThat(written.status()).as(written.err()).isZero();
        assertThat(Files.readString(dump)).contains("\"name\": \"indexer\"", "\"name\": \"mailer\"");
    }

    @Test
    void processWithoutAgent_hasNoManagementServer_andOneWithAnAgentShowsTheRuntime() throws Exception {
        LauncherProcess.write(directory, "Managed.java", """
                import static org.trueasync.Async.*;
                import javax.management.*;
                void main() throws Exception {
                    delay(2_000);
                    IO.println("ready, " + MBeanServerFactory.findMBeanServer(null).size() + " servers");
                    while (MBeanServerFactory.findMBeanServer(null).isEmpty()) delay(20);
                    MBeanServer server = MBeanServerFactory.findMBeanServer(null).getFirst();
                    while (server.queryNames(new ObjectName("org.trueasync:*"), null).isEmpty()) delay(20);
                    ObjectName name = server.queryNames(new ObjectName("org.trueasync:*"), null).iterator().next();
                    IO.println(name + " " + blocking(() -> server.getAttribute(name, "Stats").toString().contains("lagMillis")));
                    delay(600_000); // jcmd wants its answer
                }
                """);
        start("Managed.java");
        assertThat(Files.readString(out.toPath())).contains("ready, 0 servers");
        Result agent = jcmd("ManagementAgent.start_local");
        assertThat(agent.status()).as(agent.err()).isZero();
        await(out, text -> text.contains("org.trueasync:type=Runtime,name=main true"));
    }

    @Test
    void heldLoop_isNoObstacle() throws Exception {
        start("Holds.java");
        Result threads = jcmd("Thread.print");
        assertThat(threads.status()).as(threads.err()).isZero();
        assertThat(threads.out()).contains(JVMS_DUMP);
        quit();
        await(out, text -> text.contains(JVMS_DUMP));
        assertThat(await(err, text -> text.contains("Way out:")))
                .startsWith(HELD + "coroutine #")
                .contains("Holds.java:5");
    }

    @Test
    void reducedSignals_areLeftAlone() throws Exception {
        LauncherProcess.write(directory, "Short.java", "void main() { IO.println(\"done\"); }");
        List<String> flags = LauncherProcess.flagsAnd("-Xrs");
        Result result = LauncherProcess.run(directory, flags, "run", "Short.java");
        assertThat(result).isEqualTo(new Result(0, "done\n", ""));
    }
}
