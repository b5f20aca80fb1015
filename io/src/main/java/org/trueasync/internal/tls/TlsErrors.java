package org.trueasync.internal.tls;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;

/** Exceptions of TLS connections: what went wrong, and what to do where that is known. */
final class TlsErrors {
    private TlsErrors() {}

    static InputOutputException handshake(String peer, Exception cause) {
        return new InputOutputException("TLS handshake with " + peer + " failed: " + reason(cause), "", cause);
    }

    /**
     * Returns the JDK's message, with that of the innermost security cause, which the JDK often leaves out: what a
     * certificate lacks, for instance.
     */
    private static String reason(Exception cause) {
        String text = String.valueOf(cause.getMessage());
        Throwable why = find(cause, GeneralSecurityException.class);
        if (why != null && why.getMessage() != null && !text.contains(why.getMessage()))
            text += ": " + why.getMessage();
        if (find(cause, CertPathBuilderException.class) != null)
            return text + "; nobody whom our SSLContext trusts has signed the peer's certificate: give one that trusts"
                    + " the signer (TlsOptions)";
        if (text.contains("nrecognized SSL message"))
            return text + "; the peer does not seem to speak TLS on this port";
        if (text.contains("No available authentication scheme") || text.contains("no cipher suites in common"))
            return text + "; has the SSLContext of the server a key and a certificate?";
        return text;
    }

    /** Returns the innermost cause of a type; null if there is none. */
    private static @Nullable Throwable find(Throwable error, Class<? extends Throwable> type) {
        Throwable found = null;
        Throwable at = error;
        for (int depth = 0; at != null && depth < 20; depth++, at = at.getCause()) if (type.isInstance(at)) found = at;
        return found;
    }

    static InputOutputException cutInHandshake(String peer) {
        return new InputOutputException(
                "TLS handshake with " + peer + " failed: the peer ended the connection before it was through", "");
    }

    static InputOutputException cut(String peer) {
        return new InputOutputException(
                "read from " + peer + ": the connection was cut: it ended without TLS's close_notify, so bytes of the"
                        + " peer's may be missing",
                "");
    }

    static InputOutputException renegotiation(String peer) {
        return new InputOutputException(
                "read from " + peer + ": the peer wanted to renegotiate (TLS 1.2), which is always refused", "");
    }

    static InputOutputException broken(String operation, String peer, SSLException cause) {
        return new InputOutputException(operation + " " + peer + ": " + reason(cause), "", cause);
    }

    static InputOutputException outputShut(String peer) {
        return new InputOutputException("write to " + peer + ": shutdownOutput() was called before", "EPIPE");
    }

    static InputOutputException closedByPeer(String peer) {
        return new InputOutputException(
                "write to " + peer + ": the peer has closed the connection; in TLS 1.2 that ends both directions",
                "EPIPE");
    }

    static InputOutputException closed(String operation, String peer) {
        return new InputOutputException(operation + " " + peer + ": the stream is closed", "EBADF");
    }

    static InputOutputException closedMeanwhile(String peer) {
        return new InputOutputException("stream to " + peer + " was closed while waiting on it", "");
    }
}
