package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/**
 * A loop that is held for ever ends the command, with the report; a library can only report it, where the caller's own
 * thread is the loop.
 */
@Tag("deep")
@Tag("K56")
class HeldDeadlockOfTheCommandTest {
    @TempDir
    Path directory;

    private static final String CLASS_LOADER = """
            import static org.trueasync.Async.*;
            class Main {
                static final Object file = new Object(); static volatile boolean asks;
                static class Loader extends ClassLoader {
                    static { registerAsParallelCapable(); }
                    Loader() { super(null); }
                    @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
                        synchronized (file) { throw new ClassNotFoundException(name); }
                    }
                }
                public static void main(String[] arguments) throws Exception {
                    var loader = new Loader();
                    var reads = new java.util.concurrent.CountDownLatch(1);
                    Thread.ofPlatform().daemon().start(() -> {
                        synchronized (file) { reads.countDown(); try { while (!asks) Thread.sleep(1); Thread.sleep(300); } catch (InterruptedException e) {} }
                    });
                    reads.await();
                    var byHand = spawn(() -> loader.loadClass("X"));
                    var byTheVm = spawn(() -> { asks = true; return Class.forName("X", false, loader); });
                    await(byHand);
                    await(byTheVm);
                }
            }
            """;

    private static final String INITIALISER = """
            import static org.trueasync.Async.*;
            class Main {
                static final Object monitor = new Object();
                static class Late { static final int VALUE; static { synchronized (monitor) { VALUE = 1; } } }
                public static void main(String[] arguments) throws Exception {
                    spawn(() -> { synchronized (monitor) { delay(2_000); } });
                    suspend();
                    System.out.println(Late.VALUE);
                }
            }
            """;

    private Result run(String program) throws Exception {
        LauncherProcess.write(directory, "Main.java", program);
        return LauncherProcess.run(
                directory,
                List.of(
                        "--add-opens",
                        "java.base/java.lang=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dorg.trueasync.deadlockAfter=400"),
                "run",
                "--held-loop-after",
                "off",
                "Main.java");
    }

    @Test
    void classLoadingLockOfASuspendedCoroutine_endsTheCommandWithTheReport() throws Exception {
        Result result = run(CLASS_LOADER);
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("Deadlock: loop 'main' is held for ever by coroutine #")
                .containsSubsequence(
                        " spawned Main.java:19 wants the class loading lock java.lang.Object@",
                        "java.lang.Class.forName0(Native Method)",
                        "Main.java:18 holds it, and can't run",
                        "Main$Loader.findClass(Main.java:8)",
                        "Way out: load the class once before");
    }

    @Test
    void monitorOfASuspendedCoroutine_wantedInAnInitialiser_endsTheCommandWithTheReport() throws Exception {
        Result result = run(INITIALISER);
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("Deadlock: loop 'main' is held for ever by the main coroutine, #")
                .containsSubsequence(
                        " wants java.lang.Object@",
                        "Main$Late.<clinit>(Main.java:4)",
                        "Main.java:6 holds it, and can't run",
                        "Main.java:6",
                        "Way out: use the class once before");
    }
}
