package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which handler a request gets. */
@Timeout(60)
class RoutesTest {
    /** Sends one request; returns status, a space, and the body. */
    private static String ask(HttpServer server, String method, String target) throws Exception {
        String answer = Raw.exchange(
                server.port(), method + " " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        int end = answer.indexOf("\r\n\r\n");
        return answer.substring(9, 12) + " " + answer.substring(end + 4);
    }

    private static String allow(HttpServer server, String method, String target) throws Exception {
        String answer = Raw.exchange(
                server.port(), method + " " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        return answer.substring(9, 12)
                + answer.lines()
                        .filter(line -> line.startsWith("Allow: "))
                        .map(line -> line.substring(6))
                        .findFirst()
                        .orElse("");
    }

    private static HttpHandler says(String what, String... names) {
        return exchange -> {
            var text = new StringBuilder(what);
            for (String name : names) text.append(' ').append(name).append('=').append(exchange.pathParameter(name));
            exchange.respond(text.toString());
        };
    }

    @EachReactor
    void mostSpecificRoute_isTakenInAnyOrderOfRegistration(String reactor) {
        List<Runnable> adds = new ArrayList<>();
        var routes = new Routes[1];
        adds.add(() -> routes[0].get("/", says("root")));
        adds.add(() -> routes[0].get("/users", says("users")));
        adds.add(() -> routes[0].get("/users/", says("users/")));
        adds.add(() -> routes[0].get("/users/me", says("me")));
        adds.add(() -> routes[0].get("/users/{id}", says("user", "id")));
        adds.add(() -> routes[0].put("/users/{name}", says("put", "name")));
        adds.add(() -> routes[0].get("/users/me/a/b", says("deep")));
        adds.add(() -> routes[0].get("/users/{id}/{what}/c", says("what", "id", "what")));
        adds.add(() -> routes[0].get("/users/{rest...}", says("rest", "rest")));
        adds.add(() -> routes[0].get("/{all...}", says("all", "all")));
        for (int seed = 0; seed < 3; seed++) {
            Collections.shuffle(adds, new Random(seed));
            routes[0] = new Routes();
            adds.forEach(Runnable::run);
            Http.serve(reactor, routes[0], server -> {
                assertThat(ask(server, "GET", "/")).isEqualTo("200 root");
                assertThat(ask(server, "GET", "/users?x=/y")).isEqualTo("200 users");
                assertThat(ask(server, "GET", "/users/")).isEqualTo("200 users/");
                assertThat(ask(server, "GET", "/users/me")).isEqualTo("200 me");
                assertThat(ask(server, "GET", "/users/7")).isEqualTo("200 user id=7");
                assertThat(ask(server, "PUT", "/users/me")).isEqualTo("200 put name=me");
                assertThat(ask(server, "GET", "/users/me/a/b")).isEqualTo("200 deep");
                assertThat(ask(server, "GET", "/users/me/a/c")).isEqualTo("200 what id=me what=a");
                assertThat(ask(server, "GET", "/users/me/a/d")).isEqualTo("200 rest rest=me/a/d");
                assertThat(ask(server, "GET", "/users//")).isEqualTo("200 rest rest=/");
                assertThat(ask(server, "GET", "/else/where/")).isEqualTo("200 all all=else/where/");
                assertThat(ask(server, "GET", "http://b/users/8")).isEqualTo("200 user id=8");
            });
        }
    }

    @EachReactor
    void unknownPathAndOtherMethod_give404And405(String reactor) {
        var routes = new Routes()
                .get("/a/{x}", says("get"))
                .delete("/a/b", says("delete"))
                .post("/only", says("post"))
                .route("PURGE", "/a/{x}", says("purge"))
                .route("OPTIONS", "/own", says("own"));
        Http.serve(reactor, routes, server -> {
            assertThat(ask(server, "GET", "/b")).startsWith("404 ");
            assertThat(ask(server, "GET", "/a")).startsWith("404 ");
            assertThat(ask(server, "GET", "/a/")).startsWith("404 ");
            assertThat(ask(server, "GET", "/a/b/c")).startsWith("404 ");
            assertThat(ask(server, "OPTIONS", "/b")).startsWith("404 ");
            assertThat(allow(server, "POST", "/a/b")).isEqualTo("405 DELETE, GET, HEAD, OPTIONS, PURGE");
            assertThat(allow(server, "GET", "/only")).isEqualTo("405 OPTIONS, POST");
            assertThat(allow(server, "HEAD", "/only")).isEqualTo("405 OPTIONS, POST");
            assertThat(allow(server, "OPTIONS", "/a/z")).isEqualTo("204 GET, HEAD, OPTIONS, PURGE");
            assertThat(allow(server, "OPTIONS", "*")).isEqualTo("204 DELETE, GET, HEAD, OPTIONS, POST, PURGE");
            assertThat(ask(server, "OPTIONS", "/own")).isEqualTo("200 own");
            assertThat(ask(server, "HEAD", "/a/q")).isEqualTo("200 ");
            assertThat(ask(server, "PURGE", "/a/q")).isEqualTo("200 purge");
        });
    }

    @EachReactor
    void escapes_areDecodedPerSegmentOrRefused(String reactor) {
        var routes = new Routes()
                .get("/x/{a}/{rest...}", says("x", "a", "rest"))
                .get("/a b/ä", says("literal"))
                .get("/{all...}", says("all", "all"));
        Http.serve(reactor, routes, server -> {
            assertThat(ask(server, "GET", "/a%20b/%C3%a4")).isEqualTo("200 literal");
            assertThat(ask(server, "GET", "/%78/1%2B+;v=2/c%3F")).isEqualTo("200 x a=1++;v=2 rest=c?");
            assertThat(ask(server, "GET", "/x/...//..a/.b")).isEqualTo("200 x a=... rest=/..a/.b");
            assertThat(ask(server, "GET", "/x/%252e/")).isEqualTo("200 x a=%2e rest=");
            for (String bad : List.of(
                    "/%",
                    "/%4",
                    "/%zz",
                    "/%+1",
                    "/%-1",
                    "/%c3",
                    "/%c0%ae",
                    "/%ff",
                    "/a%2fb",
                    "/a%2Fb",
                    "/%00",
                    "/.",
                    "/..",
                    "/a/./b",
                    "/a/../b",
                    "/a/..",
                    "/%2e",
                    "/%2E%2e/b",
                    "/.%2e/b",
                    "/a/%2e./")) assertThat(ask(server, "GET", bad)).as(bad).startsWith("400 ");
        });
    }

    @EachReactor
    void routesUnderAPrefix_areRoutesOfTheOuterOnes(String reactor) {
        var posts = new Routes().get("", says("posts", "id")).get("/{post}", says("post", "id", "post"));
        var api = new Routes().under("/users/{id}/posts", posts).get("/version", says("version"));
        var routes = new Routes()
                .under("/api", api)
                .post("/api/version", says("set"))
                .under("/old", exchange -> exchange.respond(exchange.method() + " " + exchange.rest()))
                .get("/old/new", says("new"));
        Http.serve(reactor, routes, server -> {
            assertThat(ask(server, "GET", "/api/users/5/posts")).isEqualTo("200 posts id=5");
            assertThat(ask(server, "GET", "/api/users/5/posts/6")).isEqualTo("200 post id=5 post=6");
            assertThat(allow(server, "PUT", "/api/version")).isEqualTo("405 GET, HEAD, OPTIONS, POST");
            assertThat(ask(server, "POST", "/old")).isEqualTo("200 POST ");
            assertThat(ask(server, "PUT", "/old/new")).isEqualTo("200 PUT new");
            assertThat(ask(server, "GET", "/old/new")).isEqualTo("200 new");
            assertThat(ask(server, "GET", "/old/a/b")).isEqualTo("200 GET a/b");
            assertThat(ask(server, "GET", "/older")).startsWith("404 ");
        });
        assertThat(routes.toString())
                .isEqualTo("GET /api/users/{id}/posts\nGET /api/users/{id}/posts/{post}\nGET /api/version\n"
                        + "POST /api/version\n* /old/**\nGET /old/new");
        assertThatThrownBy(() -> api.get("/late", says("late")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("under '/api'");
    }

    @EachReactor
    void filters_areAroundWhatHasARoute(String reactor) {
        var order = new ArrayList<String>();
        HttpFilter outer = (exchange, next) -> {
            order.add("outer");
            try {
                next.handle(exchange);
            } catch (NoSuchElementException e) {
                throw new HttpException(404, "no " + e.getMessage());
            }
            order.add("end");
        };
        var inner = new Routes().get("/b", says("b")).around((exchange, next) -> {
            order.add("inner");
            if (exchange.header("Key") == null) exchange.respond(401, "who are you");
            else next.handle(exchange);
        });
        var routes = new Routes().get("/a", exchange -> {
            throw new NoSuchElementException("such a");
        });
        routes.around(outer).around((exchange, next) -> {
            order.add("second");
            next.handle(exchange);
        });
        routes.under("/in", inner);
        Http.serve(reactor, outer.around(routes), server -> {
            assertThat(ask(server, "GET", "/a")).isEqualTo("404 no such a\n");
            assertThat(order).containsExactly("outer", "outer", "second");
            order.clear();
            assertThat(ask(server, "GET", "/in/b")).isEqualTo("401 who are you");
            assertThat(order).containsExactly("outer", "outer", "second", "inner", "end", "end");
            order.clear();
            assertThat(ask(server, "GET", "/none")).startsWith("404 ");
            assertThat(order).containsExactly("outer");
        });
    }

    @Test
    void conflict_namesBothRoutes() {
        var routes = new Routes()
                .get("/users/{id}", says("a"))
                .get("/files/{rest...}", says("a"))
                .under("/old", says("a"));
        for (String same : List.of("/users/{name}", "/files/{path...}"))
            assertThatThrownBy(() -> routes.get(same, says("b")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("GET " + same)
                    .hasMessageContaining(same.startsWith("/users") ? "GET /users/{id}" : "GET /files/{rest...}");
        assertThatThrownBy(() -> routes.under("/old", says("b")))
                .hasMessageContaining("* /old/**")
                .hasMessageContaining("same requests");
        var other = new Routes().get("/{x}", says("b"));
        assertThatThrownBy(() -> routes.under("/users", other)).hasMessageContaining("GET /users/{x}");
    }

    @Test
    void malformedPattern_isRefused() {
        for (String pattern : List.of(
                "a",
                "/a{b}",
                "/{a}b",
                "/{}",
                "/{...}",
                "/{a",
                "/a}",
                "/{a}/{a}",
                "/{a...}/b",
                "/a//b",
                "/../a",
                "/.",
                "/a%20b",
                "/a?b",
                "/a#b",
                "/{a{b}"))
            assertThatThrownBy(() -> new Routes().get(pattern, says("a")))
                    .as(pattern)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + pattern + "'");
        assertThatThrownBy(() -> new Routes().under("/a/{b...}", says("a"))).hasMessageContaining("prefix");
        assertThatThrownBy(() -> new Routes().route("a b", "/", says("a"))).hasMessageContaining("method");
    }

    @EachReactor
    void unknownParameter_isNamed(String reactor) {
        Http.serve(
                reactor,
                new Routes().get("/{a}/{b}", exchange -> {
                    try {
                        exchange.pathParameter("c");
                    } catch (IllegalArgumentException e) {
                        exchange.respond(e.getMessage());
                    }
                }),
                server -> assertThat(ask(server, "GET", "/1/2")).contains("GET /{a}/{b}", "{c}", "[a, b]"));
    }

    @Test
    void manyLiterals_areAllFound() {
        var tree = new org.trueasync.internal.http.routes.RouteTree<Integer>();
        for (int i = 0; i < 500; i++)
            tree.add(org.trueasync.internal.http.routes.Route.of("GET", "/r" + i * 31 + "/x", false, i));
        for (int i = 0; i < 500; i++) {
            var found = tree.find("GET", "/r" + i * 31 + "/x");
            assertThat(found).isNotNull();
            assertThat(found.handler()).isEqualTo(i);
        }
        assertThat(tree.find("GET", "/r1/x")).isNull();
    }
}
