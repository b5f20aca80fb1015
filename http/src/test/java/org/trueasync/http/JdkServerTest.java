package org.trueasync.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.http.JdkServers.ask;
import static org.trueasync.http.JdkServers.create;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.trueasync.http.JdkServers.EachServer;

/** What the documentation of {@code com.sun.net.httpserver} promises, of the JDK's own server and of ours. */
@Timeout(60)
class JdkServerTest {
    private static void send(HttpExchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(bytes);
        }
    }

    private static String body(String response) {
        return JdkServers.essence(response).split("\n\n", 2)[1];
    }

    // ---- the server

    @EachServer
    void server_isOursOnTheLoopAndTheJdksElsewhere(String kind) {
        JdkServers.run(kind, () -> {
            String name = create().getClass().getName();
            assertThat(name).startsWith(kind.equals("jdk") ? "sun.net.httpserver." : "org.trueasync.");
        });
    }

    @EachServer
    void bind_isDoneOnce(String kind) {
        JdkServers.run(kind, () -> {
            var local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            HttpServer server = HttpServer.create();
            assertThat(server.getAddress()).isNull();
            assertThatThrownBy(server::start).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> server.bind(null, 0)).isInstanceOf(NullPointerException.class);
            server.bind(local, 10);
            assertThat(server.getAddress().getPort()).isPositive();
            assertThatThrownBy(() -> server.bind(local, 0)).isInstanceOf(BindException.class);
            assertThatThrownBy(() -> HttpServer.create(server.getAddress(), 0)).isInstanceOf(BindException.class);
            assertThatThrownBy(() -> HttpServer.create(InetSocketAddress.createUnresolved("nowhere.invalid", 0), 0))
                    .isInstanceOf(IOException.class);
            server.stop(0);
        });
    }

    @EachServer
    void start_comesOnceAndEndsTheSetUp(String kind) {
        JdkServers.run(kind, () -> {
            HttpServer server = create();
            Executor executor = Runnable::run;
            assertThat(server.getExecutor()).isNull();
            server.setExecutor(executor);
            assertThat(server.getExecutor()).isSameAs(executor);
            server.start();
            assertThatThrownBy(server::start).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> server.setExecutor(null)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> server.stop(-1)).isInstanceOf(IllegalArgumentException.class);
            server.stop(0);
            server.stop(0);
            assertThatThrownBy(server::start).isInstanceOf(IllegalStateException.class);
        });
    }

    @EachServer
    void requestBeforeStart_waits(String kind) {
        JdkServers.run(kind, () -> {
            HttpServer server = create();
            server.createContext("/", exchange -> send(exchange, "late"));
            try (var peer = new Raw(server.getAddress().getPort())) {
                peer.send(JdkServers.request("GET", "/"));
                server.start();
                assertThat(peer.readUntil("late")).startsWith("HTTP/1.1 200");
            }
            server.stop(0);
        });
    }

    @EachServer
    void wildcardAddress_takesBothFamilies(String kind) {
        JdkServers.run(kind, () -> {
            HttpServer server = HttpServer.create(new InetSocketAddress(0), 0);
            server.createContext("/", exchange -> send(exchange, "here"));
            server.start();
            assertThat(body(ask(server, "GET", "/"))).isEqualTo("here");
            assertThat(server.getAddress().getAddress().isAnyLocalAddress()).isTrue();
            server.stop(0);
        });
    }

    @EachServer
    void stop_waitsForExchangesThenClosesAll(String kind) {
        JdkServers.run(kind, () -> {
            HttpServer server = create();
            var begun = new CountDownLatch(1);
            server.createContext("/", exchange -> {
                begun.countDown();
                try {
                    Thread.sleep(300);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                send(exchange, "done");
            });
            ExecutorService pool = Executors.newFixedThreadPool(2);
            server.setExecutor(pool);
            server.start();
            int port = server.getAddress().getPort();
            try (var idle = new Raw(port);
                    var peer = new Raw(port)) {
                peer.send(JdkServers.request("GET", "/"));
                begun.await();
                server.stop(20);
                assertThat(peer.readAll()).endsWith("done");
                assertThat(idle.readAll()).isEmpty();
            }
            assertThatThrownBy(() -> new Raw(port)).isInstanceOf(ConnectException.class);
            pool.shutdown();
        });
    }

    @EachServer
    void stopWithoutTime_closesExchangesUnderWay(String kind) {
        JdkServers.run(kind, () -> {
            HttpServer server = create();
            var begun = new CountDownLatch(1);
            var end = new CountDownLatch(1);
            var failure = new CompletableFuture<Throwable>();
            server.createContext("/", exchange -> {
                begun.countDown();
                try {
                    end.await();
                    send(exchange, "too late");
                    failure.complete(null);
                } catch (Throwable e) {
                    failure.complete(e);
                }
            });
            ExecutorService pool = Executors.newFixedThreadPool(1);
            server.setExecutor(pool);
            server.start();
            try (var peer = new Raw(server.getAddress().getPort())) {
                peer.send(JdkServers.request("GET", "/"));
                begun.await();
                server.stop(0);
                assertThat(peer.readAll()).isEmpty();
            }
            end.countDown();
            assertThat(failure.get(20, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
            pool.shutdown();
        });
    }

    @EachServer
    void stop_givesUpAfterItsDelay(String kind) {
        JdkServers.run(kind, () -> {
            HttpServer server = create();
            var begun = new CountDownLatch(1);
            var end = new CountDownLatch(1);
            server.createContext("/", exchange -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            });
            ExecutorService pool = Executors.newFixedThreadPool(1);
            server.setExecutor(pool);
            server.start();
            try (var peer = new Raw(server.getAddress().getPort())) {
                peer.send(JdkServers.request("GET", "/"));
                begun.await();
                server.stop(1);
                assertThat(peer.readAll()).isEmpty();
            }
            end.countDown();
            pool.shutdown();
        });
    }

    // ---- contexts

    @EachServer
    void contexts_areAddedAndRemoved(String kind) {
        JdkServers.run(kind, () -> {
            HttpServer server = create();
            HttpHandler handler = exchange -> send(exchange, "first");
            var context = server.createContext("/a", handler);
            assertThat(context.getHandler()).isSameAs(handler);
            assertThat(context.getPath()).isEqualTo("/a");
            assertThat(context.getServer()).isSameAs(server);
            assertThatThrownBy(() -> server.createContext("/a", handler)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> server.createContext("a")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> server.createContext("")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> server.createContext(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> server.createContext("/b", null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> context.setHandler(handler)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> context.setHandler(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> server.removeContext("/b")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> server.removeContext((String) null)).isInstanceOf(NullPointerException.class);
            Authenticator authenticator = new BasicAuthenticator("r") {
                @Override
                public boolean checkCredentials(String name, String password) {
                    return false;
                }
            };
            assertThat(context.setAuthenticator(authenticator)).isNull();
            assertThat(context.getAuthenticator()).isSameAs(authenticator);
            assertThat(context.setAuthenticator(null)).isSameAs(authenticator);
            server.start();
            assertThat(body(ask(server, "GET", "/a"))).isEqualTo("first");
            server.removeContext(context);
            assertThat(ask(server, "GET", "/a")).startsWith("HTTP/1.1 404");
            assertThatThrownBy(() -> server.removeContext(context)).isInstanceOf(IllegalArgumentException.class);
            server.createContext("/a").setHandler(exchange -> send(exchange, "second"));
            server.removeContext("/a");
            server.createContext("/", exchange -> send(exchange, "third"));
            assertThat(body(ask(server, "GET", "/a"))).isEqualTo("third");
            server.stop(0);
        });
    }

    // ---- the exchange

    @EachServer
    void streams_followTheirRules(String kind) {
        var failure = new AtomicReference<Throwable>();
        JdkServers.serve(
                kind,
                server -> server.createContext("/", exchange -> {
                    try {
                        var in = exchange.getRequestBody();
                        var out = exchange.getResponseBody();
                        assertThat(exchange.getRequestBody()).isSameAs(in);
                        assertThat(exchange.getResponseBody()).isSameAs(out);
                        assertThatThrownBy(() -> out.write('x')).isInstanceOf(IOException.class);
                        assertThat(in.read()).isEqualTo('h');
                        assertThat(in.read(new byte[0])).isZero();
                        assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("ello");
                        assertThat(in.read()).isEqualTo(-1);
                        exchange.sendResponseHeaders(200, 5);
                        assertThatThrownBy(() -> exchange.sendResponseHeaders(200, 5))
                                .isInstanceOf(IOException.class);
                        assertThat(exchange.getResponseCode()).isEqualTo(200);
                        out.write("hello".getBytes(UTF_8));
                        out.close();
                        out.close();
                        assertThatThrownBy(() -> out.write('x')).isInstanceOf(IOException.class);
                        assertThatThrownBy(in::read).isInstanceOf(IOException.class);
                        exchange.close();
                        exchange.close();
                        assertThatThrownBy(() -> exchange.getRequestHeaders().add("a", "b"))
                                .isInstanceOf(UnsupportedOperationException.class);
                        assertThatThrownBy(() -> exchange.getAttribute(null)).isInstanceOf(NullPointerException.class);
                        assertThatThrownBy(() -> exchange.setAttribute(null, "x"))
                                .isInstanceOf(NullPointerException.class);
                    } catch (Throwable e) {
                        failure.set(e);
                    } finally {
                        exchange.close();
                    }
                }),
                server -> {
                    String answer = JdkServers.send(server, "hello", "POST", "/", "Content-Length: 5");
                    assertThat(failure.get()).isNull();
                    assertThat(body(answer)).isEqualTo("hello");
                });
    }

    // the JDK's own server leaves the connection open
    @EachReactor
    void tooFewBytes_abortTheExchange(String kind) {
        var failure = new CompletableFuture<Throwable>();
        JdkServers.serve(
                kind,
                server -> server.createContext("/", exchange -> {
                    exchange.sendResponseHeaders(200, 5);
                    var out = exchange.getResponseBody();
                    out.write("hell".getBytes(UTF_8));
                    try {
                        out.close();
                        failure.complete(null);
                    } catch (Throwable e) {
                        failure.complete(e);
                    }
                }),
                server -> {
                    assertThat(Raw.exchange(server.getAddress().getPort(), JdkServers.request("GET", "/")))
                            .doesNotContain("hello");
                    assertThat(failure.get()).isInstanceOf(IOException.class);
                });
    }

    @EachServer
    void connection_isKeptUnlessTheHandlerClosesIt(String kind) {
        JdkServers.serve(
                kind,
                server -> {
                    server.createContext("/", exchange -> send(exchange, "[" + exchange.getRequestURI() + "]"));
                    server.createContext("/last", exchange -> {
                        exchange.getResponseHeaders().set("Connection", "close");
                        send(exchange, "[last]");
                    });
                },
                server -> {
                    try (var peer = new Raw(server.getAddress().getPort())) {
                        peer.send(JdkServers.request("GET", "/1"));
                        peer.readUntil("[/1]");
                        peer.send(JdkServers.request("POST", "/2", "Content-Length: 3") + "abc");
                        peer.readUntil("[/2]");
                        peer.send(JdkServers.request("GET", "/3") + JdkServers.request("GET", "/last"));
                        assertThat(peer.readAll()).containsSubsequence("[/3]", "Connection: close", "[last]");
                    }
                });
    }

    @EachServer
    void handlerThatReturns_leavesTheExchangeToAnotherThread(String kind) throws Exception {
        ExecutorService other = Executors.newFixedThreadPool(1);
        JdkServers.serve(
                kind,
                server -> server.createContext("/", exchange -> {
                    other.execute(() -> {
                        try (exchange) {
                            byte[] body = exchange.getRequestBody().readAllBytes();
                            exchange.sendResponseHeaders(200, 0);
                            exchange.getResponseBody().write(body);
                            exchange.getResponseBody().flush();
                            exchange.getResponseBody().write("!".getBytes(UTF_8));
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                }),
                server -> assertThat(body(JdkServers.send(server, "hello", "POST", "/", "Content-Length: 5")))
                        .isEqualTo("hello!"));
        other.shutdown();
    }

    @EachServer
    void largeBodies_goBothWaysByEachExecutor(String kind) throws Exception {
        String text = "0123456789".repeat(50_000);
        try (ExecutorService pool = Executors.newFixedThreadPool(2);
                ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Executor executor : new Executor[] {null, pool, virtual, Runnable::run})
                JdkServers.serve(
                        kind,
                        server -> {
                            server.setExecutor(executor);
                            server.createContext("/", exchange -> {
                                exchange.sendResponseHeaders(200, text.length() + 1);
                                try (exchange) {
                                    int first = exchange.getRequestBody().read();
                                    exchange.getResponseBody().write(first);
                                    exchange.getRequestBody().transferTo(exchange.getResponseBody());
                                }
                            });
                        },
                        server -> assertThat(body(JdkServers.send(
                                        server, text + "!", "POST", "/", "Content-Length: " + (text.length() + 1))))
                                .isEqualTo(text + "!"));
        }
    }

    @EachServer
    void manyClients_areServedByAPool(String kind) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(4);
                ExecutorService clients = Executors.newFixedThreadPool(8)) {
            JdkServers.serve(
                    kind,
                    server -> {
                        server.setExecutor(pool);
                        server.createContext("/", exchange -> send(exchange, "by " + exchange.getRequestURI()));
                    },
                    server -> {
                        List<java.util.concurrent.Callable<String>> tasks = new java.util.ArrayList<>();
                        for (int i = 0; i < 64; i++) {
                            String path = "/" + i;
                            tasks.add(() -> body(ask(server, "GET", path)));
                        }
                        var answers = clients.invokeAll(tasks);
                        for (int i = 0; i < 64; i++)
                            assertThat(answers.get(i).get()).isEqualTo("by /" + i);
                    });
        }
    }
}
