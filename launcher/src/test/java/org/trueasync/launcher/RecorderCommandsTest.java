package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.launcher.LauncherProcess.Result;

/** The flight recorder's commands, as the guide has them, bring what the guide says. */
@Tag("deep")
class RecorderCommandsTest {
    private static final Path PAGE =
            Path.of("").toAbsolutePath().resolveSibling("docs").resolve("guide").resolve("seeing.md");

    @TempDir
    Path directory;

    private Process program;

    @AfterEach
    void end() {
        if (program != null) program.destroyForcibly();
    }

    private static List<String> commands() throws Exception {
        Matcher block = Pattern.compile("(?ms)^```sh\\R(.*?)^```$").matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        return block.group(1).lines().toList();
    }

    @Test
    void recordingOfTheGuide_hasSuspensionsAndResumptions() throws Exception {
        LauncherProcess.write(directory, "Busy.java", """
                import static org.trueasync.Async.*;
                void main() {
                    IO.println("ready");
                    while (true) delay(5);
                }
                """);
        Path out = directory.resolve("printed");
        program = LauncherProcess.starting(directory, "run", "Busy.java")
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.readString(out).contains("ready")) {
            assertThat(System.nanoTime()).as(Files.readString(out)).isLessThan(limit);
            Thread.sleep(20);
        }
        List<String> commands = commands();
        assertThat(commands).hasSize(3);
        Result result = null;
        for (String command : commands) {
            String patient = command.replace("jcmd ", "jcmd -J-Dsun.tools.attach.attachTimeout=100000 ");
            result = shell(patient.replace("<pid>", Long.toString(program.pid())));
            assertThat(result.status()).as(command + ": " + result).isZero();
        }
        assertThat(result.out())
                .contains(
                        "org.trueasync.CoroutineSuspend {",
                        "org.trueasync.CoroutineResume {",
                        "timer 5 ms",
                        "Busy.main");
    }

    private Result shell(String command) throws Exception {
        var builder = new ProcessBuilder("sh", "-c", command).redirectInput(new File("/dev/null"));
        String tools = Path.of(System.getProperty("java.home"), "bin").toString();
        builder.environment().merge("PATH", tools, (old, jdk) -> jdk + File.pathSeparator + old);
        return LauncherProcess.execute(directory, builder, "");
    }
}
