package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a program takes from outside and puts into a message begins no line of its own there: it is refused, or comes
 * escaped.
 */
class InjectionTest {
    private static final List<String> ENDS = List.of("\r\n", "\n", "\r", "\0", "\u2028\r\n", "\u560d\u560a");
    private static final String INJECTED = "Injected: yes";

    @EachReactor
    void textFromOutside_beginsNoLineOfAResponse(String reactor) {
        var places = new LinkedHashMap<String, Place>();
        places.put("name of a field", (exchange, text) -> exchange.header(text, "v"));
        places.put("value of a field", (exchange, text) -> exchange.header("X-Name", text));
        places.put("added field", (exchange, text) -> exchange.responseHeaders().add("X-Name", text));
        places.put("content type", (exchange, text) -> exchange.header("Content-Type", text));
        places.put("name of a cookie", (exchange, text) -> exchange.setCookie(Cookie.of(text, "v")));
        places.put("value of a cookie", (exchange, text) -> exchange.setCookie(Cookie.of("n", text)));
        places.put(
                "path of a cookie",
                (exchange, text) -> exchange.setCookie(Cookie.of("n", "v").path("/" + text)));
        places.put(
                "domain of a cookie",
                (exchange, text) -> exchange.setCookie(Cookie.of("n", "v").domain(text)));
        places.put("file name", Exchange::attachment);
        places.put("redirect", (exchange, text) -> exchange.redirect("/" + text));
        places.put("tag", (exchange, text) -> exchange.unlessModified(text));
        places.put("trailer", (exchange, text) -> exchange.trailer("X-Name", text));
        for (Map.Entry<String, Place> place : places.entrySet())
            for (String end : ENDS) {
                String text = "a" + end + INJECTED;
                HttpHandler handler = exchange -> {
                    try {
                        place.getValue().put(exchange, text);
                        if (!exchange.isCommitted()) exchange.write("taken");
                    } catch (IllegalArgumentException refused) {
                        exchange.respond("refused");
                    }
                };
                Http.serve(reactor, handler, server -> {
                    String response = Raw.exchange(
                            server.port(), "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close\r\n\r\n");
                    assertThat(response).as(place.getKey()).startsWith("HTTP/1.1 ");
                    assertThat(response.split("[\r\n\0]"))
                            .as("%s with %s", place.getKey(), codes(end))
                            .noneMatch(line -> line.startsWith(INJECTED));
                });
            }
    }

    @EachReactor
    void textFromOutside_beginsNoFieldOfAnEvent(String reactor) {
        for (String end : List.of("\r\n", "\n", "\r")) {
            HttpHandler handler = exchange -> {
                var events = exchange.events();
                events.send("a" + end + "id: 7");
                events.comment("a" + end + "data: yes");
                for (String[] of : new String[][] {{"a" + end + "data: yes", null}, {null, "a" + end + "data: yes"}})
                    try {
                        events.send(of[0], of[1], "x");
                    } catch (IllegalArgumentException refused) {
                        // as it must be
                    }
            };
            Http.serve(reactor, handler, server -> {
                String response = Raw.exchange(server.port(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(response.split("[\r\n]"))
                        .noneMatch(line -> line.startsWith("id:") || line.startsWith("data: yes"));
            });
        }
    }

    @EachReactor
    void textFromOutside_beginsNoLineOfARequest(String reactor) {
        HttpHandler handler = exchange -> exchange.respond(String.valueOf(exchange.header("Injected")));
        Http.serve(reactor, handler, server -> {
            String place = "http://127.0.0.1:" + server.port();
            try (var client = HttpClient.builder().build()) {
                var requests = new LinkedHashMap<String, Request>();
                requests.put("method", text -> client.request(text, place));
                requests.put("path", text -> client.request("GET", place + "/" + text));
                requests.put("query", text -> client.request("GET", place + "/?" + text));
                requests.put("host", text -> client.request("GET", "http://" + text + ":" + server.port()));
                requests.put(
                        "name of a field", text -> client.request("GET", place).header(text, "v"));
                requests.put(
                        "value of a field", text -> client.request("GET", place).header("X-Name", text));
                requests.put("Host", text -> client.request("GET", place).header("Host", text));
                for (Map.Entry<String, Request> request : requests.entrySet())
                    for (String end : ENDS)
                        try (var response =
                                request.getValue().make("a" + end + INJECTED).send()) {
                            assertThat(response.text())
                                    .as("%s with %s", request.getKey(), codes(end))
                                    .isEqualTo("null");
                        } catch (IllegalArgumentException refused) {
                            // as it should be
                        }
            }
        });
    }

    private static String codes(String text) {
        return text.chars().mapToObj(Integer::toHexString).toList().toString();
    }

    private interface Place {
        void put(Exchange exchange, String text);
    }

    private interface Request {
        HttpRequest make(String text);
    }
}
