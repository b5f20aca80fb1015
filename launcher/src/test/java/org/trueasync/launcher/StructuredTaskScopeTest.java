package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.launcher.LauncherProcess.Result;

/** The JDK's StructuredTaskScope, a preview, inside coroutines: in a JVM of its own, as it needs a flag. */
@Tag("deep")
class StructuredTaskScopeTest {
    @TempDir
    Path directory;

    /** Forks are the JDK's threads, or coroutines; {@code pause} waits in the way of either. */
    private static final String PROGRAM = """
            import static org.trueasync.Async.*;
            import java.time.Duration;
            import java.util.concurrent.*;
            import java.util.concurrent.StructuredTaskScope.Joiner;
            import org.trueasync.*;

            public class Forks {
                static final ScopedValue<String> USER = ScopedValue.newInstance();
                static boolean coroutines;
                static int plain; // changed by all forks, which share a thread

                static StructuredTaskScope<Object, Void> open() {
                    return open(Duration.ofMinutes(5));
                }

                static StructuredTaskScope<Object, Void> open(Duration limit) {
                    return StructuredTaskScope.open(Joiner.awaitAllSuccessfulOrThrow(), settings -> {
                        var limited = settings.withTimeout(limit);
                        return coroutines ? limited.withThreadFactory(threadFactory()) : limited;
                    });
                }

                static void pause(int millis) throws InterruptedException {
                    if (coroutines) delay(millis);
                    else Thread.sleep(millis);
                }

                static Object waits(String name) throws InterruptedException {
                    try {
                        pause(60_000);
                        return name;
                    } finally {
                        System.out.println(name + " ended");
                    }
                }

                public static void main(String[] args) {
                    coroutines = args.length > 0;
                    Async.run(Forks::body);
                }

                static void body() throws Exception {
                    ScopedValue.where(USER, "ann").call(() -> {
                        try (var scope = open()) {
                            var name = scope.fork(() -> {
                                pause(5);
                                return USER.get();
                            });
                            for (int i = 0; i < 1_000; i++) scope.fork(() -> {
                                int before = plain;
                                for (int spin = 0; spin < 100; spin++) Thread.onSpinWait();
                                plain = before + 1;
                                pause(1);
                                return 0;
                            });
                            scope.join();
                            System.out.println(name.get() + " " + plain);
                        }
                        return 0;
                    });
                    try (var scope = open()) {
                        scope.fork(() -> waits("sibling"));
                        scope.fork(() -> {
                            pause(20);
                            throw new IllegalStateException("bad");
                        });
                        scope.join();
                    } catch (StructuredTaskScope.FailedException e) {
                        System.out.println(e.getCause().getMessage());
                    }
                    try (var scope = open(Duration.ofMillis(50))) {
                        scope.fork(() -> waits("late"));
                        scope.join();
                    } catch (StructuredTaskScope.TimeoutException e) {
                        System.out.println("timeout");
                    }
                    Coroutine<?> owner = spawn(() -> {
                        try (var scope = open()) {
                            scope.fork(() -> waits("fork of the owner"));
                            scope.join();
                        }
                    });
                    delay(50);
                    owner.cancel();
                    try {
                        owner.await();
                    } catch (AsyncCancellation e) {
                        System.out.println("owner cancelled");
                    }
                    System.out.println(runtimeStats().coroutines() + " coroutine");
                    try (var scope = open()) {
                        var inner = scope.fork(() -> spawn(() -> "spawned in a fork").await());
                        scope.join();
                        System.out.println(inner.get());
                    } catch (StructuredTaskScope.FailedException e) {
                        System.out.println(e.getCause().getClass().getSimpleName());
                    }
                }
            }
            """;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scopeOfTheJdk_worksInACoroutine(boolean coroutines) throws Exception {
        assumeTrue(Runtime.version().feature() < 28, "it is final there, and its names may be others");
        LauncherProcess.write(directory, "Forks.java", PROGRAM);
        LauncherProcess.compile(
                directory,
                "Forks.java",
                "--enable-preview",
                "--release",
                "" + Runtime.version().feature());
        String[] arguments = coroutines ? new String[] {"coroutines"} : new String[0];
        List<String> flags = LauncherProcess.flagsAnd("--enable-preview");
        Result result = LauncherProcess.runAsLibrary(directory, flags, "Forks", arguments);
        assertThat(result.out()).as(result.err()).isEqualTo("""
                ann 1000
                sibling ended
                bad
                late ended
                timeout
                fork of the owner ended
                owner cancelled
                1 coroutine
                %s
                """.formatted(
                        coroutines ? "spawned in a fork" : "AsyncException"));
        assertThat(result.status()).isZero();
    }
}
