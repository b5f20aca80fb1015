package org.trueasync.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.http.JdkServers.ask;
import static org.trueasync.http.JdkServers.essence;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.SimpleFileServer;
import io.avaje.jex.Jex;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.http.JdkServers.EachServer;

/** Libraries that bring the JDK's server along, TLS, and how such a server lives on a loop. */
@Timeout(60)
class JdkServerPeersTest {
    @TempDir
    Path folder;

    private static String get(int port, String target) throws IOException {
        return essence(Raw.exchange(port, JdkServers.request("GET", target, "Connection: close")));
    }

    @EachServer
    void prometheusExporter_answersByItsOwnThreads(String kind) {
        JdkServers.run(kind, () -> {
            var registry = new PrometheusRegistry();
            Counter.builder().name("seen").help("how many").register(registry).inc(3);
            try (HTTPServer exporter = HTTPServer.builder()
                    .inetAddress(InetAddress.getLoopbackAddress())
                    .port(0)
                    .registry(registry)
                    .buildAndStart()) {
                for (int i = 0; i < 3; i++)
                    assertThat(get(exporter.getPort(), "/metrics"))
                            .startsWith("HTTP/1.1 200")
                            .contains("seen_total 3.0");
                assertThat(get(exporter.getPort(), "/-/healthy")).contains("Exporter is healthy.");
            }
        });
    }

    @EachServer
    void jex_answersByVirtualThreads(String kind) {
        JdkServers.run(kind, () -> {
            Jex.Server server = Jex.create()
                    .config(config -> config.host("127.0.0.1"))
                    .get("/hello/{name}", context -> context.text("hello " + context.pathParam("name")))
                    .post("/echo", context -> context.text(context.body()))
                    .port(0)
                    .start();
            assertThat(get(server.port(), "/hello/you"))
                    .startsWith("HTTP/1.1 200")
                    .endsWith("hello you");
            assertThat(get(server.port(), "/none")).startsWith("HTTP/1.1 404");
            server.shutdown();
        });
    }

    @EachServer
    void simpleFileServer_sendsFilesAndFolders(String kind) throws IOException {
        Files.writeString(folder.resolve("a.txt"), "content");
        Files.createDirectory(folder.resolve("sub"));
        JdkServers.run(kind, () -> {
            HttpServer server = SimpleFileServer.createFileServer(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    folder,
                    SimpleFileServer.OutputLevel.NONE);
            server.start();
            assertThat(essence(ask(server, "GET", "/a.txt")))
                    .contains("content-length: 7", "content-type: text/plain")
                    .endsWith("content");
            assertThat(essence(ask(server, "HEAD", "/a.txt")))
                    .contains("content-length: 7")
                    .doesNotEndWith("content");
            assertThat(ask(server, "GET", "/")).contains("a.txt").contains("sub/");
            assertThat(ask(server, "GET", "/sub")).startsWith("HTTP/1.1 301");
            assertThat(ask(server, "GET", "/../x")).startsWith("HTTP/1.1 404");
            assertThat(ask(server, "POST", "/a.txt", "Content-Length: 0")).startsWith("HTTP/1.1 405");
            server.stop(0);
        });
    }

    @EachServer
    void https_asksItsConfiguratorForEachConnection(String kind) throws Exception {
        SSLContext context = context();
        JdkServers.run(kind, () -> {
            var asked = new ArrayList<InetSocketAddress>();
            var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var configurator = new HttpsConfigurator(context) {
                @Override
                public void configure(HttpsParameters parameters) {
                    asked.add(parameters.getClientAddress());
                    SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
                    wanted.setNeedClientAuth(true);
                    parameters.setSSLParameters(wanted);
                }
            };
            server.setHttpsConfigurator(configurator);
            assertThat(server.getHttpsConfigurator()).isSameAs(configurator);
            server.createContext("/", exchange -> {
                var session = ((HttpsExchange) exchange).getSSLSession();
                byte[] text = session.getPeerPrincipal().getName().getBytes(UTF_8);
                exchange.sendResponseHeaders(200, text.length);
                exchange.getResponseBody().write(text);
                exchange.close();
            });
            server.start();
            int port = server.getAddress().getPort();
            try (var client = java.net.http.HttpClient.newBuilder()
                    .sslContext(context)
                    .version(java.net.http.HttpClient.Version.HTTP_1_1)
                    .build()) {
                var request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/"))
                        .build();
                var response = client.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(response.body()).isEqualTo("CN=localhost");
            }
            assertThat(asked).hasSize(1);
            assertThat(asked.getFirst().getAddress().isLoopbackAddress()).isTrue();
            server.stop(0);
        });
    }

    /** A key that is its own authority, for both sides. */
    private SSLContext context() throws Exception {
        Path file = folder.resolve("key.p12");
        String command = Path.of(System.getProperty("java.home"), "bin", "keytool")
                + " -genkeypair -alias key -keyalg EC -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1"
                + " -storetype PKCS12 -storepass changeit -keystore " + file;
        Process keytool =
                new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance(file.toFile(), "changeit".toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("key", keys.getCertificate("key"));
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, "changeit".toCharArray());
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    // ---- ours alone

    @EachReactor
    void runningServer_keepsTheRunUntilItIsStopped(String reactor) throws Exception {
        var answers = new ArrayList<String>();
        List<String> reports = Http.run(reactor, () -> {
            HttpServer server = JdkServers.create();
            server.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
            server.start();
            var outside = new Thread(() -> {
                try {
                    Thread.sleep(50);
                    answers.add(ask(server, "GET", "/"));
                    server.stop(1);
                } catch (Exception e) {
                    answers.add(e.toString());
                }
            });
            Async.blocking(outside::start);
        });
        assertThat(reports).isEmpty();
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst()).startsWith("HTTP/1.1 204");
    }

    @EachReactor
    void handlerThatFails_gives500AndIsReportedOnce(String reactor) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            List<String> reports = Http.run(reactor, () -> {
                HttpServer server = JdkServers.create();
                server.setExecutor(pool);
                server.createContext("/", exchange -> {
                    exchange.sendResponseHeaders(200, 5);
                    throw new IllegalStateException("secret");
                });
                server.start();
                assertThat(ask(server, "GET", "/")).startsWith("HTTP/1.1 500").doesNotContain("secret");
                server.stop(0);
            });
            assertThat(reports).hasSize(1);
            assertThat(reports.getFirst()).contains("IllegalStateException: secret");
        }
    }

    @EachReactor
    void executorThatRefuses_gives503(String reactor) {
        JdkServers.serve(
                reactor,
                server -> {
                    server.setExecutor(task -> {
                        throw new RejectedExecutionException("full");
                    });
                    server.createContext("/", exchange -> exchange.sendResponseHeaders(200, -1));
                },
                server -> assertThat(ask(server, "GET", "/")).startsWith("HTTP/1.1 503"));
    }

    @EachReactor
    void bodyForHead_isNotSent(String reactor) {
        JdkServers.serve(
                reactor,
                server -> server.createContext("/", exchange -> {
                    exchange.sendResponseHeaders(200, 5);
                    exchange.getResponseBody().write("hello".getBytes(UTF_8));
                    exchange.close();
                }),
                server -> assertThat(ask(server, "HEAD", "/"))
                        .startsWith("HTTP/1.1 200")
                        .doesNotContain("hello"));
    }

    @EachReactor
    void completeResponse_endsAnExchangeThatIsNotClosed(String reactor) {
        JdkServers.serve(
                reactor,
                server -> server.createContext("/", exchange -> {
                    exchange.sendResponseHeaders(200, 5);
                    exchange.getResponseBody().write("hello".getBytes(UTF_8));
                }),
                server -> {
                    try (var peer = new Raw(server.getAddress().getPort())) {
                        for (int i = 0; i < 2; i++) {
                            peer.send(JdkServers.request("GET", "/"));
                            peer.readUntil("hello");
                        }
                    }
                });
    }

    @EachReactor
    void shutdown_letsExchangesFinish(String reactor) {
        var answer = new CompletableFuture<String>();
        Http.run(reactor, () -> {
            HttpServer server = JdkServers.create();
            server.createContext("/", exchange -> {
                Async.gracefulShutdown();
                Async.protect(() -> Async.delay(50));
                exchange.sendResponseHeaders(200, 4);
                exchange.getResponseBody().write("done".getBytes(UTF_8));
                exchange.close();
            });
            server.start();
            // on another thread: the shutdown ends the waits of every coroutine
            answer.completeAsync(() -> {
                try {
                    return ask(server, "GET", "/");
                } catch (Exception e) {
                    throw new CompletionException(e);
                }
            });
        });
        assertThat(answer.join()).endsWith("done");
    }
}
