package org.trueasync.launcher;

import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** One tab of a Chromium without a window, driven by its debugging protocol. */
final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of(System.getenv().getOrDefault("CHROMIUM", "/usr/bin/chromium"));
    private static final long SECONDS = 60;

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket tab;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private int asked;

    /** Starts it, with its profile in a directory that is empty. The test is skipped where there is no Chromium. */
    Browser(Path profile) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(CHROMIUM), () -> "no " + CHROMIUM + "; say where it is by CHROMIUM");
        process = new ProcessBuilder(
                        CHROMIUM.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(new File("/dev/null"))
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        long begin = System.nanoTime();
        while (!Files.exists(port) || Files.readAllLines(port).size() < 2) {
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(SECONDS)) throw new TimeoutException("no browser");
            Thread.sleep(20);
        }
        String number = Files.readAllLines(port).getFirst();
        String browser = "ws://127.0.0.1:" + number + Files.readAllLines(port).get(1);
        try (var control = new Closing(connect(browser))) {
            control.socket.sendText(
                    "{\"id\":0,\"method\":\"Target.createTarget\",\"params\":{\"url\":\"about:blank\"}}", true);
            tab = connect("ws://127.0.0.1:" + number + "/devtools/page/" + text("targetId", next(0)));
        }
        call("Page.enable", "");
    }

    private record Closing(WebSocket socket) implements AutoCloseable {
        @Override
        public void close() {
            socket.abort();
        }
    }

    private WebSocket connect(String uri) {
        return client.newWebSocketBuilder()
                .buildAsync(URI.create(uri), new WebSocket.Listener() {
                    private final StringBuilder message = new StringBuilder();

                    @Override
                    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
                        message.append(text);
                        if (isLast) {
                            answers.add(message.toString());
                            message.setLength(0);
                        }
                        socket.request(1);
                        return null;
                    }
                })
                .join();
    }

    /** The answer with this number; what else comes are notices. */
    private String next(int id) throws Exception {
        String answer;
        do {
            answer = answers.poll(SECONDS, TimeUnit.SECONDS);
            if (answer == null) throw new TimeoutException("the browser does not answer");
        } while (!answer.startsWith("{\"id\":" + id + ","));
        return answer;
    }

    private String call(String method, String parameters) throws Exception {
        int id = ++asked;
        tab.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{" + parameters + "}}", true)
                .join();
        return next(id);
    }

    /** A text or a number of an answer. */
    private static String text(String name, String json) {
        var found = Pattern.compile("\"" + name + "\":(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^,}]*))")
                .matcher(json);
        if (!found.find()) throw new AssertionError("no " + name + " in " + json);
        return found.group(1) == null ? found.group(2) : found.group(1);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    void open(String url) throws Exception {
        call("Page.navigate", "\"url\":" + quoted(url));
    }

    /** The value of an expression: a number, a truth or a text without special characters. */
    String value(String expression) throws Exception {
        String answer = call("Runtime.evaluate", "\"returnByValue\":true,\"expression\":" + quoted(expression));
        if (answer.contains("exceptionDetails")) throw new AssertionError(expression + ": " + answer);
        return text("value", answer);
    }

    /** Returns when an expression is true. */
    void await(String expression) throws Exception {
        long begin = System.nanoTime();
        while (!value("!!(" + expression + ")").equals("true")) {
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(SECONDS))
                throw new AssertionError(
                        "not true within " + SECONDS + " s: " + expression + "\n" + value("document.body.innerText"));
            Thread.sleep(20);
        }
    }

    void look(int width, int height, boolean isDark) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                "\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":false");
        call(
                "Emulation.setEmulatedMedia",
                "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + (isDark ? "dark" : "light") + "\"}]");
    }

    /** A picture of what is in view, as PNG. */
    byte[] picture() throws Exception {
        return Base64.getDecoder().decode(text("data", call("Page.captureScreenshot", "")));
    }

    @Override
    public void close() throws Exception {
        tab.abort();
        client.shutdownNow();
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
        for (ProcessHandle child : children) child.onExit().get(10, TimeUnit.SECONDS);
    }
}
