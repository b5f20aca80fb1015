package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs whose output nobody reads for a while. */
@Tag("deep")
@Tag("E42")
class FullPipeTest {
    private static final int LINES = 20_000;

    @TempDir
    private Path directory;

    private Process start(String program) throws Exception {
        LauncherProcess.write(directory, "Prints.java", program);
        return LauncherProcess.start(directory, "run", "Prints.java");
    }

    private static void readAll(BufferedReader out) throws Exception {
        for (int i = 0; i < LINES; i++) assertThat(out.readLine()).isEqualTo("line " + i);
    }

    @Test
    void whileOneWaitsToPrint_theOthersRun() throws Exception {
        Process process = start("""
                import static org.trueasync.Async.*;
                void main() {
                    var printer = spawn(() -> { for (int i = 0; i < 20_000; i++) System.out.println("line " + i); });
                    while (!printer.isSuspended()) delay(1);
                    for (int i = 0; i < 20; i++) delay(1);
                    System.err.println("others run: " + printer.isSuspended());
                }
                """);
        try (BufferedReader out = process.inputReader();
                BufferedReader err = process.errorReader()) {
            assertThat(err.readLine()).isEqualTo("others run: true");
            readAll(out);
            assertThat(out.readLine()).isNull();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void whatWasPrintedBeforeAnExit_isOut() throws Exception {
        Process process = start("""
                void main() {
                    for (int i = 0; i < 20_000; i++) IO.println("line " + i);
                    System.exit(3);
                }
                """);
        try (BufferedReader out = process.inputReader()) {
            readAll(out);
            assertThat(out.readLine()).isNull();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(3);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void whatWasPrintedBeforeAnError_isOutBeforeItsReport() throws Exception {
        Process process = start("""
                void main() {
                    for (int i = 0; i < 20_000; i++) System.err.println("line " + i);
                    throw new IllegalStateException("the end");
                }
                """);
        try (BufferedReader err = process.errorReader()) {
            readAll(err);
            assertThat(err.readLine()).contains("the end");
            err.transferTo(java.io.Writer.nullWriter());
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
        } finally {
            process.destroyForcibly();
        }
    }
}
