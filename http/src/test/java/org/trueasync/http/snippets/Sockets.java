package org.trueasync.http.snippets;

import static org.trueasync.Async.*;

import org.trueasync.http.EventStream;
import org.trueasync.http.HttpServer;
import org.trueasync.http.WebSocket;

/** The examples in the javadoc of {@link WebSocket} and {@link EventStream}: they compile. */
abstract class Sockets {
    void socket() {
        // @start region="socket" :
        HttpServer.listen(8080, exchange -> {
            var socket = exchange.webSocket();
            for (var message : socket) socket.send("you said " + message.text());
        });
        // @end
    }

    void events() {
        // @start region="events" :
        HttpServer.listen(8080, exchange -> {
            var events = exchange.events();
            for (int i = 1; ; i++) {
                events.send("tick " + i);
                delay(1_000);
            }
        });
        // @end
    }
}
