package org.trueasync.http;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.server.Forwarding;
import org.trueasync.internal.http.server.ListenerSettings;
import org.trueasync.internal.http.server.TrustedPeers;
import org.trueasync.io.PipeServer;
import org.trueasync.io.TlsOptions;

/**
 * A place where an {@link HttpServer} listens, and what is spoken there: a port or a Unix socket, with or without TLS,
 * which versions of HTTP, and which proxies are trusted. Immutable: each method returns a new one. Any thread.
 *
 * {@snippet :
 * HttpServer.builder()
 *         .listener(Listener.tcp(443).tls(context))
 *         .listener(Listener.tcp(8080).host("10.0.0.5").xForwarded("10.0.0.0/8"))
 *         .listener(Listener.unix(Path.of("/run/service.sock")))
 *         .listen(routes);
 * }
 */
public final class Listener {
    private final ListenerSettings settings;
    private final @Nullable Supplier<TlsOptions> tls;

    private Listener(ListenerSettings settings, @Nullable Supplier<TlsOptions> tls) {
        this.settings = settings;
        this.tls = tls;
    }

    /**
     * A port, on all addresses of this machine unless {@link #host} names one.
     *
     * @param port 0 to 65535; 0 for any free one, see {@link HttpServer#localAddresses}
     * @throws IllegalArgumentException if it is out of range
     */
    public static Listener tcp(int port) {
        return new Listener(new ListenerSettings(), null).port(port);
    }

    /**
     * A Unix socket. Only this user may connect, unless {@link #permissions} says otherwise. The file is removed at the
     * end; see {@link PipeServer} for one that is there already.
     *
     * @param file to be created, 107 bytes at most (macOS: 103) as an absolute path
     */
    public static Listener unix(Path file) {
        return new Listener(new ListenerSettings(), null).with(s -> s.file = Objects.requireNonNull(file, "file"));
    }

    Listener port(int port) {
        if (port < 0 || port > 65535) throw new IllegalArgumentException("port must be 0 to 65535, got " + port);
        return with(s -> s.port = port);
    }

    /**
     * The address to listen on.
     *
     * @param host name or literal of a local address
     * @throws IllegalStateException for a Unix socket
     */
    public Listener host(String host) {
        Checks.host(host);
        requireTcp("host");
        return with(s -> s.host = host);
    }

    /**
     * Who may connect to the Unix socket.
     *
     * @param rights of its file, as {@code ls} shows them: {@code rw-rw----}
     * @throws IllegalArgumentException if they have another form
     * @throws IllegalStateException for a port
     */
    public Listener permissions(String rights) {
        if (settings.file == null) throw new IllegalStateException("permissions are for Unix sockets, not for ports");
        PipeServer.Options options = settings.fileOptions.withPermissions(rights);
        return with(s -> s.fileOptions = options);
    }

    // ---- TLS

    /**
     * As {@link #tls(TlsOptions)}.
     *
     * @param context with the server's keys
     */
    public Listener tls(SSLContext context) {
        return tls(TlsOptions.server(context));
    }

    /**
     * Speaks TLS, and offers its clients HTTP/2 and HTTP/1 (ALPN), unless the options name {@linkplain
     * TlsOptions#applicationProtocols protocols} of their own. If the context has several certificates, the JDK's key
     * manager ({@code PKIX}) takes the one for the host that the client names (SNI).
     *
     * @param options a server's
     * @throws IllegalStateException for a Unix socket
     */
    public Listener tls(TlsOptions options) {
        Objects.requireNonNull(options, "options");
        return tls(() -> options);
    }

    /**
     * As {@link #tls(TlsOptions)}, asked for each connection that comes: return others to renew a certificate.
     * Connections that are open go on as they are.
     *
     * @param options called on the loop, so it only returns what is there; if it throws, the connection is closed, and
     *     the error is reported
     * @throws IllegalStateException for a Unix socket
     */
    public Listener tls(Supplier<TlsOptions> options) {
        Objects.requireNonNull(options, "options");
        requireTcp("TLS");
        return new Listener(settings, options);
    }

    // ---- HTTP

    /** Speaks HTTP/1 alone. */
    public Listener http1Only() {
        return http2(false);
    }

    Listener http2(boolean on) {
        return with(s -> {
            s.http1 = true;
            s.http2 = on;
        });
    }

    /** Speaks HTTP/2 alone; without TLS clients have to know it. Others are answered 505. */
    public Listener http2Only() {
        return with(s -> {
            s.http1 = false;
            s.http2 = true;
        });
    }

    // ---- proxies

    /**
     * Each connection begins with a header of the PROXY protocol, version 1 or 2, before TLS: it tells {@link
     * Exchange#remoteAddress}, and {@link Exchange#scheme} if the proxy has ended TLS and says so. A connection of
     * anybody else, or without such a header, is closed.
     *
     * @param trusted addresses and networks of the proxies, {@code 10.0.0.0/8} for instance; for a Unix socket there
     *     need be none, as its file decides who connects
     * @throws IllegalArgumentException if one has another form, or there is none for a port
     */
    public Listener proxyProtocol(String... trusted) {
        TrustedPeers peers = peers("proxyProtocol", trusted);
        return with(s -> s.proxies = peers);
    }

    /**
     * Takes the word of these proxies for {@link Exchange#remoteAddress}, {@link Exchange#host} and {@link
     * Exchange#scheme}: they send {@code Forwarded} (RFC 7239). Of several elements counts the one that the outermost
     * trusted proxy has added. A trusted proxy must add one to each request, as clients may send some of their own.
     *
     * @param trusted as {@link #proxyProtocol}
     * @throws IllegalArgumentException as {@link #proxyProtocol}
     */
    public Listener forwarded(String... trusted) {
        var forwarding = new Forwarding(true, peers("forwarded", trusted));
        return with(s -> s.forwarding = forwarding);
    }

    /**
     * As {@link #forwarded}, for proxies that send {@code X-Forwarded-For}, {@code -Proto}, {@code -Host} and {@code
     * -Port} in its place. They must set or remove each of these fields, as clients may send some of their own.
     *
     * @param trusted as {@link #proxyProtocol}
     * @throws IllegalArgumentException as {@link #proxyProtocol}
     */
    public Listener xForwarded(String... trusted) {
        var forwarding = new Forwarding(false, peers("xForwarded", trusted));
        return with(s -> s.forwarding = forwarding);
    }

    private TrustedPeers peers(String call, String... trusted) {
        var peers = new TrustedPeers(List.of(trusted));
        if (peers.isEmpty() && settings.file == null)
            throw new IllegalArgumentException(call
                    + " needs the addresses of the proxies, 10.0.0.0/8 for instance: any peer could lie otherwise");
        return peers;
    }

    // ----

    private void requireTcp(String what) {
        if (settings.file != null)
            throw new IllegalStateException(what + " is for ports; this is the Unix socket " + settings.file);
    }

    private Listener with(Consumer<ListenerSettings> change) {
        ListenerSettings next = settings.copy();
        change.accept(next);
        return new Listener(next, tls);
    }

    boolean isPort() {
        return settings.file == null;
    }

    /** What the server works with. */
    ListenerSettings settings(boolean onEachCore) {
        ListenerSettings own = settings.copy();
        own.onEachCore = onEachCore;
        Supplier<TlsOptions> options = tls;
        if (options == null) return own;
        String[] offered = !own.http2
                ? new String[0]
                : own.http1 ? new String[] {"h2", "http/1.1", "http/1.0"} : new String[] {"h2"};
        Consumer<SSLParameters> offer = parameters -> {
            if (parameters.getApplicationProtocols().length == 0) parameters.setApplicationProtocols(offered);
        };
        own.tls = connection -> options.get().parameters(offer);
        return own;
    }

    @Override
    public String toString() {
        return (settings.file != null ? settings.file.toString() : settings.host + ":" + settings.port)
                + (tls != null ? " (TLS)" : "");
    }
}
