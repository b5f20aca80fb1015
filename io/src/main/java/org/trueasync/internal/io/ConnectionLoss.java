package org.trueasync.internal.io;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;

/**
 * Why a connection is lost. The system reports the cause once, to the first call that meets it. Later reads find the
 * end, as if the peer had sent everything, and later writes find a broken pipe. So the cause that one direction meets
 * is kept for both.
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
     * Takes an error of the system.
     *
     * @param error of a read or write
     * @return what to report: the known cause if {@code error} is only a consequence of it, else {@code error}
     */
    SystemError reasonOf(SystemError error) {
        SystemError known = cause;
        if (known != null && CONSEQUENCES.containsKey(error.errno())) return known;
        if (known == null && CAUSES.containsKey(error.errno())) cause = error;
        return error;
    }

    /** The cause that the system has reported; null if the connection is not known to be lost. */
    @Nullable
    SystemError cause() {
        return cause;
    }

    /** Returns the error with this name if it is a cause or a consequence of a lost connection, else null. */
    static @Nullable SystemError named(String errno) {
        String text = CAUSES.get(errno);
        if (text == null) text = CONSEQUENCES.get(errno);
        return text == null ? null : new SystemError(errno, text);
    }
}
