package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.Async.*;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** A page in a real browser talks to the server: Chromium without a window. */
@Tag("deep")
@Timeout(240)
class BrowserTest {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

    /** Does what it should, and sends what came of it. */
    private static final String PAGE = """
            <!doctype html>
            <script>
              const told = [];
              const done = new Promise(resolve => {
                const socket = new WebSocket('ws://' + location.host + '/socket', ['other', 'chat.v1']);
                socket.binaryType = 'arraybuffer';
                socket.onopen = () => {
                  told.push('open ' + socket.protocol + ' ' + socket.extensions);
                  socket.send('grüße 😀');
                  socket.send(new Uint8Array([1, 2, 255]));
                  socket.send('x'.repeat(200000));
                };
                socket.onmessage = event => {
                  const data = event.data;
                  if (typeof data !== 'string') told.push(new Uint8Array(data).join());
                  else told.push(data.length > 50 ? data.length : data);
                  if (told.length === 4) socket.send('bye');
                };
                socket.onclose = event => { told.push(event.code + event.reason + event.wasClean); resolve(); };
              }).then(() => new Promise(resolve => {
                const source = new EventSource('/events');
                source.addEventListener('tick', event => {
                  told.push(event.data + '/' + event.lastEventId);
                  if (event.lastEventId === '4') { source.close(); resolve(); }
                });
                source.onmessage = event => told.push(event.data);
              })).then(() => fetch('/told', {method: 'POST', body: told.join('|')}));
            </script>
            """;

    private void handle(Exchange exchange, List<String> told) {
        switch (exchange.path()) {
            case "/" ->
                exchange.header("Content-Type", "text/html; charset=utf-8").respond(PAGE);
            case "/socket" -> {
                var options = WebSocket.options().protocols("chat.v1").compression(true);
                var socket = exchange.webSocket(options);
                for (var message : socket) {
                    if (!message.isText()) socket.send(message.bytes());
                    else if (message.text().equals("bye")) socket.close(4001, "done");
                    else socket.send(message.text());
                }
            }
            case "/events" -> {
                var events = exchange.events();
                events.retry(Duration.ofMillis(50));
                String last = events.lastEventId();
                int first = last == null ? 1 : Integer.parseInt(last) + 1;
                if (last != null) events.send("again after " + last);
                // it ends after two, so the browser comes again for the rest
                for (int i = first; i < first + 2; i++) events.send("tick", "" + i, "number\n" + i);
            }
            case "/told" -> {
                told.add(exchange.text());
                exchange.respond(204);
            }
            default -> exchange.respond(404);
        }
    }

    @EachReactor
    void page_usesWebSocketAndEvents(String reactor) throws Exception {
        assumeTrue(Files.isExecutable(CHROMIUM), "no " + CHROMIUM);
        var told = new ArrayList<String>();
        // the browser writes there to its last moment, so the next clean build deletes it
        Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
        Path profile = Files.createTempDirectory(target, "browser");
        Http.serve(reactor, exchange -> handle(exchange, told), server -> {
            Process browser = new ProcessBuilder(
                            CHROMIUM.toString(),
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--remote-debugging-port=0", // keeps it open
                            "--user-data-dir=" + profile,
                            "http://127.0.0.1:" + server.port() + "/")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                withTimeout(Duration.ofSeconds(100), () -> {
                    while (told.isEmpty()) delay(20);
                });
            } finally {
                browser.destroy();
            }
        });
        assertThat(told)
                .containsExactly("open chat.v1 permessage-deflate|grüße 😀|1,2,255|200000|4001donetrue"
                        + "|number\n1/1|number\n2/2|again after 2|number\n3/3|number\n4/4");
    }
}
