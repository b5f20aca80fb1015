package org.trueasync.internal.http.websocket;

/** The peer has broken a rule, so the connection fails with a code. It never leaves this package. */
final class ProtocolError extends RuntimeException {
    private static final long serialVersionUID = 1;
    final int code;

    ProtocolError(int code, String text) {
        super(text, null, false, false);
        this.code = code;
    }

    static ProtocolError rule(String text) {
        return new ProtocolError(CloseCodes.PROTOCOL_ERROR, text);
    }
}
