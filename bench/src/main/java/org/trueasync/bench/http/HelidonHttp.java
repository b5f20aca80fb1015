package org.trueasync.bench.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.io.InputStream;
import java.io.OutputStream;

/** Helidon's server as it comes. Each connection has a virtual thread. */
final class HelidonHttp {
    private static final Header TEXT_TYPE =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, HttpServerProcess.TEXT_TYPE);
    private static final Header JSON_TYPE =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, HttpServerProcess.JSON_TYPE);

    private HelidonHttp() {}

    static void start(int port) {
        WebServer.builder()
                .host(HttpServerProcess.HOST)
                .port(port)
                .backlog(HttpServerProcess.BACKLOG)
                .routing(HelidonHttp::route)
                .build()
                .start();
    }

    private static void route(HttpRouting.Builder routing) {
        routing.get("/", (request, response) -> response.header(TEXT_TYPE).send(HttpServerProcess.TEXT_BYTES))
                .get(HttpServerProcess.JSON_PATH, (request, response) -> response.header(JSON_TYPE)
                        .send(HttpServerProcess.JSON_BYTES))
                .post(HttpServerProcess.UPLOAD_PATH, (request, response) -> {
                    try (InputStream body = request.content().inputStream()) {
                        body.transferTo(OutputStream.nullOutputStream());
                    }
                    response.header(TEXT_TYPE).send(HttpServerProcess.TEXT_BYTES);
                })
                .get(HttpServerProcess.DELAY_PATH + "{millis}", (request, response) -> {
                    Thread.sleep(Long.parseLong(request.path().pathParameters().get("millis")));
                    response.header(TEXT_TYPE).send(HttpServerProcess.TEXT_BYTES);
                });
    }
}
