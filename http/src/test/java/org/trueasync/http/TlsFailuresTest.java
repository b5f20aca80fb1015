package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;

import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.trueasync.InputOutputException;
import org.trueasync.io.TlsOptions;

/** TLS on bad days, of the server and of the client: who is told what. */
@Timeout(60)
class TlsFailuresTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    /** The begin of a handshake: a record of 512 bytes, of which the first six are here. */
    private static final String HELLO = "\u0016\u0003\u0001\u0002\u0000\u0001";

    private static SSLContext context;

    @BeforeAll
    static void makeKey() throws Exception {
        context = Keys.context();
    }

    private static void serve(
            String reactor, UnaryOperator<HttpServer.Builder> settings, HttpHandler handler, Http.Client client) {
        Http.serve(reactor, b -> settings.apply(b.tls(context)), handler, server -> {
            client.use(server);
            LimitsTest.settle(server);
        });
    }

    private static void serve(String reactor, Http.Client client) {
        serve(reactor, b -> b, x -> x.respond("ok"), client);
    }

    private static HttpClient client(TlsOptions options) {
        return HttpClient.builder().tls(options).build();
    }

    private static TlsOptions trusting() {
        return TlsOptions.client(context);
    }

    private static AbstractThrowableAssert<?, ?> fails(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(InputOutputException.class);
    }

    private static void isWell(HttpServer server) throws Exception {
        try (var client = client(trusting())) {
            assertThat(client.get("https://localhost:" + server.port() + "/").text())
                    .isEqualTo("ok");
        }
    }

    // ---- handshakes that come to nothing, as the server sees them

    @EachReactor
    void plainHttpOnATlsPort_isClosedAndCounted(String reactor) {
        serve(reactor, server -> {
            assertThat(Raw.exchange(server.port(), GET)).doesNotContain("HTTP/");
            assertThat(server.stats().failedHandshakes()).isOne();
            assertThat(server.stats().malformedRequests()).isZero();
            isWell(server);
            assertThat(server.stats().failedHandshakes()).isOne();
        });
    }

    @EachReactor
    void handshakeThatStallsOrNeverBegins_isEndedByTheTimeForTheHead(String reactor) {
        Duration time = Duration.ofMillis(100);
        serve(reactor, b -> b.headerTimeout(time), x -> x.respond("ok"), server -> {
            for (String sent : List.of("", HELLO))
                assertThat(Raw.exchange(server.port(), sent)).isEmpty();
            assertThat(server.stats().headerTimeouts()).isEqualTo(2);
            assertThat(server.stats().failedHandshakes()).isZero();
            assertThat(server.stats().clientErrors()).isZero();
        });
    }

    @EachReactor
    void peerThatLeavesInTheHandshake_isCounted(String reactor) {
        serve(reactor, server -> {
            assertThat(new Raw(server.port()).end().readAll()).isEmpty();
            assertThat(new Raw(server.port()).send(HELLO).end().readAll()).isEmpty();
            var leaving = new Raw(server.port()).send(HELLO);
            while (server.stats().openConnections() == 0) delay(1);
            leaving.reset();
            LimitsTest.settle(server);
            assertThat(server.stats().failedHandshakes()).isEqualTo(3);
            isWell(server);
        });
    }

    // ---- sides that refuse each other

    @EachReactor
    void certificateThatIsNotTrusted_isToldToTheClientAndCountedByTheServer(String reactor) {
        serve(reactor, server -> {
            try (var client = client(TlsOptions.client())) {
                fails(() -> client.get("https://localhost:" + server.port() + "/"))
                        .hasMessageStartingWith("GET https://localhost:" + server.port() + "/: TLS handshake with ")
                        .hasMessageContaining("give one that trusts the signer (TlsOptions)");
            }
            LimitsTest.settle(server);
            assertThat(server.stats().failedHandshakes()).isOne();
            assertThat(server.stats().requests()).isZero();
        });
    }

    @EachReactor
    void certificateOfAnotherName_isToldToTheClientAndCountedByTheServer(String reactor) {
        serve(reactor, server -> {
            try (var client = client(trusting().serverName("other.test"))) {
                fails(() -> client.get("https://localhost:" + server.port() + "/"))
                        .hasMessageContaining("other.test");
            }
            LimitsTest.settle(server);
            assertThat(server.stats().failedHandshakes()).isOne();
        });
    }

    @EachReactor
    void clientWithoutTheCertificateThatIsAskedFor_isToldSo(String reactor) {
        var options = TlsOptions.server(context).requireClientCertificate();
        for (String version : List.of("TLSv1.3", "TLSv1.2")) {
            serve(reactor, b -> b.tls(options), x -> x.respond("ok"), server -> {
                try (var client = client(TlsOptions.client(Keys.trusting()).protocols(version))) {
                    fails(() -> client.get("https://localhost:" + server.port() + "/"))
                            .hasMessageContaining(version.endsWith("3") ? "certificate_required" : "handshake_failure");
                }
                LimitsTest.settle(server);
                assertThat(server.stats().failedHandshakes()).isOne();
            });
        }
    }

    @EachReactor
    void protocolsWithoutACommonOne_areToldToTheClientAndCountedByTheServer(String reactor) {
        var options = TlsOptions.server(context).protocols("TLSv1.3");
        serve(reactor, b -> b.tls(options), x -> x.respond("ok"), server -> {
            try (var client = client(trusting().protocols("TLSv1.2"))) {
                fails(() -> client.get("https://localhost:" + server.port() + "/"))
                        .hasMessageContaining("protocol_version");
            }
            LimitsTest.settle(server);
            assertThat(server.stats().failedHandshakes()).isOne();
        });
    }

    // ---- one side without TLS

    @EachReactor
    void plainClientOfATlsServer_isToldSo(String reactor) {
        serve(reactor, server -> {
            try (var client = client(trusting())) {
                fails(() -> client.get("http://localhost:" + server.port() + "/"))
                        .hasMessageContaining("it is an alert of TLS; the server speaks TLS on this port: use https");
            }
            LimitsTest.settle(server);
            assertThat(server.stats().failedHandshakes()).isOne();
        });
    }

    @EachReactor
    void tlsClientOfAPlainServer_isToldSo(String reactor) {
        Http.serve(reactor, x -> x.respond("ok"), server -> {
            try (var client = client(trusting())) {
                fails(() -> client.get("https://localhost:" + server.port() + "/"))
                        .hasMessageContaining("the peer does not seem to speak TLS on this port");
            }
            assertThat(server.stats().malformedRequests()).isOne();
        });
    }

    // ---- connections that end without close_notify

    private interface Calls {
        void make(HttpClient client, String url) throws Exception;
    }

    private static void answered(String reactor, String response, boolean orderly, Calls calls) {
        List<String> reports = Http.run(reactor, () -> {
            try (var peer = new Scripted(to -> {
                        var tls = (SSLSocket) context.getSocketFactory()
                                .createSocket(to.socket, "localhost", to.socket.getPort(), false);
                        tls.setUseClientMode(false);
                        for (String head = ""; !head.endsWith("\r\n\r\n"); )
                            head += (char) tls.getInputStream().read();
                        OutputStream out = tls.getOutputStream();
                        out.write(response.getBytes());
                        if (orderly) tls.shutdownOutput();
                        to.socket.shutdownOutput();
                        to.silence();
                    });
                    var client = client(trusting())) {
                calls.make(client, "https://localhost:" + peer.port() + "/");
            }
        });
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void bodyThatIsCut_isNoBody(String reactor) {
        for (String head : List.of("Content-Length: 6", "Transfer-Encoding: chunked", "X: until-close")) {
            String part = head.endsWith("chunked") ? "4\r\npart\r\n" : "part";
            answered(reactor, "HTTP/1.1 200 OK\r\n" + head + "\r\n\r\n" + part, false, (client, url) -> {
                var response = client.get(url);
                var text = new ArrayList<String>();
                fails(() -> {
                            var in = response.inputStream();
                            byte[] got = in.readNBytes(4);
                            text.add(new String(got));
                            try {
                                in.read();
                            } catch (java.io.IOException e) {
                                throw e.getCause();
                            }
                        })
                        .as(head)
                        .hasMessageContaining("without TLS's close_notify");
                assertThat(text).as(head).containsExactly("part");
            });
        }
    }

    @EachReactor
    void headThatIsCut_isNoResponse(String reactor) {
        answered(reactor, "HTTP/1.1 200 OK\r\nX: y\r\n", false, (client, url) -> fails(() -> client.get(url))
                .hasMessageContaining("without TLS's close_notify"));
    }

    @EachReactor
    void bodyUntilTheEnd_endsWithCloseNotify(String reactor) {
        answered(reactor, "HTTP/1.1 200 OK\r\n\r\nall", true, (client, url) -> assertThat(
                        client.get(url).text())
                .isEqualTo("all"));
    }

    @EachReactor
    void bodyWithAnEndOfItsOwn_isWholeWithoutCloseNotify(String reactor) {
        for (String rest :
                List.of("Content-Length: 3\r\n\r\nall", "Transfer-Encoding: chunked\r\n\r\n3\r\nall\r\n0\r\n\r\n"))
            answered(reactor, "HTTP/1.1 200 OK\r\n" + rest, false, (client, url) -> assertThat(
                            client.get(url).text())
                    .isEqualTo("all"));
    }

    @EachReactor
    void requestBodyThatIsCut_isTheHandlersErrorAndNotReported(String reactor) {
        var told = new ArrayList<String>();
        serve(
                reactor,
                b -> b,
                x -> {
                    try {
                        x.text();
                    } catch (InputOutputException e) {
                        told.add(e.getMessage());
                        throw e;
                    }
                },
                server -> {
                    try (var raw = new java.net.Socket("127.0.0.1", server.port())) {
                        var tls = (SSLSocket)
                                context.getSocketFactory().createSocket(raw, "localhost", server.port(), false);
                        tls.getOutputStream()
                                .write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\npart".getBytes());
                        raw.shutdownOutput();
                        while (told.isEmpty()) delay(1);
                    }
                    LimitsTest.settle(server);
                    assertThat(server.stats().abortedResponses()).isOne();
                    assertThat(server.stats().handlerFailures()).isZero();
                });
        assertThat(told).hasSize(1);
        assertThat(told.getFirst()).contains("without TLS's close_notify");
    }
}
