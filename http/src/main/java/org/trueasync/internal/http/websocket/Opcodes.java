package org.trueasync.internal.http.websocket;

/** What a frame is (RFC 6455, 5.2). */
final class Opcodes {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;
    /** The most bytes that a control frame carries. */
    static final int MAX_CONTROL = 125;

    private Opcodes() {}

    static boolean isControl(int opcode) {
        return opcode >= CLOSE;
    }

    static boolean isKnown(int opcode) {
        return opcode <= BINARY || (opcode >= CLOSE && opcode <= PONG);
    }
}
