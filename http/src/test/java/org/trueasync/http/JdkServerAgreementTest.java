package org.trueasync.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpServer;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Timeout;

/** Asks the JDK's own server and ours the same; both must answer alike. */
@Timeout(60)
class JdkServerAgreementTest {
    private static final Map<String, String> OF_JDK = new LinkedHashMap<>();

    /** A request and who asks it. */
    @FunctionalInterface
    private interface Request {
        String ask(HttpServer server) throws Exception;
    }

    private static void send(HttpExchange exchange, int code, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(bytes);
        }
    }

    private static Map<String, Request> requests() {
        var all = new LinkedHashMap<String, Request>();
        String login = "Authorization: Basic " + Base64.getEncoder().encodeToString("me:word".getBytes(UTF_8));
        all.put("fixed length", s -> JdkServers.ask(s, "GET", "/fixed"));
        all.put("fixed length, HEAD", s -> JdkServers.ask(s, "HEAD", "/none"));
        all.put("HEAD with its own length", s -> JdkServers.ask(s, "HEAD", "/head"));
        all.put("chunks", s -> JdkServers.ask(s, "GET", "/chunks"));
        all.put("chunks, nothing written", s -> JdkServers.ask(s, "GET", "/nochunks"));
        all.put("no body", s -> JdkServers.ask(s, "GET", "/none"));
        all.put("no content", s -> JdkServers.ask(s, "GET", "/204"));
        all.put("not modified", s -> JdkServers.ask(s, "GET", "/304"));
        all.put("no context", s -> JdkServers.ask(s, "GET", "/unknown"));
        all.put("wrong case", s -> JdkServers.ask(s, "GET", "/Apps/"));
        all.put("context without handler", s -> JdkServers.ask(s, "GET", "/empty"));
        all.put("longest prefix 1", s -> JdkServers.ask(s, "GET", "/apps/foo/bar"));
        all.put("longest prefix 2", s -> JdkServers.ask(s, "GET", "/apps/Foo/bar"));
        all.put("longest prefix 3", s -> JdkServers.ask(s, "GET", "/appsx"));
        all.put("escaped path", s -> JdkServers.ask(s, "GET", "/app%73/foo/%20"));
        all.put("absolute form", s -> JdkServers.ask(s, "GET", "http://a/apps/foo/?q=%41"));
        all.put("echo", s -> JdkServers.send(s, "hello", "POST", "/echo", "Content-Length: 5"));
        all.put(
                "echo of chunks",
                s -> JdkServers.send(
                        s, "5\r\nhello\r\n2\r\nab\r\n0\r\n\r\n", "POST", "/echo", "Transfer-Encoding: chunked"));
        all.put("body that is not read", s -> JdkServers.send(s, "hello", "POST", "/fixed", "Content-Length: 5"));
        all.put("filters", s -> JdkServers.ask(s, "GET", "/filters"));
        all.put("a filter that ends the chain", s -> JdkServers.ask(s, "GET", "/filters", "X-Stop: yes"));
        all.put("wrapped stream", s -> JdkServers.ask(s, "GET", "/upper"));
        all.put("attributes", s -> JdkServers.ask(s, "GET", "/attributes"));
        all.put("no credentials", s -> JdkServers.ask(s, "GET", "/private"));
        all.put("credentials", s -> JdkServers.ask(s, "GET", "/private", login));
        all.put("wrong credentials", s -> JdkServers.ask(s, "GET", "/private", "Authorization: Basic eDp5"));
        all.put("denied with a body", s -> JdkServers.send(s, "hello", "POST", "/denied", "Content-Length: 5"));
        all.put("close before the headers", s -> JdkServers.ask(s, "GET", "/close"));
        all.put("close after the headers", s -> JdkServers.ask(s, "GET", "/headersonly"));
        all.put("fields", s -> JdkServers.ask(s, "GET", "/fields?x=%20", "X-One: 1", "x-one: 2", "X-Two:   a  b "));
        all.put("facts", s -> JdkServers.ask(s, "PROPFIND", "/facts/a%20b?c=d%26"));
        all.put("too much", s -> JdkServers.ask(s, "GET", "/toomuch"));
        all.put("HTTP/1.0", s -> Raw.exchange(s.getAddress().getPort(), "GET /chunks HTTP/1.0\r\n\r\n"));
        all.put("malformed escape", s -> JdkServers.ask(s, "GET", "/%zz"));
        return all;
    }

    private static void setUp(HttpServer server) {
        server.createContext("/fixed", exchange -> send(exchange, 200, "hello"));
        server.createContext("/head", exchange -> {
            exchange.getResponseHeaders().set("Content-Length", "123");
            exchange.sendResponseHeaders(200, -1);
        });
        server.createContext("/chunks", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                for (int i = 0; i < 3_000; i++) body.write(("line " + i + "\n").getBytes(UTF_8));
                body.flush();
                body.write('x');
            }
        });
        server.createContext("/nochunks", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().close();
        });
        server.createContext("/none", exchange -> exchange.sendResponseHeaders(201, -1));
        server.createContext("/204", exchange -> exchange.sendResponseHeaders(204, -1));
        server.createContext("/304", exchange -> exchange.sendResponseHeaders(304, -1));
        server.createContext("/empty");
        HttpHandler where = exchange ->
                send(exchange, 200, "by " + exchange.getHttpContext().getPath());
        server.createContext("/app", where);
        server.createContext("/apps/foo/", where);
        server.createContext("/apps/").setHandler(where);
        server.createContext("/echo", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                exchange.getRequestBody().transferTo(exchange.getResponseBody());
            }
        });
        var filtered = server.createContext(
                "/filters", exchange -> send(exchange, 200, exchange.getAttribute("seen") + " handler"));
        filtered.getFilters().add(Filter.beforeHandler("first", exchange -> exchange.setAttribute("seen", "first")));
        filtered.getFilters().add(new Filter() {
            @Override
            public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
                if (exchange.getRequestHeaders().containsKey("x-stop")) send(exchange, 403, "stopped");
                else {
                    exchange.getResponseHeaders().add("X-Filter", "second");
                    exchange.setAttribute("seen", exchange.getAttribute("seen") + " second");
                    chain.doFilter(exchange);
                }
            }

            @Override
            public String description() {
                return "second";
            }
        });
        var upper = server.createContext("/upper", exchange -> send(exchange, 200, "hello"));
        upper.getFilters()
                .add(Filter.beforeHandler(
                        "upper",
                        exchange -> exchange.setStreams(null, new FilterOutputStream(exchange.getResponseBody()) {
                            @Override
                            public void write(int b) throws IOException {
                                out.write(Character.toUpperCase(b));
                            }
                        })));
        var attributes = server.createContext(
                "/attributes",
                exchange -> send(exchange, 200, exchange.getAttribute("of") + " " + exchange.getAttribute("none")));
        attributes.getAttributes().put("of", "the context");
        HttpHandler who = exchange -> {
            HttpPrincipal principal = exchange.getPrincipal();
            send(exchange, 200, principal == null ? "nobody" : principal.getRealm() + " " + principal.getUsername());
        };
        server.createContext("/private", who).setAuthenticator(new BasicAuthenticator("there") {
            @Override
            public boolean checkCredentials(String name, String password) {
                return name.equals("me") && password.equals("word");
            }
        });
        server.createContext("/denied", who).setAuthenticator(new Authenticator() {
            @Override
            public Result authenticate(HttpExchange exchange) {
                return new Authenticator.Failure(403);
            }
        });
        server.createContext("/close", HttpExchange::close);
        server.createContext("/headersonly", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.close();
        });
        server.createContext("/fields", exchange -> {
            exchange.getResponseHeaders().add("X-Many", "1");
            exchange.getResponseHeaders().add("X-Many", "2");
            var in = exchange.getRequestHeaders();
            send(exchange, 200, in.get("X-One") + " " + in.getFirst("X-two") + " " + in.getFirst("none"));
        });
        server.createContext("/facts", exchange -> {
            int before = exchange.getResponseCode();
            String facts = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestURI().getPath() + " " + exchange.getProtocol() + " "
                    + exchange.getRemoteAddress().getAddress() + " "
                    + (exchange.getLocalAddress().getPort()
                            == exchange.getHttpContext()
                                    .getServer()
                                    .getAddress()
                                    .getPort())
                    + " " + before + " " + exchange.getPrincipal();
            send(exchange, 299, facts);
        });
        server.createContext("/toomuch", exchange -> {
            exchange.sendResponseHeaders(200, 5);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write("hello".getBytes(UTF_8));
                try {
                    body.write('!');
                } catch (IOException e) {
                    // what the API asks for
                }
            }
        });
    }

    @JdkServers.EachServer
    void sameRequest_isAnsweredAlike(String kind) {
        JdkServers.serve(kind, JdkServerAgreementTest::setUp, server -> {
            var answers = new LinkedHashMap<String, String>();
            for (var entry : requests().entrySet())
                answers.put(entry.getKey(), JdkServers.essence(entry.getValue().ask(server)));
            if (kind.equals("jdk")) OF_JDK.putAll(answers);
            answers.forEach((name, answer) -> {
                assertThat(answer).as(name).matches("(?s)(HTTP/1.1 [2345]\\d\\d .*)?");
                if (OF_JDK.containsKey(name)) assertThat(answer).as(name).isEqualTo(OF_JDK.get(name));
            });
        });
    }
}
