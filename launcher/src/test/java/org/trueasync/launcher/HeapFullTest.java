package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trueasync.launcher.LauncherProcess.Result;

/**
 * Programs that fill the heap to the last byte, in processes of their own: the run ends, with a status and a line of
 * text.
 */
@Tag("deep")
@Tag("K67")
class HeapFullTest {
    private static final String PROGRAM = """
            import static org.trueasync.Async.*;
            import org.trueasync.*;

            public class Filler {
                static Object[] held;
                static byte[] slack;

                static OutOfMemoryError fill() {
                    OutOfMemoryError last = null;
                    for (int size : new int[] {1 << 20, 1 << 13, 1 << 6, 2}) {
                        try {
                            while (true) {
                                Object[] next = new Object[size];
                                next[0] = held;
                                held = next;
                            }
                        } catch (OutOfMemoryError e) {
                            last = e; // smaller ones still fit
                        }
                    }
                    slack = null;
                    return last;
                }

                public static void main(String[] arguments) throws Throwable {
                    slack = new byte[Integer.parseInt(arguments[1])];
                    spawn(() -> {
                        try {
                            delay(3_600_000);
                        } finally {
                            delay(1);
                        }
                    });
                    switch (arguments[0]) {
                        case "main" -> throw fill();
                        case "finally" -> spawn(() -> delay(1)).onFinally(c -> {
                            throw fill();
                        });
                        case "scope" -> {
                            var scope = new Scope();
                            scope.onFinally(s -> {
                                throw fill();
                            });
                            scope.spawn(() -> delay(1));
                            scope.close();
                        }
                        case "launched" -> launch(() -> {
                            throw fill();
                        });
                    }
                    delay(3_600_000);
                }
            }
            """;

    @TempDir
    static Path directory;

    @BeforeAll
    static void compile() throws Exception {
        LauncherProcess.write(directory, "Filler.java", PROGRAM);
        LauncherProcess.compile(directory, "Filler.java");
    }

    @ParameterizedTest
    @CsvSource({"main,0,libuv", "main,2000,nio", "finally,0,libuv", "finally,100,nio", "scope,0,nio", "launched,0,libuv"
    })
    void heapFull_runEndsWithTheError(String where, String slack, String reactor) throws Exception {
        List<String> flags = LauncherProcess.flagsAnd("-Xmx24m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        Result result = LauncherProcess.run(
                directory,
                flags,
                "run",
                "--reactor",
                reactor,
                "--shutdown-timeout",
                "3",
                "-cp",
                directory.toString(),
                "Filler",
                where,
                slack);
        // before it may stand who could not be told to end, as that takes memory too, and what the JVM itself has met,
        // which it may be unable to finish: then the error follows on the same line
        assertThat(result.err()
                        .lines()
                        .map(line -> line.replaceFirst("^(Exception in thread \"\" )+", ""))
                        .filter(line -> !line.matches("\\s.*")
                                && !line.contains(" abandoned, as ")
                                && !line.startsWith("java.lang.OutOfMemoryError")))
                .first()
                .isIn(
                        "Unhandled java.lang.OutOfMemoryError: Java heap space",
                        "Unhandled java.lang.OutOfMemoryError",
                        // a call site of the program or of ours that had not been linked before
                        "Unhandled java.lang.BootstrapMethodError: bootstrap method initialization exception",
                        "trueasync: the program failed, and no memory is left to say how; give the JVM more with -Xmx");
        assertThat(result.err()).doesNotContain("IllegalStateException");
        assertThat(result.status()).isEqualTo(1);
    }
}
