package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.http.PeersTest.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.InputOutputException;
import org.trueasync.io.Pipe;
import org.trueasync.io.TlsOptions;

/** A server with several listeners; curl, openssl and socat as peers. */
@Timeout(60)
class ListenersTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    @TempDir
    private Path folder;

    private static Listener local() {
        return Listener.tcp(0).host("127.0.0.1");
    }

    /** What the request tells of its client. */
    private static void tell(Exchange x) {
        InetSocketAddress client = x.remoteAddress();
        x.respond((client == null ? "?" : client.getAddress().getHostAddress() + ":" + client.getPort()) + " "
                + x.scheme() + " " + x.host() + " " + x.protocol());
    }

    private static void serve(String reactor, HttpHandler handler, Http.Client client, Listener... listeners) {
        List<String> reports = Http.run(reactor, () -> {
            var builder = HttpServer.builder();
            for (Listener listener : listeners) builder.listener(listener);
            try (var server = builder.listen(handler)) {
                client.use(server);
            }
        });
        assertThat(reports).isEmpty();
    }

    private static int port(HttpServer server, int index) {
        return ((InetSocketAddress) server.localAddresses().get(index)).getPort();
    }

    // ---- several

    @EachReactor
    void eachListener_speaksWhatItIsFor(String reactor) throws Exception {
        Path socket = folder.resolve("s");
        var keys = Keys.context();
        Listener[] listeners = {
            Listener.unix(socket).permissions("rw-rw----"),
            local(),
            local().tls(keys),
            local().tls(keys).http1Only()
        };
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    assertThat(server.localAddresses().getFirst()).isEqualTo(UnixDomainSocketAddress.of(socket));
                    assertThat(server.port()).isEqualTo(port(server, 1));
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                            .isEqualTo("rw-rw----");
                    String path = socket.toString();
                    assertThat(run("curl", "-s", "--unix-socket", path, "http://svc/", "http://svc/"))
                            .isEqualTo("? http svc HTTP/1.1".repeat(2));
                    assertThat(run("curl", "-s", "--http2-prior-knowledge", "--unix-socket", path, "http://svc/"))
                            .isEqualTo("? http svc HTTP/2");
                    assertThat(run("curl", "-s", "http://127.0.0.1:" + port(server, 1) + "/"))
                            .startsWith("127.0.0.1:")
                            .endsWith(" http 127.0.0.1:" + port(server, 1) + " HTTP/1.1");
                    assertThat(run("curl", "-sk", "https://127.0.0.1:" + port(server, 2) + "/"))
                            .contains(" https ")
                            .endsWith(" HTTP/2");
                    assertThat(run("curl", "-sk", "https://127.0.0.1:" + port(server, 3) + "/"))
                            .contains(" https ")
                            .endsWith(" HTTP/1.1");
                    assertThat(server.stats().acceptedConnections()).isEqualTo(5);
                },
                listeners);
        assertThat(socket).doesNotExist();
    }

    @EachReactor
    void http2Only_refusesHttp1(String reactor) throws Exception {
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    assertThat(run("curl", "-s", "--http2-prior-knowledge", "http://127.0.0.1:" + server.port() + "/"))
                            .endsWith("HTTP/2");
                    assertThat(Raw.exchange(server.port(), GET)).startsWith("HTTP/1.1 505 ");
                    String secure = "https://127.0.0.1:" + port(server, 1) + "/";
                    assertThat(run("curl", "-sk", secure)).endsWith("HTTP/2");
                    assertThat(run("curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", "--no-alpn", secure))
                            .isEqualTo("505");
                },
                local().http2Only(),
                local().http2Only().tls(Keys.context()));
    }

    @EachReactor
    void drain_endsAllListeners(String reactor) {
        Path socket = folder.resolve("s");
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    run("curl", "-s", "--unix-socket", socket.toString(), "http://svc/");
                    server.drain();
                    assertThat(server.isClosed()).isTrue();
                    assertThat(socket).doesNotExist();
                    assertThatThrownBy(() -> new Raw(server.port())).isInstanceOf(IOException.class);
                },
                Listener.unix(socket),
                local());
    }

    @EachReactor
    void listenerThatIsRefused_leavesNoneOpen(String reactor) {
        Path socket = folder.resolve("s");
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    var second = HttpServer.builder()
                            .listener(Listener.unix(socket))
                            .listener(Listener.tcp(server.port()).host("127.0.0.1"));
                    assertThatThrownBy(() -> second.listen(x -> x.respond(200)))
                            .isInstanceOf(InputOutputException.class)
                            .hasMessageContaining("EADDRINUSE");
                    assertThat(socket).doesNotExist();
                },
                local());
    }

    @Test
    void settingsThatContradict_areRefused() {
        var builder = HttpServer.builder().port(80).listener(Listener.tcp(81));
        assertThatThrownBy(() -> builder.listen(x -> x.respond(200)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0.0.0.0:81");
        Listener file = Listener.unix(folder.resolve("s"));
        assertThatThrownBy(() -> file.host("a")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> file.tls(Keys.context())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Listener.tcp(1).permissions("rw-------")).isInstanceOf(IllegalStateException.class);
        for (String network : List.of("proxy", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/x", ""))
            assertThatThrownBy(() -> Listener.tcp(1).forwarded(network))
                    .as(network)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + network + "'");
        assertThatThrownBy(() -> Listener.tcp(1).proxyProtocol())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("proxyProtocol needs the addresses");
    }

    /** On several cores. */
    @EachReactor
    void unixSocketBesidePorts_isTheFirstCores(String reactor) {
        Path socket = folder.resolve("s");
        var port = new ConcurrentHashMap<Integer, Integer>();
        var counts = new ArrayList<Integer>();
        Http.run(
                reactor,
                () -> counts.addAll(Cores.builder().count(2).run(() -> {
                    var builder = HttpServer.builder().onEachCore().listener(Listener.unix(socket));
                    assertThatThrownBy(() -> builder.listen(x -> x.respond(200)))
                            .isInstanceOf(UnsupportedOperationException.class)
                            .hasMessageContaining(socket.toString());
                    try (var server = builder.listener(local())
                            .listen(x -> x.respond("core " + Cores.current().index()))) {
                        int me = Cores.current().index();
                        port.put(me, server.port());
                        if (me == 0) {
                            try (var pipe = Pipe.connect(socket)) {
                                pipe.writeText(GET);
                                String last = "";
                                for (String line : pipe.lines()) last = line;
                                assertThat(last).isEqualTo("core 0");
                            }
                        }
                        while (port.size() < 2) Async.delay(1);
                        return server.localAddresses().size();
                    }
                })));
        assertThat(counts).containsExactly(2, 1);
        assertThat(port.get(0)).isEqualTo(port.get(1));
    }

    // ---- certificates

    private static String subject(HttpServer server, String name) {
        return run(
                "sh",
                "-c",
                "openssl s_client -connect 127.0.0.1:" + server.port() + " -servername " + name
                        + " </dev/null 2>/dev/null | openssl x509 -noout -subject");
    }

    @EachReactor
    void certificate_isThatOfTheNameThatTheClientAsksFor(String reactor) throws Exception {
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    for (String name : List.of("one.test", "two.test"))
                        assertThat(subject(server, name)).contains("CN = " + name);
                },
                local().tls(Keys.of("one.test", "two.test")));
    }

    @EachReactor
    void certificateThatIsRenewed_dropsNoConnection(String reactor) throws Exception {
        var options = new TlsOptions[] {TlsOptions.server(Keys.context())};
        var renewed = TlsOptions.server(Keys.of("renewed.test"));
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    try (var open = Raw.secure(server.port())) {
                        String ask = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
                        open.send(ask).readUntil(" a HTTP/1.1");
                        assertThat(subject(server, "localhost")).contains("CN = localhost");
                        options[0] = renewed;
                        assertThat(subject(server, "localhost")).contains("CN = renewed.test");
                        open.send(ask).readUntil(" a HTTP/1.1");
                    }
                },
                local().tls(() -> options[0]));
    }

    // ---- PROXY protocol

    private static final byte[] SIGNATURE = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a");

    private static String version2(String hex, Consumer<ByteBuffer> rest) {
        ByteBuffer all =
                ByteBuffer.allocate(300).put(SIGNATURE).put(HexFormat.of().parseHex(hex));
        all.putShort((short) 0);
        rest.accept(all);
        all.putShort(14, (short) (all.position() - 16));
        return new String(all.array(), 0, all.position(), StandardCharsets.ISO_8859_1);
    }

    private static final byte[] IPV4 = {10, 1, 2, 3, 10, 0, 0, 9, 0x12, 0x34, 1, (byte) 0xbb};

    private static final String[][] TOLD = {
        {"PROXY TCP4 203.0.113.7 192.0.2.1 4711 443\r\n", "203.0.113.7:4711 http"},
        {"PROXY TCP6 2001:db8::7 2001:db8::1 4711 443\r\n", "2001:db8:0:0:0:0:0:7:4711 http"},
        {"PROXY TCP6 ::ffff:10.1.1.1 ::ffff:10.1.1.2 65535 65535\r\n", "10.1.1.1:65535 http"},
        {"PROXY UNKNOWN\r\n", "127.0.0.1"},
        {"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n", "127.0.0.1"},
        {version2("2111", all -> all.put(IPV4)), "10.1.2.3:4660 http"},
        {version2("2112", all -> all.put(IPV4)), "10.1.2.3:4660 http"},
        {version2("2011", all -> all.put(IPV4)), "127.0.0.1"},
        {version2("2000", all -> {}), "127.0.0.1"},
        {version2("2131", all -> all.put(new byte[216])), "127.0.0.1"},
        {version2("2111", all -> all.put(IPV4).put(new byte[] {0x20, 0, 5, 1, 0, 0, 0, 0})), "10.1.2.3:4660 https"},
        {version2("2111", ListenersTest::withSum), "10.1.2.3:4660 http"},
    };

    private static void withSum(ByteBuffer all) {
        all.put(IPV4).put(new byte[] {4, 0, 2, 9, 9, 3, 0, 4}).putInt(0);
        all.putShort(14, (short) (all.position() - 16));
        var sum = new CRC32C();
        sum.update(all.array(), 0, all.position());
        all.putInt(all.position() - 4, (int) sum.getValue());
    }

    @EachReactor
    void proxyHeader_tellsTheClient(String reactor) {
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    for (String[] told : TOLD) {
                        assertThat(Raw.exchange(server.port(), told[0] + GET))
                                .as(told[0])
                                .contains("\r\n\r\n" + told[1]);
                        // byte by byte, as the network may deliver it
                        try (var peer = new Raw(server.port())) {
                            for (char c : told[0].toCharArray()) {
                                peer.send(String.valueOf(c));
                                Async.suspend();
                            }
                            assertThat(peer.send(GET).readAll()).contains("\r\n\r\n" + told[1]);
                        }
                    }
                },
                local().proxyProtocol("10.0.0.0/8", "127.0.0.1"));
    }

    @EachReactor
    void proxyHeaderThatIsNoGood_closesTheConnection(String reactor) {
        List<String> bad = List.of(
                GET,
                "PROXY TCP4 203.0.113.7 192.0.2.1 4711\r\n" + GET,
                "PROXY TCP4 203.0.113.7 192.0.2.1 4711 70000\r\n" + GET,
                "PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n" + GET,
                "PROXY TCP4 localhost localhost 1 2\r\n" + GET,
                "PROXY UNKNOWN\n" + GET,
                "PROXY \r\nUNKNOWN\r\n" + GET,
                "PROXY TCP4 " + "1".repeat(200),
                version2("3111", all -> all.put(IPV4)) + GET,
                version2("2211", all -> all.put(IPV4)) + GET,
                version2("2111", all -> all.put(IPV4, 0, 11)) + GET,
                version2("2111", all -> all.put(IPV4).put(new byte[] {4, 0, 9})) + GET,
                version2("2111", all -> all.put(IPV4).put(new byte[] {3, 0, 4, 1, 2, 3, 4})) + GET);
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    for (String header : bad)
                        try (var peer = new Raw(server.port())) {
                            assertThat(peer.send(header).readAll()).as(header).isEmpty();
                        } catch (IOException reset) {
                            // there may be unread bytes
                        }
                    assertThat(server.stats().malformedRequests()).isEqualTo(bad.size());
                    assertThat(server.stats().requests()).isZero();
                },
                local().proxyProtocol("127.0.0.1"));
    }

    @EachReactor
    void proxyHeaderOfAnybodyElse_isRefused(String reactor) {
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    try (var peer = new Raw(server.port())) {
                        assertThat(peer.send(TOLD[0][0] + GET).readAll()).isEmpty();
                    } catch (IOException reset) {
                        // there may be unread bytes
                    }
                    assertThat(server.stats().refusedConnections()).isEqualTo(1);
                },
                local().proxyProtocol("192.0.2.0/24"));
    }

    @EachReactor
    void proxyHeader_comesBeforeTlsAndOverUnixSockets(String reactor) throws Exception {
        Path socket = folder.resolve("s");
        var log = new ArrayList<AccessLog>();
        var keys = Keys.context();
        Http.run(reactor, () -> {
            var builder = HttpServer.builder()
                    .listener(local().tls(keys).proxyProtocol("127.0.0.0/8"))
                    .listener(Listener.unix(socket).proxyProtocol())
                    .accessLog(log::add);
            try (var server = builder.listen(ListenersTest::tell)) {
                // curl speaks for itself, so its own port is what it tells
                assertThat(run("curl", "-sk", "--haproxy-protocol", "https://127.0.0.1:" + server.port() + "/"))
                        .matches("127\\.0\\.0\\.1:\\d+ https 127.*HTTP/2");
                String ask =
                        "printf '" + (TOLD[1][0] + GET).replace("\r", "\\r").replace("\n", "\\n")
                                + "' | socat -t 5 - UNIX-CONNECT:" + socket;
                assertThat(run("sh", "-c", ask)).endsWith("2001:db8:0:0:0:0:0:7:4711 http a HTTP/1.1");
            }
        });
        assertThat(log.getLast().client()).isEqualTo(new InetSocketAddress("2001:db8::7", 4711));
    }

    // ---- Forwarded

    private static String[] forwarded(String expected, String... fields) {
        String[] all = Arrays.copyOf(fields, fields.length + 1);
        all[fields.length] = expected;
        return all;
    }

    private static void ask(String reactor, Listener listener, List<String[]> requests) {
        serve(
                reactor,
                ListenersTest::tell,
                server -> {
                    for (String[] request : requests) {
                        var command = new ArrayList<>(List.of("curl", "-s"));
                        for (int i = 0; i < request.length - 1; i++) command.addAll(List.of("-H", request[i]));
                        command.add("http://127.0.0.1:" + server.port() + "/");
                        assertThat(run(command.toArray(String[]::new)))
                                .as(String.join(", ", request))
                                .matches(request[request.length - 1]
                                                .replace(".", "\\.")
                                                .replace("?", "\\?")
                                                .replace("*", ".*")
                                        + " HTTP/1\\.1");
                    }
                },
                listener);
    }

    @EachReactor
    void forwarded_isBelievedAsFarAsProxiesAreTrusted(String reactor) {
        ask(
                reactor,
                local().forwarded("127.0.0.1", "10.0.0.0/8", "2001:db8::/32"),
                List.of(
                        forwarded("127.0.0.1:* http 127.0.0.1:*"),
                        forwarded(
                                "203.0.113.7:0 https example.org",
                                "Forwarded: for=203.0.113.7;proto=https;host=example.org"),
                        // what stands before it the client has written
                        forwarded(
                                "203.0.113.7:0 http 127.0.0.1:*",
                                "Forwarded: for=192.0.2.9;proto=https;host=evil.test, for=203.0.113.7"),
                        // two proxies: what the outer one has told
                        forwarded(
                                "203.0.113.7:4711 https example.org",
                                "Forwarded: for=192.0.2.9;host=evil.test",
                                "Forwarded: For=\"203.0.113.7:4711\"; Proto=HTTPS; Host=example.org ; by=_x",
                                "Forwarded: for=10.0.0.7;proto=http"),
                        forwarded("2001:db8:1:0:0:0:0:1:80 http 127.0.0.1:*", "Forwarded: for=\"[2001:db8:1::1]:80\""),
                        forwarded(
                                "203.0.113.7:0 http 127.0.0.1:*", "Forwarded: for=203.0.113.7, for=\"[2001:db8::1]\""),
                        forwarded("? http 127.0.0.1:*", "Forwarded: for=203.0.113.7, for=unknown"),
                        forwarded("? http 127.0.0.1:*", "Forwarded: for=_hidden"),
                        // an open quote would hide what the proxy has added
                        forwarded("? http 127.0.0.1:*", "Forwarded: for=\"1.1.1.1, for=203.0.113.7"),
                        forwarded("? http 127.0.0.1:*", "Forwarded: garbage, for=203.0.113.7"),
                        forwarded(
                                "203.0.113.7:0 http 127.0.0.1:*", "Forwarded: for=203.0.113.7;proto=ftp;host=\"a/b\""),
                        // nobody told it to look at these
                        forwarded(
                                "127.0.0.1:* http 127.0.0.1:*",
                                "X-Forwarded-For: 203.0.113.7",
                                "X-Forwarded-Proto: https")));
    }

    @EachReactor
    void forwardedOfAnybodyElse_isIgnored(String reactor) {
        ask(
                reactor,
                local().forwarded("192.0.2.0/24"),
                List.<String[]>of(forwarded(
                        "127.0.0.1:* http 127.0.0.1:*", "Forwarded: for=203.0.113.7;proto=https;host=example.org")));
        ask(
                reactor,
                local().xForwarded("192.0.2.0/24"),
                List.<String[]>of(forwarded(
                        "127.0.0.1:* http 127.0.0.1:*", "X-Forwarded-For: 203.0.113.7", "X-Forwarded-Host: b")));
        ask(
                reactor,
                local(),
                List.<String[]>of(forwarded(
                        "127.0.0.1:* http 127.0.0.1:*", "X-Forwarded-For: 203.0.113.7", "X-Forwarded-Host: b")));
    }

    @EachReactor
    void xForwarded_isBelievedAsFarAsProxiesAreTrusted(String reactor) {
        ask(
                reactor,
                local().xForwarded("127.0.0.1", "10.0.0.0/8"),
                List.of(
                        forwarded(
                                "203.0.113.7:0 https example.org:8443",
                                "X-Forwarded-For: 192.0.2.9, 203.0.113.7",
                                "X-Forwarded-For: 10.0.0.7",
                                "X-Forwarded-Proto: https",
                                "X-Forwarded-Host: example.org",
                                "X-Forwarded-Port: 8443"),
                        // a list that has as many elements as addresses: each proxy has added to it
                        forwarded(
                                "203.0.113.7:0 https b.test",
                                "X-Forwarded-For: 192.0.2.9, 203.0.113.7:4711, 10.0.0.7".replace(":4711", ""),
                                "X-Forwarded-Proto: http, https, http",
                                "X-Forwarded-Host: a.test, b.test, c.test",
                                "X-Forwarded-Port: 443"),
                        forwarded("203.0.113.7:4711 http 127.0.0.1:*", "X-Forwarded-For: 203.0.113.7:4711"),
                        forwarded("127.0.0.1:* https 127.0.0.1:*", "X-Forwarded-Proto: https"),
                        forwarded("? http 127.0.0.1:*", "X-Forwarded-For: 203.0.113.7, junk"),
                        forwarded("127.0.0.1:* http 127.0.0.1:*", "Forwarded: for=203.0.113.7;proto=https")));
    }

    @EachReactor
    void proxyOverUnixSocket_isTrusted(String reactor) {
        Path socket = folder.resolve("s");
        serve(
                reactor,
                ListenersTest::tell,
                server -> assertThat(run(
                                "curl",
                                "-s",
                                "--http2-prior-knowledge",
                                "--unix-socket",
                                socket.toString(),
                                "-H",
                                "X-Forwarded-For: 203.0.113.7",
                                "-H",
                                "X-Forwarded-Proto: https",
                                "http://svc/"))
                        .isEqualTo("203.0.113.7:0 https svc HTTP/2"),
                Listener.unix(socket).xForwarded());
    }

    // ---- virtual hosts

    @EachReactor
    void hosts_haveRoutesOfTheirOwn(String reactor) {
        var api = new Routes().get("/users/{id}", x -> x.respond("api " + x.pathParameter("id")));
        var routes = new Routes()
                .around((x, next) -> {
                    x.header("X-Seen", "yes");
                    next.handle(x);
                })
                .host("api.example.com", api)
                .host("*.example.com", x -> x.respond("any " + x.path()))
                .get("/", x -> x.respond("others"));
        serve(
                reactor,
                routes,
                server -> {
                    String[][] cases = {
                        {"api.example.com", "/users/7", "api 7"},
                        {"API.Example.COM:8080", "/users/7", "api 7"},
                        {"api.example.com.", "/users/7", "api 7"},
                        {"api.example.com", "/", "not found\n"},
                        {"a.b.example.com", "/x", "any /x"},
                        {"example.com", "/", "others"},
                        {"[::1]:80", "/", "others"},
                    };
                    for (String[] one : cases)
                        assertThat(run(
                                        "curl",
                                        "-s",
                                        "-H",
                                        "Host: " + one[0],
                                        "http://127.0.0.1:" + server.port() + one[1]))
                                .as(one[0])
                                .isEqualTo(one[2]);
                    assertThat(run("curl", "-sI", "-H", "Host: x.example.com", "http://127.0.0.1:" + server.port()))
                            .contains("X-Seen: yes");
                },
                local());
        for (String name : List.of("", "api.example.com:80", "a.*.com", "api.example.com"))
            assertThatThrownBy(() -> routes.host(name, api))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + name + "'");
        assertThatThrownBy(() -> new Routes().under("/x", routes)).isInstanceOf(IllegalArgumentException.class);
    }
}
