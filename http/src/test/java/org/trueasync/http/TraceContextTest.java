package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;

/** The cases are those that W3C's own tests of Trace Context ask for, in words of our own. */
@Timeout(60)
class TraceContextTest {
    private static final String ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String GOOD = "00-" + ID + "-" + SPAN + "-01";

    /** What a handler sees, and would send on. */
    private static void tell(Exchange exchange) {
        TraceContext trace = TraceContext.current();
        if (trace == null) throw new AssertionError("no trace");
        var headers = new TreeMap<>(trace.headers());
        String parent = headers.remove("traceparent");
        assertThat(parent).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]").contains(trace.traceId());
        assertThat(parent).doesNotContain(SPAN).doesNotContain(trace.spanId());
        exchange.respond(trace.traceId() + " " + trace.isSampled() + " " + parent.substring(53) + " " + headers);
    }

    private static void serve(Http.Client client) {
        Http.serve("nio", HttpFilters.trace().around(TraceContextTest::tell), client);
    }

    private static String ask(HttpServer server, String fields) throws Exception {
        String all = Raw.exchange(server.port(), "GET / HTTP/1.0\r\nHost: a\r\n" + fields + "\r\n");
        return all.substring(all.indexOf("\r\n\r\n") + 4);
    }

    private static String ask(HttpServer server, Map<String, String> fields) throws Exception {
        return ask(
                server,
                fields.entrySet().stream()
                        .map(field -> field.getKey() + ": " + field.getValue() + "\r\n")
                        .collect(Collectors.joining()));
    }

    @Test
    void parents_areTakenOrIgnored() {
        Map<String, Boolean> cases = new TreeMap<>(Map.of(
                GOOD,
                true,
                GOOD.toUpperCase(java.util.Locale.ROOT),
                false,
                "00-" + "0".repeat(32) + "-" + SPAN + "-01",
                false,
                "00-" + ID + "-" + "0".repeat(16) + "-01",
                false,
                "ff" + GOOD.substring(2),
                false,
                "FF" + GOOD.substring(2),
                false,
                "cc" + GOOD.substring(2),
                true,
                "cc" + GOOD.substring(2) + "-what-the-future-brings",
                true,
                "cc" + GOOD.substring(2) + ".what-the-future-brings",
                false,
                GOOD + "-what-the-future-brings",
                false));
        cases.putAll(Map.of(
                GOOD + "-",
                false,
                GOOD.replace("00-", "0-"),
                false,
                GOOD.replace("00-", "000-"),
                false,
                GOOD.replace("00-", ".0-"),
                false,
                GOOD.replace(ID, ID.substring(1)),
                false,
                GOOD.replace(ID, ID + "1"),
                false,
                GOOD.replace(SPAN, SPAN + "1"),
                false,
                GOOD.replace(SPAN, SPAN.replace('b', 'g')),
                false,
                GOOD.substring(0, 53) + ".0",
                false,
                GOOD.substring(0, 54),
                false));
        cases.put("\t " + GOOD + " \t", true);
        cases.put("", false);
        serve(server -> {
            var made = new HashSet<String>();
            for (var one : cases.entrySet()) {
                String seen = ask(server, Map.of("TraceParent", one.getKey(), "tracestate", "a=1"));
                if (one.getValue()) assertThat(seen).as(one.getKey()).isEqualTo(ID + " true 01 {tracestate=a=1}");
                else {
                    assertThat(seen).as(one.getKey()).endsWith(" true 03 {}").doesNotStartWith(ID);
                    assertThat(made.add(seen)).isTrue();
                }
            }
            for (String two : List.of(GOOD, GOOD.replace("1-01", "2-01")))
                assertThat(ask(server, "traceparent: " + GOOD + "\r\ntraceparent: " + two + "\r\n"))
                        .doesNotStartWith(ID);
            assertThat(ask(server, "traceparent: " + GOOD + "," + GOOD + "\r\n"))
                    .doesNotStartWith(ID);
        });
    }

    @Test
    void flags_areKept() {
        serve(server -> {
            for (String flags : List.of("00 false 00", "01 true 01", "02 false 02", "ff true 03", "04 false 00"))
                assertThat(ask(server, Map.of("traceparent", GOOD.substring(0, 53) + flags.substring(0, 2))))
                        .isEqualTo(ID + flags.substring(2) + " {}");
        });
    }

    private static String members(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k" + i + "=" + i).collect(Collectors.joining(","));
    }

    @Test
    void states_areTakenOrIgnored() {
        String longest = "a".repeat(256) + "=1," + "t".repeat(241) + "@" + "v".repeat(14) + "=" + "~".repeat(256);
        Map<String, String> cases = new TreeMap<>(Map.of(
                "foo=1,bar=2",
                "foo=1,bar=2",
                " foo=1 ,\tbar=2\t",
                "foo=1,bar=2",
                "foo=1,,bar=2,",
                "foo=1,bar=2",
                "foo=1,foo=2",
                "",
                "a-_*/9z=!x y~",
                "a-_*/9z=!x y~",
                "9@a=1",
                "9@a=1",
                longest,
                longest,
                members(32),
                members(32),
                members(33),
                ""));
        for (String bad : List.of(
                "foo",
                "foo=",
                "=1",
                "FOO=1",
                "foo =1",
                "foo@=1",
                "@foo=1",
                "foo@@bar=1",
                "f@o@o=1",
                "9foo=1",
                "foo.b=1")) cases.put(bad + ",bar=2", "");
        for (String bad : List.of(
                "a".repeat(257) + "=1",
                "t".repeat(242) + "@v=1",
                "t@" + "v".repeat(15) + "=1",
                "a=" + "1".repeat(257),
                "a=1=2",
                "a=\u00e9")) cases.put(bad, "");
        serve(server -> {
            for (var one : cases.entrySet())
                assertThat(ask(server, Map.of("traceparent", GOOD, "tracestate", one.getKey())))
                        .as(one.getKey())
                        .isEqualTo(ID + " true 01 {" + (one.getValue().isEmpty() ? "" : "tracestate=" + one.getValue())
                                + "}");
            String twice = "traceparent: " + GOOD + "\r\ntracestate: foo=1\r\nTraceState: bar=2\r\n";
            assertThat(ask(server, twice)).endsWith("{tracestate=foo=1,bar=2}");
            assertThat(ask(server, twice + "tracestate:\r\n")).endsWith("{tracestate=foo=1,bar=2}");
            assertThat(ask(server, twice + "tracestate: foo=1\r\n")).endsWith(" {}");
        });
    }

    @Test
    void baggage_goesAlongWithAndWithoutATrace() {
        serve(server -> {
            String two = "baggage: user=ada;secret\r\nBaggage: n=%20\r\n";
            assertThat(ask(server, two)).endsWith(" 03 {baggage=user=ada;secret,n=%20}");
            assertThat(ask(server, two + "traceparent: " + GOOD + "\r\n"))
                    .isEqualTo(ID + " true 01 {baggage=user=ada;secret,n=%20}");
            assertThat(ask(server, Map.of("baggage", "a=" + "1".repeat(8_190)))).contains("baggage");
            assertThat(ask(server, Map.of("baggage", "a=" + "1".repeat(8_191)))).endsWith(" {}");
        });
    }

    @Test
    void client_sendsItFromAllThatTheHandlerStarts() {
        var seen = new ArrayList<String>();
        HttpHandler called = exchange -> {
            seen.add(exchange.path() + " " + exchange.header("traceparent") + " " + exchange.header("tracestate") + " "
                    + exchange.header("baggage"));
            if (exchange.path().equals("/moved")) exchange.redirect("/spawned");
            else exchange.respond("ok");
        };
        Http.serve("libuv", called, target -> {
            String to = "http://127.0.0.1:" + target.port();
            HttpHandler handler = exchange -> {
                try (var client = HttpClient.builder().followRedirects(1).build();
                        var silent = HttpClient.builder().traceContext(false).build()) {
                    client.get(to + "/handler").close();
                    spawn(() -> client.get(to + "/moved").text()).await();
                    client.request("GET", to + "/own")
                            .header("traceparent", "mine")
                            .send()
                            .close();
                    client.request("GET", to + "/baggage")
                            .header("Baggage", "mine")
                            .send()
                            .close();
                    silent.get(to + "/silent").close();
                    assertThat(Async.<String>blocking(
                                    () -> TraceContext.current().traceId()))
                            .isEqualTo(ID);
                }
                exchange.respond("ok");
            };
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .listen(HttpFilters.trace().around(handler))) {
                ask(server, Map.of("traceparent", GOOD, "tracestate", "a=1", "baggage", "b=2"));
            }
            try (var client = HttpClient.builder().build()) {
                client.get(to + "/outside").close();
            }
        });
        String traced = " 00-" + ID + "-[0-9a-f]{16}-01 a=1 ";
        assertThat(seen).hasSize(7);
        for (int i = 0; i < 3; i++)
            assertThat(seen.get(i))
                    .matches(List.of("/handler", "/moved", "/spawned").get(i) + traced + "b=2");
        assertThat(seen.stream().limit(3).map(line -> line.split("-")[2])).doesNotHaveDuplicates();
        assertThat(seen.get(3)).isEqualTo("/own mine null null");
        assertThat(seen.get(4)).matches("/baggage" + traced + "mine");
        assertThat(seen.get(5)).isEqualTo("/silent null null null");
        assertThat(seen.get(6)).isEqualTo("/outside null null null");
    }

    @Test
    void requestIds_areTheClientsOrMade() {
        var log = new ArrayList<AccessLog>();
        HttpHandler handler = exchange -> {
            if (exchange.path().equals("/fails")) throw new HttpException(404, "no");
            exchange.respond(String.valueOf(exchange.requestId()));
        };
        Http.serve(
                "nio",
                builder -> builder.accessLog(log::add),
                HttpFilters.requestId().around(HttpFilters.trace().around(handler)),
                server -> {
                    for (String id : List.of("abc-1:2/3=", "x".repeat(128)))
                        assertThat(ask(server, Map.of("X-Request-Id", id))).isEqualTo(id);
                    for (String id : List.of("", "a b", "a\"b", "x".repeat(129), "a,b"))
                        assertThat(ask(server, Map.of("X-Request-Id", id))).matches("[0-9a-f]{32}");
                    assertThat(ask(server, "x-request-id: a\r\nx-request-id: b\r\n"))
                            .matches("[0-9a-f]{32}");
                    assertThat(Raw.exchange(
                                    server.port(), "GET /fails HTTP/1.0\r\nHost: a\r\nX-Request-ID: me\r\n\r\n"))
                            .contains("404", "X-Request-Id: me\r\n");
                });
        assertThat(log).hasSize(9);
        assertThat(log.getFirst().requestId()).isEqualTo("abc-1:2/3=");
        assertThat(log.getFirst().json())
                .contains(
                        "\"trace_id\":\"" + log.getFirst().traceId() + "\"",
                        "\"span_id\":\"" + log.getFirst().spanId() + "\"",
                        "\"http.response.header.x-request-id\":[\"abc-1:2/3=\"]");
        assertThat(log.getLast().requestId()).isEqualTo("me");
        assertThat(TraceContext.current()).isNull();
    }
}
