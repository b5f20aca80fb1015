package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.io.InputStream;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Channel;
import org.trueasync.DnsException;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.BadInput;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.io.TcpStream;
import org.trueasync.io.TlsOptions;

/** Whatever is no good is refused at once, by a message that names it. */
class BadInputOfHttpTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    private static final String UPGRADE = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    private static final String PART = "--b\r\nContent-Disposition: form-data; name=n\r\n\r\nvalue\r\n--b--\r\n";
    private static final String FORM = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n"
            + "Connection: close\r\nContent-Length: " + PART.length() + "\r\n\r\n" + PART;

    /** An exchange whose handler waits for a minute; its server is closed then. */
    private static Exchange exchange(String request) {
        var made = new Channel<Exchange>(1);
        HttpServer server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
            made.send(exchange);
            delay(60_000);
        });
        spawn(() -> {
            try (server;
                    var client = TcpStream.connect("127.0.0.1", server.port())) {
                client.writeText(request);
                delay(70_000);
            }
        });
        return made.receive();
    }

    private static HttpResponse response() {
        HttpServer server = HttpServer.builder().host("127.0.0.1").listen(exchange -> exchange.respond("body"));
        HttpClient client = HttpClient.builder().build();
        HttpResponse response = client.get("http://127.0.0.1:" + server.port() + "/");
        spawn(() -> {
            delay(70_000);
            client.close();
            server.close();
        });
        return response;
    }

    @Test
    void everyPublicMethod_refusesWhatIsNoGood(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");
        var check = new BadInput()
                .sample(int.class, () -> 307) // the status of a redirect
                .sample(ByteBuffer.class, () -> ByteBuffer.allocate(1))
                .sample(Class.class, () -> String.class)
                .sample(Cookie.class, () -> Cookie.of("a", "b"))
                .sample(CookieHandler.class, CookieManager::new)
                .sample(CorsFilter.class, () -> new CorsFilter("https://a"))
                .sample(EventStream.class, () -> exchange(GET).events())
                .sample(Exchange.class, () -> exchange(GET))
                .sample(FileHandler.class, () -> new FileHandler(directory))
                .sample(FormPart.class, () -> exchange(FORM).parts().iterator().next())
                .sample(FormParts.class, () -> exchange(FORM).parts())
                .sample(HttpClient.Builder.class, HttpClient::builder)
                .sample(HttpClient.class, () -> HttpClient.builder().build())
                .sample(HttpRequest.class, () -> HttpClient.builder().build().request("POST", "http://a/"))
                .sample(HttpResponse.class, BadInputOfHttpTest::response)
                .sample(HttpServer.Builder.class, HttpServer::builder)
                .sample(HttpServer.class, () -> HttpServer.listen(0, exchange -> exchange.respond(204)))
                .sample(InputStream.class, InputStream::nullInputStream)
                .sample(Instant.class, () -> Instant.EPOCH)
                .sample(Listener.class, () -> Listener.tcp(0))
                .sample(Path.class, () -> file)
                .sample(ProxySelector.class, ProxySelector::getDefault)
                .sample(RateLimitFilter.class, () -> new RateLimitFilter(1, java.time.Duration.ofSeconds(1)))
                .sample(SSLContext.class, SSLContext::getDefault)
                .sample(TlsOptions.class, TlsOptions::client)
                .sample(URI.class, () -> URI.create("http://127.0.0.1:9/"))
                .sample(WebSocket.class, () -> exchange(UPGRADE).webSocket())
                .sample(WebSocket.Options.class, WebSocket::options)
                .outside(DnsException.class, InputOutputException.class, HttpException.class)
                // goes on for ever outside of the handler; stays open
                .exempt("EventStream.keepAlive", "HttpServer.listen")
                // needs a request for it; needs a Unix socket; needs a code of its own
                .exempt("Exchange.upgrade", "Listener.permissions", "WebSocket.close")
                // the value may be a secret
                .exempt("Cookie.of")
                // called by the server
                .exempt("CorsFilter.handle", "FileHandler.handle", "RateLimitFilter.handle", "Routes.handle");
        List<String> complaints = check.check(PublicTypes.of(Routes.class, "org/trueasync/http"));
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
    }
}
