package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.trueasync.InputOutputException;
import org.trueasync.io.TlsOptions;

/** The client over TLS and through a proxy. */
@Timeout(60)
class HttpClientProxyTest {
    @BeforeAll
    static void makeKey() throws Exception {
        Keys.context();
    }

    /** Passes on what it gets, for the heads that it notes. */
    private static Scripted.Script proxy(List<String> heads, int port) {
        return peer -> {
            String head = peer.head();
            heads.add(head);
            if (!head.contains("Proxy-Authorization: Basic dXNlcjpwYXNz\r\n")) {
                peer.send("HTTP/1.1 407 Who?\r\nContent-Length: 0\r\n\r\n");
                return;
            }
            try (var to = new Socket("127.0.0.1", port)) {
                if (head.startsWith("CONNECT ")) peer.send("HTTP/1.1 200 Go on\r\nContent-Length: 9\r\n\r\n");
                else to.getOutputStream().write(head.getBytes());
                var back = spawn(() -> pump(to, peer.socket));
                pump(peer.socket, to);
                await(back);
            }
        };
    }

    private static void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // one of them has gone
        }
    }

    private interface Calls {
        void make(HttpClient.Builder client, int port) throws Exception;
    }

    private static void secure(String reactor, Calls calls) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .tls(TlsOptions.server(Keys.context()))
                    .listen(exchange -> exchange.respond(exchange.tlsSession() != null ? exchange.path() : "clear"))) {
                calls.make(HttpClient.builder().tls(TlsOptions.client(Keys.context())), server.port());
            }
        });
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void https_checksTheNameAndKeepsTheConnection(String reactor) {
        secure(reactor, (builder, port) -> {
            try (var client = builder.build()) {
                for (int i = 0; i < 3; i++)
                    assertThat(client.get("https://localhost:" + port + "/" + i).text())
                            .isEqualTo("/" + i);
                assertThat(client.stats().get("https://localhost:" + port).created())
                        .isOne();
                assertThatThrownBy(() -> client.get("https://127.0.0.2:" + port + "/"))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageStartingWith("GET https://127.0.0.2:" + port + "/: ");
            }
            try (var client = HttpClient.builder().build()) {
                assertThatThrownBy(() -> client.get("https://localhost:" + port + "/"))
                        .isInstanceOf(InputOutputException.class);
            }
        });
    }

    @EachReactor
    void https_goesThroughATunnel(String reactor) {
        secure(reactor, (builder, port) -> {
            var heads = new ArrayList<String>();
            try (var server = new Scripted(proxy(heads, port));
                    var client = builder.proxy("127.0.0.1", server.port())
                            .proxyAuthorization("user", "pass")
                            .build()) {
                for (int i = 0; i < 2; i++)
                    assertThat(client.get("https://localhost:" + port + "/" + i).text())
                            .isEqualTo("/" + i);
                assertThat(heads).hasSize(1);
                assertThat(heads.getFirst()).startsWith("CONNECT localhost:" + port + " HTTP/1.1\r\n");
            }
        });
    }

    @EachReactor
    void proxyThatRefuses_isNamed(String reactor) {
        secure(reactor, (builder, port) -> {
            try (var server = new Scripted(proxy(new ArrayList<>(), port));
                    var client = builder.proxy("127.0.0.1", server.port()).build()) {
                String uri = "https://localhost:" + port + "/";
                assertThatThrownBy(() -> client.get(uri))
                        .hasMessage("GET " + uri + ": the proxy 127.0.0.1:" + server.port()
                                + " has answered 407 to CONNECT localhost:" + port);
                assertThat(client.stats().values().iterator().next().count()).isZero();
            }
        });
    }

    @EachReactor
    void http_namesTheOriginToTheProxy(String reactor) {
        Http.serve(reactor, exchange -> exchange.respond(exchange.host() + exchange.path()), to -> {
            var heads = new ArrayList<String>();
            var asked = new ArrayList<URI>();
            try (var server = new Scripted(proxy(heads, to.port()));
                    var client = HttpClient.builder()
                            .proxyAuthorization("user", "pass")
                            .proxy(new ProxySelector() {
                                @Override
                                public List<Proxy> select(URI uri) {
                                    asked.add(uri);
                                    return uri.getHost().equals("named.test")
                                            ? ProxySelector.of(
                                                            new java.net.InetSocketAddress("127.0.0.1", server.port()))
                                                    .select(uri)
                                            : List.of(Proxy.NO_PROXY);
                                }

                                @Override
                                public void connectFailed(URI uri, SocketAddress address, IOException e) {}
                            })
                            .build()) {
                for (int i = 0; i < 2; i++)
                    assertThat(client.get("http://named.test/" + i).text()).isEqualTo("named.test/" + i);
                assertThat(heads).hasSize(1);
                assertThat(heads.getFirst()).startsWith("GET http://named.test/0 HTTP/1.1\r\nHost: named.test\r\n");
                assertThat(client.get("http://127.0.0.1:" + to.port() + "/direct")
                                .text())
                        .endsWith("/direct");
                assertThat(heads).hasSize(1);
                assertThat(asked).hasSize(2);
            }
        });
    }
}
