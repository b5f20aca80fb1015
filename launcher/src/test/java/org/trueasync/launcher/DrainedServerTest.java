package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server of the JDK's on {@code executor()}, under plain {@code java}, gets a SIGTERM while it answers. */
@Tag("deep")
@Tag("D24")
class DrainedServerTest {
    private static final int REQUESTS = 50;

    /** Stops the server a moment after the signal, beside the end of the runtime, as the hook of a framework does. */
    private static final String BY_A_HOOK_OF_THE_JVM = """
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try { Thread.sleep(300); } catch (InterruptedException e) { }
                server.stop(30);
                System.out.println("stopped");
            }));
            """;

    private static final String BY_A_DRAIN_HOOK =
            "Cleanup.onDrain(() -> { Async.delay(300); server.stop(30); System.out.println(\"stopped\"); });";

    @TempDir
    Path directory;

    private static Stream<Arguments> servers() {
        return Stream.of(
                Arguments.of("libuv", BY_A_HOOK_OF_THE_JVM),
                Arguments.of("nio", BY_A_HOOK_OF_THE_JVM),
                Arguments.of("libuv", BY_A_DRAIN_HOOK));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void requestsUnderWay_areAllAnswered(String reactor, String stop) throws Exception {
        LauncherProcess.write(directory, "Serves.java", """
                import com.sun.net.httpserver.*;
                import java.net.*;
                import java.util.concurrent.atomic.AtomicInteger;
                import org.trueasync.*;
                import org.trueasync.spi.Cleanup;
                public class Serves {
                    public static void main(String[] a) {
                        Async.runtime().reactor("%s").shutdownOn().run(() -> {
                            var begun = new AtomicInteger();
                            var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
                            server.setExecutor(Async.executor());
                            server.createContext("/", exchange -> {
                                boolean slow = exchange.getRequestURI().getPath().equals("/slow");
                                if (slow && begun.incrementAndGet() == %d) System.out.println("all begun");
                                Async.delay(slow ? 1_500 : 20);
                                Async.await(Async.spawn(() -> Async.delay(1)));
                                byte[] body = "answer".getBytes();
                                exchange.sendResponseHeaders(200, body.length);
                                exchange.getResponseBody().write(body);
                                exchange.close();
                            });
                            server.start();
                            %s
                            System.out.println(server.getAddress().getPort());
                            try {
                                Async.delay(3_600_000);
                            } finally {
                                System.out.println("main ends");
                            }
                        });
                    }
                }
                """.formatted(reactor, REQUESTS, stop));
        SourceProgram.compile(
                directory.resolve("Serves.java"), List.of(), directory, new PrintWriter(System.err), new SourceTree());
        List<String> command = new ArrayList<>(List.of(LauncherProcess.java()));
        command.addAll(LauncherProcess.FLAGS);
        command.addAll(List.of("-cp", String.join(":", LauncherProcess.classPath()) + ":" + directory, "Serves"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader();
                HttpClient client = HttpClient.newHttpClient()) {
            String address = "http://127.0.0.1:" + out.readLine();
            var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            answers.add(get(client, address + "/quick"));
            answers.getFirst().get(60, TimeUnit.SECONDS); // leaves a connection that is kept
            for (int i = 0; i < REQUESTS; i++) answers.add(get(client, address + "/slow"));
            assertThat(out.readLine()).isEqualTo("all begun");
            process.toHandle().destroy();
            answers.add(get(client, address + "/quick"));
            for (var answer : answers) {
                HttpResponse<String> response = answer.get(60, TimeUnit.SECONDS);
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("answer");
            }
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
            assertThat(out.lines()).containsExactlyInAnyOrder("stopped", "main ends");
        } finally {
            process.destroyForcibly();
        }
    }

    private static CompletableFuture<HttpResponse<String>> get(HttpClient client, String address) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
