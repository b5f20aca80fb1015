package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of the page about faults of the JDK's still show them. One that fails is good news: the JDK has mended
 * it, so its section, and what we do about it, may go.
 */
@Tag("deep")
@EnabledOnOs(OS.LINUX)
class FoundInOthersTest {
    private static final Path PAGE = Path.of("").toAbsolutePath().resolveSibling("docs/found-in-others.md");
    private static final Pattern PROGRAM = Pattern.compile(
            "(?s)```java\n((?:(?!```).)*?public class (\\w+) .*?)```\\s+```sh\n(.*?)```\\s+```text\n(.*?)```");

    // the tests that the factory returns run after it has ended
    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path directory;

    @TestFactory
    List<DynamicTest> program_showsTheFault() throws Exception {
        assumeThat(Runtime.version().feature()).as("seen with").isEqualTo(25);
        var tests = new ArrayList<DynamicTest>();
        var program = PROGRAM.matcher(Files.readString(PAGE));
        while (program.find()) {
            String name = program.group(2);
            String source = program.group(1);
            String command = program.group(3);
            String output = program.group(4);
            tests.add(dynamicTest(name, () -> {
                Files.writeString(directory.resolve(name + ".java"), source);
                assertThat(run(command)).isEqualTo(output);
            }));
        }
        assertThat(tests).hasSize(5);
        return tests;
    }

    private static String run(String command) throws Exception {
        var builder = new ProcessBuilder("bash", "-c", command)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment()
                .merge("PATH", System.getProperty("java.home") + "/bin", (path, ours) -> ours + ":" + path);
        builder.environment().remove("JDK_JAVA_OPTIONS");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
