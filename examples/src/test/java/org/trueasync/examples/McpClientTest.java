package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code trueasync mcp}, asked by the protocol's own Java client about a program that waits for ever. */
@Tag("deep")
class McpClientTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String PROGRAM = """
            import static org.trueasync.Async.*;
            import org.trueasync.*;
            void main() {
                begin();
                IO.println("ready");
                delay(600_000);
            }
            void begin() {
                var orders = new Channel<String>();
                spawn("clerk", () -> { orders.receive(); });
            }
            """;

    @TempDir
    Path directory;

    private List<String> command(String... words) {
        var command = new ArrayList<>(List.of(
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "org.trueasync.launcher.Main"));
        command.addAll(List.of(words));
        return command;
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }

    private static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
    }

    @Test
    void client_seesWhoWaits() throws Exception {
        Files.writeString(directory.resolve("Office.java"), PROGRAM);
        var run = new ArrayList<>(command("run", "Office.java"));
        run.addFirst(JAVA);
        ProcessBuilder builder =
                new ProcessBuilder(run).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
        builder.environment().put("TRUEASYNC_CACHE", "off");
        Process office = builder.start();
        var server = ServerParameters.builder(JAVA)
                .args(command("mcp"))
                .addEnvVar("XDG_RUNTIME_DIR", directory.toString())
                .build();
        try (BufferedReader out = office.inputReader(StandardCharsets.UTF_8);
                McpSyncClient client = McpClient.sync(new StdioClientTransport(server, McpJsonDefaults.getMapper()))
                        .requestTimeout(Duration.ofSeconds(60))
                        .initializationTimeout(Duration.ofSeconds(60))
                        .build()) {
            assertThat(out.readLine()).isEqualTo("ready");
            Path socket = directory.resolve("trueasync/" + office.pid() + ".sock");
            for (int i = 0; i < 1_000 && !Files.exists(socket); i++) Thread.sleep(20);
            assertThat(client.initialize().serverInfo().name()).isEqualTo("trueasync");
            client.ping();
            assertThat(client.listTools().tools()).extracting(Tool::name).contains("ps", "tree", "why", "explain");
            Map<String, Object> pid = Map.of("pid", office.pid());
            assertThat(text(call(client, "ps", Map.of()))).contains(office.pid() + " ", "Office.java");
            assertThat(text(call(client, "tree", pid))).contains("'clerk'", "awaits receive from channel");
            assertThat(text(call(client, "why", pid))).contains("main has not returned");
            assertThat(text(call(client, "stats", pid))).contains("coroutines   2: ");
            assertThat(text(call(client, "stuck", pid)))
                    .contains("1 coroutine is stuck", "trueasync explain stuck-coroutine");
            assertThat(text(call(client, "dump", pid))).contains("Office.java");
            String recorded = text(call(client, "record", pid));
            assertThat(recorded).startsWith("Written to ").contains("main: ", " turns in ");
            Path box = Path.of(recorded.lines().findFirst().orElseThrow().substring("Written to ".length()));
            assertThat(Files.readAllLines(box)).last().isEqualTo("complete");
            Files.delete(box);
            assertThat(text(call(client, "explain", Map.of("word", "stuck-coroutine"))))
                    .contains("Way out: ");
            office.destroyForcibly().waitFor();
            CallToolResult gone = call(client, "tree", pid);
            assertThat(gone.isError()).isTrue();
            assertThat(text(gone)).isEqualTo("there is no process " + office.pid());
        } finally {
            office.destroyForcibly();
        }
    }
}
