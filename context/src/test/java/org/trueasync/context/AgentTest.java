package org.trueasync.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenTelemetry's Java agent over a program on coroutines: {@link TracedServices}. */
@Tag("deep")
class AgentTest {
    /** A span as the agent's exporter for the console writes it: its trace, itself, its kind, what has made it. */
    private static final Pattern SPAN = Pattern.compile("' : ([0-9a-f]{32}) [0-9a-f]{16} (\\w+) \\[tracer: ([^:\\]]+)");

    @TempDir
    Path folder;

    @Test
    void requestOverCoroutinesServicesAndADatabase_isOneTrace() throws Exception {
        Path output = folder.resolve("output");
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:"
                                + Path.of("target/agent/opentelemetry-javaagent.jar")
                                        .toAbsolutePath(),
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-Dotel.traces.exporter=logging",
                        "-Dotel.metrics.exporter=none",
                        "-Dotel.logs.exporter=none",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        TracedServices.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(program.waitFor(120, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            program.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(text).contains("answer 20");
        List<MatchResult> spans = SPAN.matcher(text).results().toList();
        assertThat(spans.stream().map(span -> span.group(1)).distinct())
                .as("traces in %s", text)
                .hasSize(1);
        assertThat(spans.stream().filter(span -> span.group(2).equals("SERVER")))
                .hasSize(11);
        assertThat(spans.stream().filter(span -> span.group(3).endsWith("java-http-client")))
                .hasSize(11);
        assertThat(spans.stream().filter(span -> span.group(3).endsWith("jdbc")))
                .hasSize(20);
    }
}
