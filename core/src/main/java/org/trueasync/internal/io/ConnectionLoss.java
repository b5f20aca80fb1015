package org.trueasync.internal.io;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;

/**
 * Why a connection is lost. The system says it once, to whoever asks first: afterwards reading finds the end, as if the peer had sent everything, and
 * writing finds a broken pipe. So what one direction was told is kept for the other.
 */
final class ConnectionLoss {
    private static final Map<String, String> CAUSES = Map.of(
            "ECONNRESET", "connection reset by peer",
            "ETIMEDOUT", "connection timed out",
            "ECONNABORTED", "software caused connection abort",
            "EHOSTUNREACH", "host is unreachable",
            "EHOSTDOWN", "host is down",
            "ENETUNREACH", "network is unreachable",
            "ENETDOWN", "network is down");
    private static final Map<String, String> CONSEQUENCES =
            Map.of("EPIPE", "broken pipe", "ENOTCONN", "socket is not connected");

    private @Nullable SystemError cause;

    /**
     * The system has said no.
     *
     * @param error what it said
     * @return the reason: the same, or what it had said before
     */
    SystemError reasonOf(SystemError error) {
        SystemError known = cause;
        if (known != null && CONSEQUENCES.containsKey(error.errno())) return known;
        if (known == null && CAUSES.containsKey(error.errno())) cause = error;
        return error;
    }

    /** What the system has said; null if the connection is not known to be lost. */
    @Nullable
    SystemError cause() {
        return cause;
    }

    /** The error with this name, if it is one that a connection has; else null. */
    static @Nullable SystemError named(String errno) {
        String text = CAUSES.get(errno);
        if (text == null) text = CONSEQUENCES.get(errno);
        return text == null ? null : new SystemError(errno, text);
    }
}
