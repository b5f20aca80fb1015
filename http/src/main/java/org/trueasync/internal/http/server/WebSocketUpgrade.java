package org.trueasync.internal.http.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.websocket.CloseCodes;
import org.trueasync.internal.http.websocket.DeflateOffer;
import org.trueasync.internal.http.websocket.WebSocketCore;
import org.trueasync.internal.http.websocket.WebSocketSettings;

/**
 * The opening handshake of a WebSocket on the server's side (RFC 6455, 4.2), and its end with the handler.
 *
 * @param core the open socket
 * @param protocol the subprotocol that was agreed on, or null
 */
public record WebSocketUpgrade(WebSocketCore core, @Nullable String protocol) {
    private static final String VERSION = "13";
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /**
     * Answers the handshake. A request that asks for no WebSocket, or in a wrong way, is answered, and what is thrown
     * says so.
     */
    public static WebSocketUpgrade accept(ExchangeCore exchange, WebSocketSettings settings) {
        exchange.response().requireOpen();
        // over HTTP/2 there is none (RFC 8441, 5)
        String key = exchange.asksForTunnel() ? null : check(exchange);
        if (key == null) checkVersion(exchange);
        Fields request = exchange.request().fields();
        Fields response = exchange.response().fields();
        String protocol = protocol(request.all("Sec-WebSocket-Protocol"), settings.protocols());
        DeflateOffer compression =
                settings.compression() ? DeflateOffer.choose(request.all("Sec-WebSocket-Extensions")) : null;
        if (key != null) {
            response.set(new HttpField(HttpHeader.UPGRADE, "websocket"));
            response.set(new HttpField(HttpHeader.CONNECTION, "Upgrade"));
            response.set(new HttpField("Sec-WebSocket-Accept", acceptance(key)));
        }
        if (protocol != null) response.set(new HttpField("Sec-WebSocket-Protocol", protocol));
        if (compression != null) response.set(new HttpField("Sec-WebSocket-Extensions", compression.response()));
        var core = new WebSocketCore(exchange.response().openSocket(), false, settings, compression);
        exchange.tail(closing(exchange, core));
        return new WebSocketUpgrade(core, protocol);
    }

    /** Returns the key of a request that asks for a WebSocket. */
    private static String check(ExchangeCore exchange) {
        Fields fields = exchange.request().fields();
        if (!exchange.request().method().equals("GET")) {
            exchange.response().fields().add(HttpHeader.ALLOW, "GET");
            throw exchange.refused(405, "a WebSocket is opened by GET");
        }
        if (!exchange.request().protocol().equals("HTTP/1.1"))
            throw upgradeRequired(exchange, "a WebSocket is opened by HTTP/1.1, or by CONNECT over HTTP/2");
        if (!fields.has(HttpHeader.UPGRADE, "websocket") || !fields.has(HttpHeader.CONNECTION, "upgrade"))
            throw upgradeRequired(exchange, "this is a WebSocket: Upgrade: websocket is missing");
        if (exchange.request().hasBody()) throw exchange.refused(400, "the opening of a WebSocket has no body");
        checkVersion(exchange);
        List<String> keys = fields.all("Sec-WebSocket-Key");
        if (keys.size() != 1 || !isKey(keys.getFirst()))
            throw exchange.refused(400, "Sec-WebSocket-Key must be there once, with 16 bytes in base64");
        return keys.getFirst();
    }

    private static void checkVersion(ExchangeCore exchange) {
        if (!exchange.request().fields().all("Sec-WebSocket-Version").equals(List.of(VERSION)))
            throw upgradeRequired(exchange, "this server speaks version 13 of WebSocket");
    }

    private static RuntimeException upgradeRequired(ExchangeCore exchange, String text) {
        Fields response = exchange.response().fields();
        response.set(new HttpField(HttpHeader.UPGRADE, "websocket"));
        response.set(new HttpField(HttpHeader.CONNECTION, "Upgrade"));
        response.set(new HttpField("Sec-WebSocket-Version", VERSION));
        return exchange.refused(426, text);
    }

    private static boolean isKey(String key) {
        try {
            return key.length() == 24 && Base64.getDecoder().decode(key).length == 16;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String acceptance(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-1", e);
        }
    }

    /** Returns the first of the client's protocols that this side speaks. */
    private static @Nullable String protocol(List<String> offered, List<String> spoken) {
        for (String field : offered)
            for (String name : field.split(",")) if (spoken.contains(name.strip())) return name.strip();
        return null;
    }

    /** Closes the socket when its handler is done, and when the server drains. */
    private static ExchangeCore.Tail closing(ExchangeCore exchange, WebSocketCore socket) {
        return new ExchangeCore.Tail(
                error -> end(socket, error), () -> exchange.serverScope().launchFrom("the drain of a WebSocket", (Body)
                        () -> socket.close(CloseCodes.GOING_AWAY, "going away")));
    }

    private static boolean end(WebSocketCore socket, @Nullable Throwable error) {
        InputOutputException failure = socket.failure();
        Async.protect(() -> {
            if (error == null) socket.close(CloseCodes.NORMAL, "");
            else if (error instanceof AsyncCancellation) socket.leave(CloseCodes.GOING_AWAY, "going away");
            else socket.leave(CloseCodes.SERVER_ERROR, "");
        });
        return error != null && failure != null && (error == failure || error.getCause() == failure);
    }
}
