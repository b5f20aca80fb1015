package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.launcher.LauncherProcess.Result;

/** Standard input belongs to the program, to its last byte. A closed one is the script's affair: {@link ScriptTest}. */
class InputTest {
    private static final String STREAM =
            "IO.println(new String(System.in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).replace('\\n', '|'));";
    private static final String READLN =
            "for (String line = IO.readln(); line != null; line = IO.readln()) IO.print(line + '|'); IO.println();";
    private static final String SCANNER =
            "var in = new Scanner(System.in, \"UTF-8\"); while (in.hasNextLine()) IO.print(in.nextLine() + '|'); IO.println();";

    @TempDir
    Path directory;

    @ParameterizedTest
    @Tag("deep")
    @ValueSource(strings = {STREAM, READLN, SCANNER})
    void pipedText_arrivesWhole(String reading) throws Exception {
        assertThat(run(reading, "first\nsecond\n")).isEqualTo(new Result(0, "first|second|\n", ""));
    }

    @ParameterizedTest
    @Tag("deep")
    @ValueSource(strings = {STREAM, READLN, SCANNER})
    void emptyInput_endsAtOnce(String reading) throws Exception {
        assertThat(run(reading, "")).isEqualTo(new Result(0, "\n", ""));
    }

    @Test
    void anotherCoroutine_mayReadIt() throws Exception {
        assertThat(run("await(spawn(() -> { " + READLN + " }));", "x\n")).isEqualTo(new Result(0, "x|\n", ""));
    }

    @ParameterizedTest
    @Tag("deep")
    @ValueSource(strings = {STREAM, READLN, SCANNER})
    @Tag("E42")
    void inputThatComesLate_holdsOnlyItsReader(String reading) throws Exception {
        LauncherProcess.write(directory, "Slow.java", """
                import static org.trueasync.Async.*;
                void main() throws Exception {
                    var reader = spawn(() -> { %s });
                    for (int i = 0; i < 5; i++) delay(1);
                    IO.println("ticked");
                    await(reader);
                }
                """.formatted(reading));
        Process process = LauncherProcess.start(directory, "run", "Slow.java");
        BufferedReader out = process.inputReader();
        assertThat(out.readLine()).isEqualTo("ticked");
        try (Writer in = process.outputWriter()) {
            in.write("one\n");
            in.flush();
            in.write("two\n");
        }
        assertThat(out.readLine()).isEqualTo("one|two|");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    @Tag("deep")
    @Tag("F36")
    void cancelledReader_losesNothing() throws Exception {
        LauncherProcess.write(directory, "Cancels.java", """
                import static org.trueasync.Async.*;
                void main() throws Exception {
                    var reader = spawn(() -> IO.readln());
                    delay(1);
                    reader.cancel();
                    try {
                        await(reader);
                    } catch (org.trueasync.AsyncCancellation e) {
                        IO.println("cancelled");
                    }
                    IO.println(IO.readln() + " " + IO.readln());
                    Thread.ofPlatform().start(() -> IO.println("thread: " + IO.readln())).join();
                }
                """);
        Process process = LauncherProcess.start(directory, "run", "Cancels.java");
        BufferedReader out = process.inputReader();
        assertThat(out.readLine()).isEqualTo("cancelled");
        try (Writer in = process.outputWriter()) {
            in.write("kept\nand more\nlast\n");
        }
        assertThat(out.readLine()).isEqualTo("kept and more");
        assertThat(out.readLine()).isEqualTo("thread: last");
        assertThat(process.waitFor()).isZero();
    }

    private Result run(String reading, String input) throws Exception {
        LauncherProcess.write(
                directory,
                "Reads.java",
                "import static org.trueasync.Async.*;\nvoid main() throws Exception {\n    " + reading + "\n}\n");
        return LauncherProcess.runWithInput(directory, input, "run", "Reads.java");
    }
}
