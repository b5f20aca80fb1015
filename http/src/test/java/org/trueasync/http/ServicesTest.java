package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.http.PeersTest.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.InputOutputException;

/** JSON, redirects, cookies, conditions and filters; curl as a peer. */
@Timeout(60)
class ServicesTest {
    @TempDir
    private Path folder;

    /** An order. */
    record Order(String name, int count) {}

    private static String url(HttpServer server, String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private static String curl(HttpServer server, String path, String... options) {
        var command = new ArrayList<>(List.of("curl", "-s", "-i"));
        command.addAll(List.of(options));
        command.add(url(server, path));
        return run(command.toArray(String[]::new)).replace("\r\n", "\n");
    }

    // ---- JSON

    private static final Routes ORDERS = new Routes()
            .post("/orders", x -> {
                Order order = x.body(Order.class);
                x.status(201).json(new Order(order.name(), order.count() + 1));
            })
            .get("/none", x -> x.json(null))
            .get("/circle", x -> x.json(Thread.currentThread()));

    @EachReactor
    void json_goesThereAndBack(String reactor) {
        Http.serve(reactor, ORDERS, server -> {
            String told = curl(server, "/orders", "--json", "{\"name\":\"é\",\"count\":1}");
            assertThat(told)
                    .startsWith("HTTP/1.1 201 ")
                    .contains("Content-Type: application/json\n")
                    .endsWith("{\"name\":\"é\",\"count\":2}");
            assertThat(curl(server, "/none")).endsWith("\n\nnull");
            try (var client = HttpClient.builder().build()) {
                var response = client.request("POST", url(server, "/orders"))
                        .json(new Order("a", 5))
                        .send();
                assertThat(response.body(Order.class)).isEqualTo(new Order("a", 6));
                assertThatThrownBy(() -> client.get(url(server, "/none")).body(Order.class))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("/none: the body of the response is no Order in JSON: it is null");
                assertThatThrownBy(() -> client.get(url(server, "/other")).body(Order.class))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("malformed at line 1");
            }
        });
    }

    @EachReactor
    void jsonThatIsNoGood_isRefused(String reactor) {
        Http.serve(reactor, ORDERS, server -> {
            assertThat(curl(server, "/orders", "--json", "{\"name\":"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("the body is refused: ")
                    .doesNotContain("Order");
            assertThat(curl(server, "/orders", "--json", "{\"count\":[]}"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("what stands at count does not fit");
            assertThat(curl(server, "/orders", "--json", "null")).startsWith("HTTP/1.1 400 ");
            assertThat(curl(server, "/orders", "--json", "")).startsWith("HTTP/1.1 400 ");
            assertThat(curl(server, "/orders", "-d", "{}")).startsWith("HTTP/1.1 415 ");
            assertThat(curl(server, "/orders", "-H", "Content-Type: application/merge-patch+json; x=y", "-d", "{}"))
                    .startsWith("HTTP/1.1 201 ");
        });
    }

    @EachReactor
    void codecOfTheProgram_isUsed(String reactor) {
        JsonCodec codec = new JsonCodec() {
            @Override
            public byte[] write(@Nullable Object value) {
                return ("<" + value + ">").getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public <T> T read(byte[] json, Class<T> type) {
                return type.cast(new String(json, StandardCharsets.UTF_8));
            }
        };
        HttpHandler handler = x -> x.json(x.body(String.class));
        Http.serve(reactor, b -> b.json(codec), handler, server -> {
            try (var client = HttpClient.builder().json(codec).build()) {
                var response =
                        client.request("POST", url(server, "/")).json("a").send();
                assertThat(response.body(String.class)).isEqualTo("<<a>>");
            }
        });
    }

    // ---- errors

    @EachReactor
    void errors_areProblemsIfAskedFor(String reactor) {
        HttpHandler routes = new Routes()
                .get("/poor", x -> {
                    x.header("ETag", "\"1\"").header("X-Prepared", "yes");
                    throw new HttpException(403, "you have \"30\"")
                            .with("type", "https://example.org/poor")
                            .with("balance", 30)
                            .with("rate", Double.NaN)
                            .with("open", true)
                            .header("X-Own", "é");
                })
                .get("/late", x -> {
                    throw new HttpException(503, "later").header("Cache-Control", "no-store");
                });
        Http.serve(reactor, b -> b.problemDetails(true), routes, server -> {
            assertThat(curl(server, "/poor"))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("Content-Type: application/problem+json\n")
                    .doesNotContain("ETag", "X-Prepared")
                    .endsWith("\n\n{\"title\":\"Forbidden\",\"status\":403,\"detail\":\"you have \\u002230\\u0022\","
                            + "\"type\":\"https://example.org/poor\",\"balance\":30,\"rate\":\"NaN\",\"open\":true}");
            assertThat(curl(server, "/late")).contains("Retry-After: 1\n", "Cache-Control: no-store\n");
            assertThat(curl(server, "/none")).contains("{\"title\":\"Not Found\",\"status\":404,\"detail\":");
            assertThat(curl(server, "/poor", "-X", "PUT")).contains("Allow: GET, HEAD", "\"status\":405");
        });
        assertThat(Http.serveAll(
                        reactor,
                        b -> b.problemDetails(true),
                        x -> {
                            throw new IllegalStateException("secret");
                        },
                        server -> assertThat(curl(server, "/"))
                                .startsWith("HTTP/1.1 500 ")
                                .contains("\"status\":500")
                                .doesNotContain("secret")))
                .hasSize(1);
    }

    @Test
    void memberThatIsGivenAlready_isRefused() {
        assertThatThrownBy(() -> new HttpException(404, "").with("status", 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- responses

    @EachReactor
    void redirect_sendsTheClientElsewhere(String reactor) {
        HttpHandler handler = x -> {
            switch (x.path()) {
                case "/a" -> x.redirect("/ü?x=1");
                case "/b" -> x.redirect(308, "https://example.org/");
                case "/bad" -> x.redirect("/\r\nX: y");
                default -> x.html("<p>" + x.method() + " é");
            }
        };
        List<String> reports = Http.serveAll(reactor, b -> b, handler, server -> {
            assertThat(curl(server, "/a")).startsWith("HTTP/1.1 302 ").contains("Location: /%C3%BC?x=1\n");
            assertThat(curl(server, "/a", "-d", "x")).startsWith("HTTP/1.1 303 ");
            assertThat(run("curl", "-sL", "-d", "x", url(server, "/a"))).isEqualTo("<p>GET é");
            assertThat(curl(server, "/b")).startsWith("HTTP/1.1 308 ").contains("Location: https://example.org/\n");
            assertThat(curl(server, "/p")).contains("Content-Type: text/html; charset=utf-8\n");
            assertThat(curl(server, "/bad")).startsWith("HTTP/1.1 500 ").doesNotContain("X: y");
        });
        assertThat(reports).hasSize(1);
    }

    @EachReactor
    void unlessModified_answersWhoHasItAlready(String reactor) {
        HttpHandler handler = x -> {
            if (x.unlessModified("v7")) return;
            x.respond("content");
        };
        Http.serve(reactor, handler, server -> {
            assertThat(curl(server, "/")).contains("ETag: \"v7\"\n").endsWith("content");
            String[][] cases = {
                {"GET", "If-None-Match: \"v7\"", "304"},
                {"GET", "If-None-Match: W/\"v7\", \"x\"", "304"},
                {"GET", "If-None-Match: *", "304"},
                {"GET", "If-None-Match: \"v6\"", "200"},
                {"GET", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "200"},
                {"PUT", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "200"},
                {"PUT", "If-Match: \"v6\"", "412"},
                {"PUT", "If-Match: \"v7\"", "200"},
                {"PUT", "If-None-Match: *", "412"},
            };
            for (String[] one : cases)
                assertThat(curl(server, "/", "-X", one[0], "-H", one[1]))
                        .as(one[1])
                        .startsWith("HTTP/1.1 " + one[2] + " ")
                        .contains("ETag: \"v7\"\n");
        });
        assertThatThrownBy(
                        () -> Http.serve(reactor, x -> x.unlessModified("a\"b"), server -> assertThat(curl(server, "/"))
                                .startsWith("HTTP/1.1 500 ")))
                .hasMessageContaining("a tag must have visible ASCII");
    }

    @EachReactor
    void cookies_areKeptByTheClient(String reactor) {
        HttpHandler handler = x -> {
            switch (x.path()) {
                case "/in" ->
                    x.setCookie(Cookie.of("session", "s-1").maxAge(Duration.ofHours(1)))
                            .setCookie(Cookie.of("theme", "dark")
                                    .sameSite("None")
                                    .httpOnly(false)
                                    .path("/in"))
                            .respond("in");
                case "/out" -> x.setCookie(Cookie.expired("session")).respond("out");
                default -> x.respond(x.cookie("session") + " " + x.cookie("theme"));
            }
        };
        String jar = folder.resolve("jar").toString();
        Http.serve(reactor, handler, server -> {
            assertThat(curl(server, "/in", "-c", jar))
                    .contains(
                            "Set-Cookie: session=s-1; Path=/; Max-Age=3600; SameSite=Lax; HttpOnly\n",
                            "Set-Cookie: theme=dark; Path=/in; SameSite=None; Secure\n");
            assertThat(curl(server, "/", "-b", jar)).endsWith("s-1 null");
            curl(server, "/out", "-b", jar, "-c", jar);
            assertThat(curl(server, "/", "-b", jar)).endsWith("null null");
            assertThat(curl(server, "/", "-H", "Cookie: a=b; session=\"x\"; theme=1; session=2"))
                    .endsWith("x 1");
            assertThat(curl(server, "/", "-H", "Cookie: ;;=; session")).endsWith("null null");
        });
        for (String bad : List.of("a b", "a;b", "é", "a\r\nb", "a,b"))
            assertThatThrownBy(() -> Cookie.of("a", bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Cookie.of("a=b", "c")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Cookie.of("a", "c").domain("x; Secure")).isInstanceOf(IllegalArgumentException.class);
    }

    @EachReactor
    void attachment_isSavedUnderItsName(String reactor) {
        Http.serve(reactor, x -> x.attachment("€ \"rates\".txt").respond("x"), server -> assertThat(curl(server, "/"))
                .contains("Content-Disposition: attachment; filename=\"_ _rates_.txt\";"
                        + " filename*=UTF-8''%E2%82%AC%20%22rates%22.txt\n"));
        Http.serve(reactor, x -> x.attachment("a b.txt").respond("x"), server -> {
            run("sh", "-c", "cd " + folder + " && curl -sOJ " + url(server, "/other"));
            assertThat(Files.readString(folder.resolve("a b.txt"))).isEqualTo("x");
        });
    }

    // ---- filters

    @EachReactor
    void cors_letsNamedOriginsRead(String reactor) {
        var cors = new CorsFilter("https://app.test", "http://localhost:3000")
                .headers("Content-Type", "X-Id")
                .exposed("X-Total")
                .maxAge(Duration.ofMinutes(10))
                .credentials(true);
        var routes = new Routes().get("/x", x -> x.respond("x")).post("/x", x -> {
            throw new IllegalStateException("bug");
        });
        List<String> reports = Http.serveAll(reactor, b -> b, cors.around(routes), server -> {
            String[] ask = {
                "-X", "OPTIONS", "-H", "Origin: https://app.test", "-H", "Access-Control-Request-Method: POST"
            };
            assertThat(curl(server, "/x", ask))
                    .startsWith("HTTP/1.1 204 ")
                    .contains(
                            "Access-Control-Allow-Origin: https://app.test\n",
                            "Access-Control-Allow-Credentials: true\n",
                            "Access-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE\n",
                            "Access-Control-Max-Age: 600\n",
                            "Vary: Origin\n")
                    .containsPattern("Access-Control-Allow-Headers: (content-type, x-id|x-id, content-type)\n");
            assertThat(curl(server, "/x", "-H", "Origin: http://localhost:3000"))
                    .contains(
                            "Access-Control-Allow-Origin: http://localhost:3000\n",
                            "Access-Control-Expose-Headers: X-Total\n")
                    .endsWith("x");
            // scripts can read errors too
            for (String path : List.of("/x", "/none"))
                assertThat(curl(server, path, "-H", "Origin: https://app.test", "-d", "1"))
                        .contains("Access-Control-Allow-Origin: https://app.test\n", "Vary: Origin\n");
            ask[3] = "Origin: https://evil.test";
            assertThat(curl(server, "/x", ask))
                    .startsWith("HTTP/1.1 403 ")
                    .doesNotContain("Access-Control-Allow-Origin");
            assertThat(curl(server, "/x", "-H", "Origin: https://evil.test"))
                    .doesNotContain("Access-Control-Allow")
                    .contains("Vary: Origin\n")
                    .endsWith("x");
            assertThat(curl(server, "/x", "-X", "OPTIONS")).contains("Allow: GET, HEAD, OPTIONS, POST");
        });
        assertThat(reports).hasSize(1);
        Http.serve(reactor, new CorsFilter("*").around(x -> x.respond("x")), server -> assertThat(
                        curl(server, "/", "-H", "Origin: https://any.test"))
                .contains("Access-Control-Allow-Origin: *\n")
                .doesNotContain("Vary", "Credentials"));
        assertThatThrownBy(() -> new CorsFilter("*").credentials(true)).isInstanceOf(IllegalStateException.class);
        for (String bad : List.of("app.test", "https://app.test/", ""))
            assertThatThrownBy(() -> new CorsFilter(bad)).isInstanceOf(IllegalArgumentException.class);
    }

    @EachReactor
    void securityHeaders_areOnEachResponse(String reactor) {
        HttpHandler handler = HttpFilters.securityHeaders().around(x -> {
            if (x.path().equals("/none")) throw new HttpException(404, "none");
            x.header("X-Frame-Options", "SAMEORIGIN").respond("x");
        });
        Http.serve(reactor, handler, server -> {
            assertThat(curl(server, "/"))
                    .contains(
                            "X-Content-Type-Options: nosniff\n",
                            "X-Frame-Options: SAMEORIGIN\n",
                            "Referrer-Policy: strict-origin-when-cross-origin\n")
                    .doesNotContain("Strict-Transport-Security", "DENY");
            assertThat(curl(server, "/none")).contains(" 404 ", "X-Content-Type-Options: nosniff\n");
        });
        Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .listener(Listener.tcp(0).host("127.0.0.1").xForwarded("127.0.0.1"))
                    .listen(handler)) {
                assertThat(curl(server, "/", "-H", "X-Forwarded-Proto: https"))
                        .contains("Strict-Transport-Security: max-age=31536000\n");
            }
        });
    }

    @EachReactor
    void basic_asksForNameAndPassword(String reactor) {
        var users = Map.of("jö", "pass:wörd");
        HttpFilter filter = HttpFilters.basic("the shop", (user, password) -> {
            Async.delay(1);
            return password.equals(users.get(user)) ? () -> user : null;
        });
        HttpHandler handler =
                filter.around(x -> x.respond("hello " + x.principal().getName()));
        Http.serve(reactor, handler, server -> {
            assertThat(curl(server, "/", "-u", "jö:pass:wörd")).endsWith("hello jö");
            for (String[] bad : new String[][] {
                {"-u", "jö:other"},
                {"-u", "x:pass:wörd"},
                {},
                {"-H", "Authorization: Basic %%%"},
                {"-H", "Authorization: Basic /w=="},
                {"-H", "Authorization: Bearer x"}
            })
                assertThat(curl(server, "/", bad))
                        .startsWith("HTTP/1.1 401 ")
                        .contains("WWW-Authenticate: Basic realm=\"the shop\", charset=\"UTF-8\"\n");
        });
        assertThatThrownBy(() -> HttpFilters.basic("a\"b", (user, password) -> null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @EachReactor
    void bearer_asksForAToken(String reactor) {
        HttpFilter filter = HttpFilters.bearer("api", token -> token.equals("t-1") ? () -> "robot" : null);
        HttpHandler handler =
                filter.around(x -> x.respond("hello " + x.principal().getName()));
        Http.serve(reactor, handler, server -> {
            assertThat(curl(server, "/", "--oauth2-bearer", "t-1")).endsWith("hello robot");
            assertThat(curl(server, "/", "--oauth2-bearer", "t-2"))
                    .startsWith("HTTP/1.1 401 ")
                    .contains("WWW-Authenticate: Bearer realm=\"api\", error=\"invalid_token\"\n");
            assertThat(curl(server, "/")).contains("WWW-Authenticate: Bearer realm=\"api\"\n");
        });
    }

    @EachReactor
    void rateLimit_holdsForEachClient(String reactor) {
        var limit = new RateLimitFilter(3, Duration.ofHours(1)).by(x -> x.header("X-Client"));
        Http.serve(reactor, limit.around(x -> x.respond("ok")), server -> {
            for (String client : List.of("a", "b".repeat(1_000))) {
                for (int i = 0; i < 3; i++)
                    assertThat(curl(server, "/", "-H", "X-Client: " + client)).endsWith("ok");
                assertThat(curl(server, "/", "-H", "X-Client: " + client))
                        .startsWith("HTTP/1.1 429 ")
                        .containsPattern("Retry-After: (1200|1199)\n");
            }
            assertThat(curl(server, "/", "-H", "X-Client: " + "b".repeat(1_001)))
                    .endsWith("ok");
        });
    }

    @EachReactor
    void rateLimit_givesRequestsBackOneByOne(String reactor) {
        var limit = new RateLimitFilter(2, Duration.ofMillis(400));
        Http.serve(reactor, limit.around(x -> x.respond("ok")), server -> {
            assertThat(curl(server, "/")).endsWith("ok");
            assertThat(curl(server, "/")).endsWith("ok");
            long begin = System.nanoTime();
            while (curl(server, "/").contains(" 429 ")) Async.delay(10);
            assertThat(System.nanoTime() - begin).isGreaterThan(50_000_000);
        });
    }

    @EachReactor
    void rateLimit_forgetsWhoWasQuietForTheLongest(String reactor) {
        var limit = new RateLimitFilter(1, Duration.ofHours(1))
                .by(x -> x.header("X-Client"))
                .maxClients(2);
        Http.serve(reactor, limit.around(x -> x.respond("ok")), server -> {
            for (String client : List.of("a", "b"))
                assertThat(curl(server, "/", "-H", "X-Client: " + client)).endsWith("ok");
            assertThat(curl(server, "/", "-H", "X-Client: a")).contains(" 429 ");
            assertThat(curl(server, "/", "-H", "X-Client: c")).endsWith("ok");
            assertThat(curl(server, "/", "-H", "X-Client: a")).contains(" 429 ");
            assertThat(curl(server, "/", "-H", "X-Client: b")).endsWith("ok");
        });
    }
}
