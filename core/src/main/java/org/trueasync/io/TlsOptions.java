package org.trueasync.io;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.trueasync.internal.tls.TlsSettings;
import org.trueasync.internal.tls.TlsSettings.ClientCertificate;

/**
 * What a TLS connection is to be like, for {@link TcpStream#tls(TlsOptions)}. Immutable: each method gives a new one, so one can be kept and used for
 * many connections. Any thread.
 *
 * <p>Keys and trust are an {@link SSLContext} of the JDK's. A client checks that the server's certificate is signed by somebody whom the context trusts
 * and is for the name that it wants to reach. Versions are TLS 1.3 and 1.2; compression and renegotiation there is none.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="tls" :
 * var options = TlsOptions.client(context).applicationProtocols("h2", "http/1.1");
 * try (var stream = TcpStream.connect("example.org", 443).tls(options)) {
 *     stream.writeText("...");
 * }
 * }
 */
public final class TlsOptions {
    private final TlsSettings settings;

    private TlsOptions(TlsSettings settings) {
        this.settings = settings;
    }

    /** A client that trusts whom the JVM trusts: {@link SSLContext#getDefault}, which is read on a helper thread when it is needed first. */
    public static TlsOptions client() {
        return new TlsOptions(TlsSettings.of(true, null));
    }

    /**
     * A client.
     *
     * @param context whom it trusts, and the keys with which it answers a server that asks for a certificate
     */
    public static TlsOptions client(SSLContext context) {
        return new TlsOptions(TlsSettings.of(true, Objects.requireNonNull(context, "context")));
    }

    /**
     * A server.
     *
     * @param context its keys, of which the key manager chooses by the name that the client asks for (SNI); and whose client certificates it trusts
     */
    public static TlsOptions server(SSLContext context) {
        return new TlsOptions(TlsSettings.of(false, Objects.requireNonNull(context, "context")));
    }

    /**
     * For clients: whom to reach. The server is told, as it may have several certificates, and its certificate must be for that name. Without it,
     * what {@link TcpStream#connect} was given.
     *
     * @param name a host name, or the literal of an address
     * @throws IllegalStateException for a server
     */
    public TlsOptions serverName(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) throw new IllegalArgumentException("the server name must not be blank");
        requireClient("serverName");
        return new TlsOptions(settings.withServerName(name));
    }

    /**
     * For clients: the server's certificate may be for any name, as long as somebody who is trusted has signed it. Whoever has such a certificate can
     * pretend to be the server then.
     *
     * @throws IllegalStateException for a server
     */
    public TlsOptions withoutServerNameCheck() {
        requireClient("withoutServerNameCheck");
        return new TlsOptions(settings.withoutNameCheck());
    }

    /**
     * What is to be spoken inside (ALPN), the dearest first. The server's order decides; if it speaks none of what the client offers, the handshake
     * fails. What was agreed on says {@link TlsStream#applicationProtocol}.
     *
     * @param names {@code h2} and {@code http/1.1} for instance, each 1 to 255 bytes
     */
    public TlsOptions applicationProtocols(String... names) {
        List<String> list = List.of(names);
        for (String name : list)
            if (name.isEmpty() || name.length() > 255)
                throw new IllegalArgumentException(
                        "an application protocol must have 1 to 255 bytes, got " + name.length());
        return new TlsOptions(settings.withApplicationProtocols(list));
    }

    /**
     * The versions that are allowed.
     *
     * @param versions of {@code TLSv1.3} and {@code TLSv1.2}
     * @throws IllegalArgumentException if there is none, or another one
     */
    public TlsOptions protocols(String... versions) {
        if (versions.length == 0) throw new IllegalArgumentException("protocols must name a version, got none");
        return new TlsOptions(settings.withProtocols(List.of(versions)));
    }

    /**
     * For servers: asks clients for a certificate. One that a client has must be good; a client may have none.
     *
     * @throws IllegalStateException for a client
     */
    public TlsOptions requestClientCertificate() {
        requireServer("requestClientCertificate");
        return new TlsOptions(settings.withCertificate(ClientCertificate.REQUESTED));
    }

    /**
     * For servers: refuses clients that have no good certificate. In TLS 1.3 the client learns that after its handshake, when it reads.
     *
     * @throws IllegalStateException for a client
     */
    public TlsOptions requireClientCertificate() {
        requireServer("requireClientCertificate");
        return new TlsOptions(settings.withCertificate(ClientCertificate.REQUIRED));
    }

    /**
     * Everything else that the JDK can be told: cipher suites, named groups, SNI matchers.
     *
     * @param change called for each connection with the parameters as they are otherwise, in the coroutine that begins the handshake
     */
    public TlsOptions parameters(Consumer<SSLParameters> change) {
        return new TlsOptions(settings.withCustom(Objects.requireNonNull(change, "change")));
    }

    TlsSettings settings() {
        return settings;
    }

    private void requireClient(String call) {
        if (!settings.client()) throw new IllegalStateException(call + " is for clients; these are a server's options");
    }

    private void requireServer(String call) {
        if (settings.client()) throw new IllegalStateException(call + " is for servers; these are a client's options");
    }

    @Override
    public String toString() {
        return "TLS " + (settings.client() ? "client" : "server")
                + (settings.serverName() == null ? "" : " for " + settings.serverName());
    }
}
