package org.trueasync.http;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/** A socket of Jetty's client, which calls public classes alone, and what happens to it. */
public final class JettySocket extends Session.Listener.Abstract {
    final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    Session session;

    @Override
    public void onWebSocketOpen(Session opened) {
        session = opened;
        var response = opened.getUpgradeResponse();
        told.add(response.getStatusCode() + " " + response.getAcceptedSubProtocol());
        opened.demand();
    }

    @Override
    public void onWebSocketText(String text) {
        told.add(text.length() > 50 ? "" + text.length() : text);
        session.demand();
    }

    @Override
    public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
        var bytes = new byte[payload.remaining()];
        payload.get(bytes);
        told.add(HexFormat.of().formatHex(bytes));
        callback.succeed();
        session.demand();
    }

    @Override
    public void onWebSocketClose(int code, String reason, Callback callback) {
        told.add(code + " " + reason);
        callback.succeed();
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        told.add(cause.toString());
    }
}
