package org.trueasync.internal.http.websocket;

/** Why a socket was closed (RFC 6455, 7.4, and the registry that it founds). */
public final class CloseCodes {
    public static final int NORMAL = 1000;
    public static final int GOING_AWAY = 1001;
    public static final int PROTOCOL_ERROR = 1002;
    /** Stands for a close frame without a code; never sent. */
    public static final int NONE = 1005;
    /** Stands for a connection that ended without a close frame; never sent. */
    public static final int CUT = 1006;

    public static final int BAD_DATA = 1007;
    public static final int TOO_BIG = 1009;
    public static final int SERVER_ERROR = 1011;

    private CloseCodes() {}

    /** Returns whether a close frame may carry it. */
    public static boolean maySend(int code) {
        return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
    }
}
