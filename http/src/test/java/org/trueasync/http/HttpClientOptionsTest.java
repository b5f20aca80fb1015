package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.CookieManager;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.InputOutputException;
import org.trueasync.RecoveryStrategy;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.VoidSection;

/** Redirects, cookies, gzip, expectations, the breaker; what the client refuses. */
@Timeout(60)
class HttpClientOptionsTest {
    private static void call(
            String reactor,
            UnaryOperator<HttpClient.Builder> options,
            HttpHandler handler,
            HttpClientTest.Calls calls) {
        Http.serve(reactor, handler, server -> {
            try (var client = options.apply(HttpClient.builder()).build()) {
                calls.make(client, "http://127.0.0.1:" + server.port());
                for (var pool : client.stats().values())
                    assertThat(pool.active()).isZero();
            }
        });
    }

    /** Redirects with the status in its path, else tells what it got. */
    private static void redirecting(Exchange exchange) {
        if (exchange.path().startsWith("/to/")) {
            exchange.status(Integer.parseInt(exchange.path().substring(4)));
            exchange.header("Location", exchange.queryParameter("at")).respond("elsewhere");
            return;
        }
        exchange.respond(exchange.method() + " " + exchange.path() + " " + exchange.text() + " "
                + exchange.header("Authorization") + " " + exchange.header("Content-Type"));
    }

    @EachReactor
    void redirect_isFollowedByTheRulesOfItsStatus(String reactor) {
        call(reactor, builder -> builder.followRedirects(3), HttpClientOptionsTest::redirecting, (client, origin) -> {
            for (int status : List.of(301, 302, 303, 307, 308)) {
                var response = client.request("POST", origin + "/to/" + status + "?at=/there")
                        .header("Authorization", "me")
                        .body("body")
                        .send();
                assertThat(response.uri()).hasToString(origin + "/there");
                assertThat(response.text())
                        .isEqualTo(
                                status < 304 ? "GET /there  me null" : "POST /there body me text/plain; charset=utf-8");
            }
            String elsewhere = origin.replace("127.0.0.1", "localhost");
            var other = client.request("GET", origin + "/to/302?at=" + elsewhere + "/there")
                    .header("Authorization", "me");
            assertThat(other.send().text()).isEqualTo("GET /there  null null");
            var once = client.request("PUT", origin + "/to/307?at=/there").body(new ByteArrayInputStream(new byte[1]));
            try (var response = once.send()) {
                assertThat(response.status()).isEqualTo(307);
            }
            assertThatThrownBy(() -> client.get(origin + "/to/302?at=ftp://there/"))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("redirects to 'ftp://there/'");
        });
    }

    @EachReactor
    void redirects_areOffUnlessAskedForAndEnd(String reactor) {
        call(reactor, builder -> builder, HttpClientOptionsTest::redirecting, (client, origin) -> {
            var response = client.get(origin + "/to/302?at=/there");
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.text()).isEqualTo("elsewhere");
        });
        HttpHandler forever =
                exchange -> exchange.header("Location", exchange.path() + "x").respond(302);
        call(reactor, builder -> builder.followRedirects(3), forever, (client, origin) -> {
            assertThatThrownBy(() -> client.get(origin + "/x"))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("GET " + origin + "/x: more than 3 redirects, the last one to " + origin + "/xxxxx");
        });
    }

    @EachReactor
    void cookies_areKeptAndSent(String reactor) {
        HttpHandler handler = exchange -> {
            if (exchange.path().equals("/set")) exchange.header("Set-Cookie", "a=b; Path=/");
            exchange.respond(String.valueOf(exchange.header("Cookie")));
        };
        call(reactor, builder -> builder.cookies(new CookieManager()), handler, (client, origin) -> {
            assertThat(client.get(origin + "/set").text()).isEqualTo("null");
            assertThat(client.get(origin + "/").text()).isEqualTo("a=b");
        });
    }

    @EachReactor
    void gzip_isDecodedWithinTheLimit(String reactor) {
        String text = "0123456789".repeat(10_000);
        var packed = new ByteArrayOutputStream();
        HttpHandler handler = exchange -> {
            if (!"gzip".equals(exchange.header("Accept-Encoding"))
                    || exchange.path().equals("/plain")) {
                exchange.respond(text);
                return;
            }
            exchange.header("Content-Encoding", "gzip").write(java.nio.ByteBuffer.wrap(packed.toByteArray()));
        };
        try (var out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        call(reactor, builder -> builder.gzip(true), handler, (client, origin) -> {
            for (String path : List.of("/", "/plain", "/", "/")) {
                var response = client.get(origin + path);
                assertThat(response.header("Content-Encoding")).isNull();
                assertThat(response.text()).isEqualTo(text);
            }
            assertThat(client.stats().get(origin).created()).isOne();
            assertThat(client.request("HEAD", origin).send().bytes()).isEmpty();
        });
        call(reactor, builder -> builder.gzip(true).maxBodyBytes(99_999), handler, (client, origin) -> {
            for (String path : List.of("/", "/plain"))
                assertThatThrownBy(() -> client.get(origin + path).text())
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("more than 99999 bytes (maxBodyBytes)");
        });
    }

    @EachReactor
    void expectation_isWaitedFor(String reactor) {
        HttpHandler handler = exchange -> {
            if (exchange.path().equals("/refuse")) throw new HttpException(403, "no");
            exchange.respond(exchange.text());
        };
        call(reactor, builder -> builder, handler, (client, origin) -> {
            assertThat(client.request("POST", origin)
                            .expectContinue()
                            .body("text")
                            .send()
                            .text())
                    .isEqualTo("text");
            boolean[] written = new boolean[1];
            var refused =
                    client.request("POST", origin + "/refuse").expectContinue().body(out -> written[0] = true);
            assertThat(refused.send().text()).contains("no");
            assertThat(written[0]).isFalse();
        });
    }

    @EachReactor
    void breaker_hearsOfFailuresAndTimeLimits(String reactor) {
        call(
                reactor,
                builder -> builder.circuitBreaker(() -> RecoveryStrategy.consecutiveFailures(2)),
                exchange -> {
                    if (exchange.path().equals("/slow")) delay(3_600_000);
                    exchange.header("Connection", "close").respond("text");
                },
                (client, origin) -> {
                    VoidSection<RuntimeException> tooSlow = () -> assertThatThrownBy(
                                    () -> withTimeout(Duration.ofMillis(20), () -> client.get(origin + "/slow")))
                            .isInstanceOf(AsyncTimeoutException.class);
                    // a success in between, also of a connection that is not kept, begins the count anew
                    for (int i = 0; i < 3; i++) {
                        tooSlow.run();
                        assertThat(client.get(origin).text()).isEqualTo("text");
                    }
                    tooSlow.run();
                    var cancelled = spawn(() -> client.get(origin + "/slow"));
                    delay(1);
                    cancelled.cancel();
                    assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
                    assertThat(client.get(origin).text()).isEqualTo("text");
                    tooSlow.run();
                    tooSlow.run();
                    assertThatThrownBy(() -> client.get(origin)).isInstanceOf(ServiceUnavailableException.class);
                });
    }

    @EachReactor
    void writerThatFails_endsTheCallWithItsError(String reactor) {
        call(reactor, builder -> builder, exchange -> exchange.respond(exchange.text()), (client, origin) -> {
            var failing = client.request("POST", origin).body(out -> {
                out.write(1);
                out.flush();
                delay(1);
                throw new IllegalStateException("my error");
            });
            assertThatThrownBy(failing::send)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("my error");
            for (int wrong : new int[] {2, 4})
                assertThatThrownBy(() -> client.request("POST", origin)
                                .body(new ByteArrayInputStream(new byte[3]), wrong)
                                .send())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the body must have " + wrong + " bytes");
            assertThat(client.stats().get(origin).count()).isZero();
        });
    }

    @EachReactor
    void requestThatCanNotBeSent_isRefused(String reactor) {
        call(reactor, builder -> builder, exchange -> {}, (client, origin) -> {
            for (String uri :
                    List.of("ftp://x/", "/path", "http:///x", "http://me:secret@x/", "http://x:0/", "http://a b/"))
                assertThatThrownBy(() -> client.get(uri)).as(uri).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.request("GET X", origin).send())
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.request("CONNECT", origin).send())
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.request("GET", origin).header("X", "a\r\nb: c"))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.request("GET", origin)
                            .header("Content-Length", "7")
                            .send())
                    .isInstanceOf(IllegalArgumentException.class);
            client.close();
            assertThatThrownBy(() -> client.get(origin)).isInstanceOf(IllegalStateException.class);
        });
    }
}
