package org.trueasync.io;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.trueasync.internal.tls.TlsSettings;
import org.trueasync.internal.tls.TlsSettings.ClientCertificate;

/**
 * The options of a TLS connection, for {@link TcpStream#tls(TlsOptions)}. Immutable: each method returns new options,
 * so the same ones can serve many connections. Any thread.
 *
 * <p>The JDK's {@link SSLContext} has the keys and decides which certificates are trusted. A client checks two things
 * about the server's certificate: the context trusts its signer, and the certificate is for the name that the client
 * wants to reach. The versions are TLS 1.3 and TLS 1.2. There is neither compression nor renegotiation.
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

    /**
     * Options of a client with the JVM's default trust: it uses {@link SSLContext#getDefault}, which a helper thread
     * loads when it is first needed.
     */
    public static TlsOptions client() {
        return new TlsOptions(TlsSettings.of(true, null));
    }

    /**
     * Options of a client.
     *
     * @param context decides which servers are trusted, and has the client's own keys, for servers that ask for a
     *     certificate
     */
    public static TlsOptions client(SSLContext context) {
        return new TlsOptions(TlsSettings.of(true, Objects.requireNonNull(context, "context")));
    }

    /**
     * Options of a server.
     *
     * @param context has the server's keys, and decides which client certificates are trusted. If there are several
     *     keys, the context's key manager chooses one by the name that the client asks for (SNI)
     */
    public static TlsOptions server(SSLContext context) {
        return new TlsOptions(TlsSettings.of(false, Objects.requireNonNull(context, "context")));
    }

    /**
     * For clients: sets the name of the server. The server's certificate must be for that name. A host name is also
     * sent to the server (SNI), which may have certificates for several names; a name that is not legal there, with an
     * underscore for instance, is not sent. A dot at the end is dropped. The default is the name that
     * {@link TcpStream#connect} was given.
     *
     * @param name a host name, or the literal of an address
     * @throws IllegalArgumentException if it is blank
     * @throws IllegalStateException for a server
     */
    public TlsOptions serverName(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isBlank())
            throw new IllegalArgumentException("the server name must not be blank, got '" + name
                    + "'; without serverName the name that connect was given is used");
        requireClient("serverName");
        return new TlsOptions(settings.withServerName(name));
    }

    /**
     * For clients: accepts a certificate for any name, if its signer is trusted. Then any holder of such a certificate
     * can pretend to be the server.
     *
     * @throws IllegalStateException for a server
     */
    public TlsOptions withoutServerNameCheck() {
        requireClient("withoutServerNameCheck");
        return new TlsOptions(settings.withoutNameCheck());
    }

    /**
     * Sets the protocols to speak over the connection (ALPN), the preferred one first. If both sides support several,
     * the server's order decides. If the server supports none that the client offers, the handshake fails.
     * {@link TlsStream#applicationProtocol} returns the result.
     *
     * @param names {@code h2} and {@code http/1.1} for instance, each of 1 to 255 characters
     * @throws IllegalArgumentException if a name is empty or too long
     */
    public TlsOptions applicationProtocols(String... names) {
        List<String> list = List.of(names);
        for (String name : list)
            if (name.isEmpty() || name.length() > 255)
                throw new IllegalArgumentException(
                        "the name of an application protocol must have 1 to 255 characters, got " + name.length()
                                + " in '" + name + "'");
        return new TlsOptions(settings.withApplicationProtocols(list));
    }

    /**
     * Restricts the versions of TLS.
     *
     * @param versions {@code TLSv1.3}, {@code TLSv1.2}, or both, which is the default
     * @throws IllegalArgumentException if there is none, or an unknown one
     */
    public TlsOptions protocols(String... versions) {
        if (versions.length == 0)
            throw new IllegalArgumentException("protocols must name TLSv1.3, TLSv1.2 or both, got none");
        return new TlsOptions(settings.withProtocols(List.of(versions)));
    }

    /**
     * For servers: asks clients for a certificate. A client may have none; but if it sends one, the context must trust
     * it.
     *
     * @throws IllegalStateException for a client
     */
    public TlsOptions requestClientCertificate() {
        requireServer("requestClientCertificate");
        return new TlsOptions(settings.withCertificate(ClientCertificate.REQUESTED));
    }

    /**
     * For servers: refuses clients without a certificate that the context trusts. In TLS 1.3 a client sees the refusal
     * only when it reads, after its own handshake has succeeded.
     *
     * @throws IllegalStateException for a client
     */
    public TlsOptions requireClientCertificate() {
        requireServer("requireClientCertificate");
        return new TlsOptions(settings.withCertificate(ClientCertificate.REQUIRED));
    }

    /**
     * Sets any other of the JDK's parameters: cipher suites, named groups, SNI matchers.
     *
     * @param change called once for each connection, with the parameters after all other options are set; in the
     *     coroutine that begins the handshake
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
