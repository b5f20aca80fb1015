package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The protocol, message by message. A client of others talks to it in {@code McpClientTest}. */
class McpServerTest {
    private static List<Map<?, ?>> answers(String... messages) throws IOException {
        var out = new ByteArrayOutputStream();
        byte[] in = (String.join("\n", messages) + "\n").getBytes(StandardCharsets.UTF_8);
        McpServer.serve(new ByteArrayInputStream(in), out);
        var answers = new ArrayList<Map<?, ?>>();
        for (String line : out.toString(StandardCharsets.UTF_8).split("\n"))
            if (!line.isEmpty()) answers.add((Map<?, ?>) Json.parse(line));
        for (Map<?, ?> answer : answers) assertThat(answer.get("jsonrpc")).isEqualTo("2.0");
        return answers;
    }

    private static String request(String method, String parameters) {
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + parameters + "}";
    }

    private static Object result(String method, String parameters) throws IOException {
        Map<?, ?> answer = answers(request(method, parameters)).getFirst();
        assertThat(answer.get("id")).isEqualTo(7L);
        assertThat(answer.get("error")).isNull();
        return answer.get("result");
    }

    private static Map<?, ?> error(String message) throws IOException {
        List<Map<?, ?>> answers = answers(message);
        assertThat(answers).hasSize(1);
        return (Map<?, ?>) answers.getFirst().get("error");
    }

    @Test
    void initialize_agreesOnAVersion() throws Exception {
        for (String version : List.of("2025-06-18", "2024-11-05"))
            assertThat(result("initialize", "{\"protocolVersion\":\"" + version + "\"}"))
                    .extracting("protocolVersion", "capabilities")
                    .containsExactly(version, Map.of("tools", Map.of()));
        assertThat(result("initialize", "{\"protocolVersion\":\"2099-01-01\"}"))
                .extracting("protocolVersion")
                .isEqualTo("2025-06-18");
        assertThat(result("ping", "{}")).isEqualTo(Map.of());
    }

    @Test
    void ids_comeBackAsTheyWere_andNotificationsHaveNoAnswer() throws Exception {
        assertThat(answers(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                        "",
                        "{\"jsonrpc\":\"2.0\",\"id\":\"ä\\n\",\"method\":\"ping\"}",
                        "{\"jsonrpc\":\"2.0\",\"method\":\"nonsense\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}"))
                .singleElement()
                .extracting("id")
                .isEqualTo("ä\n");
    }

    @Test
    void tools_areListed_andAllButRecordOnlyRead() throws Exception {
        var tools = (List<?>) ((Map<?, ?>) result("tools/list", "{}")).get("tools");
        assertThat(tools)
                .extracting("name")
                .containsExactly("ps", "tree", "why", "stats", "stuck", "dump", "record", "explain");
        for (Object tool : tools)
            assertThat(tool)
                    .extracting("annotations")
                    .isEqualTo(Map.of(
                            "readOnlyHint", !((Map<?, ?>) tool).get("name").equals("record")));
        assertThat(tools.get(1))
                .extracting("inputSchema")
                .isEqualTo(Map.of(
                        "type",
                        "object",
                        "properties",
                        Map.of("pid", Map.of("type", "integer")),
                        "required",
                        List.of("pid")));
    }

    @Test
    void explain_answersWithASection() throws Exception {
        assertThat(result("tools/call", "{\"name\":\"explain\",\"arguments\":{\"word\":\"held-loop\"}}"))
                .isEqualTo(Map.of(
                        "content",
                        List.of(Map.of("type", "text", "text", Explain.text("held-loop"))),
                        "isError",
                        false));
        assertThat(result("tools/call", "{\"name\":\"explain\"}").toString()).contains("wait-cycle");
        assertThat(result("tools/call", "{\"name\":\"explain\",\"arguments\":{\"word\":\"x\"}}"))
                .extracting("isError")
                .isEqualTo(true);
    }

    @Test
    void processThatCannotBeAsked_isAnErrorOfTheTool() throws Exception {
        for (String tool : List.of("tree", "record"))
            assertThat(result(
                            "tools/call",
                            "{\"name\":\"" + tool + "\",\"arguments\":{\"pid\":"
                                    + ProcessHandle.current().pid() + "}}"))
                    .extracting("isError")
                    .isEqualTo(true);
    }

    @Test
    void summaryOfARecord_saysWhatTookLongest(@TempDir Path directory) throws Exception {
        Path box = Files.writeString(directory.resolve("a.box"), """
                trueasync-black-box 1\t12\t2026-11-30T00:00:00Z\tasked
                pause\t-9000000000\t-8000000000\tG1
                runtime\tmain
                held\t-900000000\t-870000000\treport\tstack
                held\t-800000000\t-790000000\tother\tstack
                request\t-400000000\t-100000000\tGET /\ttext
                run\t-2500000000\t1
                run\t-1000\t1
                runtime\tsecond
                complete
                """);
        assertThat(Records.summary(box)).isEqualTo("""
                main: 2 turns in 2500 ms
                  held turns: 2, longest 30 ms: report
                  ended requests: 1, longest 300 ms: GET /
                second: 0 turns in 0 ms
                """);
    }

    @Test
    void longAnswer_isCutAndSaysSo() throws Exception {
        Inspected process = new Inspected() {
            @Override
            public long pid() {
                return 12;
            }

            @Override
            public void ask(String question, Consumer<String> lines) {
                for (int i = 0; i < (question.equals("tree") ? 1_000 : 1_001); i++) lines.accept("x".repeat(99));
            }

            @Override
            public boolean hasEnded() {
                return false;
            }
        };
        assertThat(McpTools.ask(process, "tree")).hasSize(99_999).doesNotContain("cut");
        assertThat(McpTools.ask(process, "dump"))
                .hasLineCount(1_001)
                .endsWith("\n... cut after 100000 characters of 100100: trueasync dump 12 shows all");
    }

    @Test
    void wrongMessages_areRefusedByTheirKind() throws Exception {
        assertThat(error("{x}")).extracting("code").isEqualTo(-32700L);
        assertThat(error("[" + request("ping", "{}") + "]")).extracting("code").isEqualTo(-32600L);
        assertThat(error("{\"id\":1,\"method\":\"ping\"}"))
                .isEqualTo(Map.of("code", -32600L, "message", "jsonrpc must be \"2.0\""));
        assertThat(error("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}"))
                .extracting("code")
                .isEqualTo(-32600L);
        assertThat(error("{\"jsonrpc\":\"2.0\",\"id\":1}")).extracting("code").isEqualTo(-32600L);
        assertThat(error(request("resources/list", "{}"))).extracting("code").isEqualTo(-32601L);
        assertThat(error(request("tools/call", "{\"name\":\"kill\"}")))
                .isEqualTo(Map.of("code", -32602L, "message", "unknown tool kill"));
        for (String pid : List.of("\"1\"", "-1", "1.5", "null", "{}"))
            assertThat(error(request("tools/call", "{\"name\":\"why\",\"arguments\":{\"pid\":" + pid + "}}")))
                    .isEqualTo(Map.of("code", -32602L, "message", "pid must be the number of a process"));
    }
}
