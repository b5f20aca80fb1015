package org.trueasync.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.JsonWriter;

/**
 * Lets a program look into running processes of this user by the Model Context Protocol: JSON-RPC 2.0, a message on
 * each line of the standard streams. It changes none of them: what it can do is what {@code ps} to {@code dump} do, and
 * {@code record}.
 *
 * <p>Source: modelcontextprotocol.io, specification of 2025-06-18.
 */
final class McpServer {
    private static final String VERSION = "2025-06-18";
    /** Those in which what is used here is the same. */
    private static final List<String> VERSIONS = List.of("2024-11-05", "2025-03-26", VERSION, "2025-11-25");

    private static final int MALFORMED = -32700;
    private static final int NO_REQUEST = -32600;
    private static final int NO_SUCH_METHOD = -32601;
    private static final int BAD_PARAMETERS = -32602;

    private static final String INSTRUCTIONS = "Looks into running JVMs with TrueAsync coroutines, which it does not"
            + " change. Begin with ps; then why (what keeps a process alive), tree (who waits for what), stats, stuck."
            + " explain says what a message of the runtime means.";

    private final OutputStream out;

    private McpServer(OutputStream out) {
        this.out = out;
    }

    /** An error in the sense of JSON-RPC. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final int code;

        Refused(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    /** A part of a message. */
    private interface Part {
        void write(JsonWriter json) throws IOException;
    }

    /**
     * Answers until the input ends.
     *
     * @throws IOException if it can't be read, or nobody reads the answers
     */
    static void serve(InputStream in, OutputStream out) throws IOException {
        var server = new McpServer(out);
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        String line;
        while ((line = lines.readLine()) != null) if (!line.isBlank()) server.answer(line);
    }

    private void answer(String line) throws IOException {
        Object id = null;
        try {
            Map<?, ?> message = message(line);
            id = message.get("id");
            boolean isRequest = message.containsKey("id");
            if (isRequest && !(id instanceof String || id instanceof Long)) {
                id = null;
                throw new Refused(NO_REQUEST, "id must be a string or a whole number");
            }
            if (!(message.get("method") instanceof String method)) {
                // an answer to us, who never ask
                if (message.containsKey("result") || message.containsKey("error")) return;
                throw new Refused(NO_REQUEST, "method is missing");
            }
            if (!isRequest) return; // notifications need nothing from us
            Part result = result(method, message.get("params") instanceof Map<?, ?> given ? given : Map.of());
            send(id, json -> result.write(json.name("result").beginObject()));
        } catch (Refused e) {
            send(id, json -> json.name("error")
                    .beginObject()
                    .name("code")
                    .value(e.code)
                    .name("message")
                    .value(e.getMessage()));
        }
    }

    private static Map<?, ?> message(String line) throws Refused {
        try {
            if (Json.parse(line) instanceof Map<?, ?> message) {
                if ("2.0".equals(message.get("jsonrpc"))) return message;
                throw new Refused(NO_REQUEST, "jsonrpc must be \"2.0\"");
            }
            throw new Refused(NO_REQUEST, "a message is one object");
        } catch (IllegalArgumentException e) {
            throw new Refused(MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    /** Each part leaves its last object open. */
    private static Part result(String method, Map<?, ?> parameters) throws Refused {
        return switch (method) {
            case "initialize" -> json -> greet(json, parameters.get("protocolVersion"));
            case "ping" -> json -> {};
            case "tools/list" -> json -> McpTools.list(json.name("tools"));
            case "tools/call" -> call(parameters);
            default -> throw new Refused(NO_SUCH_METHOD, "unknown method " + method);
        };
    }

    private static void greet(JsonWriter json, @Nullable Object wanted) throws IOException {
        String version = wanted instanceof String known && VERSIONS.contains(known) ? known : VERSION;
        json.name("protocolVersion").value(version);
        json.name("capabilities")
                .beginObject()
                .name("tools")
                .beginObject()
                .endObject()
                .endObject();
        json.name("serverInfo").beginObject().name("name").value("trueasync");
        json.name("version").value(VersionLine.build("version")).endObject();
        json.name("instructions").value(INSTRUCTIONS);
    }

    private static Part call(Map<?, ?> parameters) throws Refused {
        Map<?, ?> arguments = parameters.get("arguments") instanceof Map<?, ?> given ? given : Map.of();
        String text;
        boolean isError = false;
        try {
            text = McpTools.call(String.valueOf(parameters.get("name")), arguments);
        } catch (IllegalArgumentException e) {
            throw new Refused(BAD_PARAMETERS, String.valueOf(e.getMessage()));
        } catch (UsageException | Question.Ended e) {
            text = String.valueOf(e.getMessage());
            isError = true;
        }
        String told = text;
        boolean failed = isError;
        return json -> {
            json.name("content").beginArray().beginObject().name("type").value("text");
            json.name("text").value(told).endObject().endArray();
            json.name("isError").value(failed);
        };
    }

    private void send(@Nullable Object id, Part part) throws IOException {
        var text = new StringWriter();
        var json =
                new JsonWriter(text).beginObject().name("jsonrpc").value("2.0").name("id");
        if (id instanceof Long number) json.value(number);
        else json.value((String) id);
        part.write(json);
        json.endObject().endObject();
        out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
