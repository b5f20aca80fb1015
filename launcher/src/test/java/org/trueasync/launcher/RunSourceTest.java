package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.launcher.LauncherProcess.Result;

/** Source programs in processes of their own: what comes out, and the exit status. */
class RunSourceTest {
    @TempDir
    Path directory;

    @Test
    void coroutines_run() throws Exception {
        Result result = run("Hello.java", """
                import static org.trueasync.Async.*;
                void main() {
                    var world = spawn(() -> { delay(10); return "world"; });
                    IO.println("hello " + await(world));
                }
                """);
        assertThat(result).isEqualTo(new Result(0, "hello world\n", ""));
    }

    @Test
    @Tag("deep")
    @Timeout(600)
    void everyFlavourOfMain_isStarted() throws Exception {
        String body = "{ IO.println(\"started\"); }";
        for (String main : List.of(
                "class Flavour { public static void main(String[] args) %s }",
                "class Flavour { static void main() throws Exception %s }",
                "class Flavour { protected void main(String[] args) throws java.io.IOException %s }",
                "void main() %s",
                "void main(String[] args) %s",
                "class Flavour extends Base {} class Base { void main() %s }")) {
            assertThat(run("Flavour.java", main.formatted(body))).as(main).isEqualTo(new Result(0, "started\n", ""));
        }
    }

    @Test
    @Tag("deep")
    void arguments_arriveUnchanged() throws Exception {
        Files.writeString(directory.resolve("file"), "expanded");
        Result result = run(
                "Args.java",
                "void main(String[] args) { for (var a : args) IO.println(\"<\" + a + \">\"); }",
                "--reactor",
                "@file",
                "",
                "*",
                "a b",
                "$HOME",
                "--",
                "äöü");
        assertThat(result.out()).isEqualTo("<--reactor>\n<@file>\n<>\n<*>\n<a b>\n<$HOME>\n<-->\n<äöü>\n");
        assertThat(result.status()).isZero();
    }

    @Test
    @Tag("deep")
    void compileError_isShownAsJavacShowsIt() throws Exception {
        Result result = run("Wrong.java", "void main() {\n    missing();\n}\n");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).isEqualTo("""
                Wrong.java:2: error: cannot find symbol
                    missing();
                    ^
                  symbol:   method missing()
                  location: class Wrong
                1 error
                """);
    }

    @Test
    @Tag("deep")
    void errorInMain_isReportedOnceWithoutPlumbing() throws Exception {
        Result result = run("Fails.java", "void main() {\n    throw new IllegalStateException(\"for once\");\n}\n");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .containsOnlyOnce("java.lang.IllegalStateException: for once")
                .contains("at Fails.main(Fails.java:2)")
                .doesNotContain("launcher", "reflect", "internal");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Thread.setDefault", "Thread.currentThread().set"})
    @Tag("deep")
    void errorInMain_goesToTheHandlerOfTheProgram_asInTheJvm(String setter) throws Exception {
        Result result = run("Fails.java", """
                void main() {
                    %sUncaughtExceptionHandler((thread, error) -> {
                        IO.println(thread.getName() + " failed: " + error.getMessage());
                        System.exit(42);
                    });
                    throw new IllegalStateException("for once");
                }
                """.formatted(setter));
        assertThat(result).isEqualTo(new Result(42, "main failed: for once\n", ""));
    }

    @Test
    @Tag("deep")
    void checkedErrorInCoroutine_givesStatus1() throws Exception {
        Result result = run("Fails.java", """
                import static org.trueasync.Async.*;
                void main() {
                    spawn(() -> { throw new java.io.IOException("lost"); });
                    delay(20);
                }
                """);
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("java.io.IOException: lost", "Fails.java:3");
    }

    @Test
    @Tag("deep")
    void deadlock_isReportedWithLines() throws Exception {
        Result result = run("Dead.java", """
                import static org.trueasync.Async.*;
                import org.trueasync.*;
                void main() {
                    var never = new FutureState<String>().future();
                    spawn(() -> { suspend(); try { await(never); } finally { IO.println("cleaned up"); } });
                    IO.println("main ends");
                }
                """);
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).isEqualTo("main ends\ncleaned up\n");
        assertThat(result.err()).contains("org.trueasync.DeadlockError: ", "Dead.java:5");
    }

    @Test
    @Tag("deep")
    void nonDaemonThread_isWaitedFor() throws Exception {
        Result result = run("Threads.java", """
                void main() {
                    Thread.ofPlatform().daemon(false).start(() -> {
                        try { Thread.sleep(300); } catch (InterruptedException e) { }
                        IO.println("thread ended");
                    });
                }
                """);
        assertThat(result).isEqualTo(new Result(0, "thread ended\n", ""));
    }

    @Test
    @Tag("deep")
    void compiledClasses_areRemoved() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("temporary"));
        LauncherProcess.write(directory, "Hello.java", "void main() { IO.println(\"here\"); System.exit(3); }");
        List<String> flags = LauncherProcess.flagsAnd("-Djava.io.tmpdir=" + temporary);
        assertThat(LauncherProcess.run(directory, flags, "run", "Hello.java").status())
                .isEqualTo(3);
        try (var left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
    }

    private Result run(String name, String source, String... arguments) throws Exception {
        LauncherProcess.write(directory, name, source);
        String[] all = new String[arguments.length + 2];
        all[0] = "run";
        all[1] = name;
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return LauncherProcess.run(directory, all);
    }
}
