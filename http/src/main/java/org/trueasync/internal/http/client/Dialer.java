package org.trueasync.internal.http.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TcpStream;
import org.trueasync.io.TlsOptions;

/** Makes one connection: name, TCP, a tunnel through a proxy, TLS; all within the time for connecting. */
final class Dialer {
    private final ClientSettings settings;
    private final Origin origin;
    private final boolean http1;
    private final boolean http2;
    private final @Nullable InetSocketAddress proxy;

    /**
     * Makes one.
     *
     * @param http1 whether it offers HTTP/1
     * @param http2 whether it offers HTTP/2
     */
    Dialer(ClientSettings settings, Origin origin, boolean http1, boolean http2) {
        this.http1 = http1;
        this.http2 = http2;
        this.settings = settings;
        this.origin = origin;
        this.proxy = settings.proxies == null
                ? null
                : chosen(settings.proxies.select(URI.create(origin.toString())), origin);
    }

    private static @Nullable InetSocketAddress chosen(@Nullable List<Proxy> proxies, Origin origin) {
        if (proxies == null || proxies.isEmpty()) return null;
        Proxy first = proxies.getFirst();
        if (first.type() == Proxy.Type.DIRECT) return null;
        if (first.type() == Proxy.Type.HTTP && first.address() instanceof InetSocketAddress address) return address;
        throw new InputOutputException(
                "the proxy for " + origin + " is " + first + "; this client knows HTTP ones", "");
    }

    /** True if requests name the origin in their target: a proxy gets them in the clear. */
    boolean isAbsolute() {
        return proxy != null && !origin.secure();
    }

    /**
     * Connects.
     *
     * @param then within the same time
     * @throws InputOutputException if that fails, or is not done in time
     * @throws org.trueasync.DnsException if a name is not known
     */
    <T> T connect(Function<ByteStream, T> then) {
        if (settings.connectTimeout.isZero()) return then.apply(open());
        try {
            return Async.withTimeout(settings.connectTimeout, () -> then.apply(open()));
        } catch (AsyncTimeoutException e) {
            throw new InputOutputException(
                    "no connection to " + origin + (proxy == null ? "" : " through " + shown(proxy)) + " after "
                            + settings.connectTimeout.toMillis() + " ms (connectTimeout)",
                    "ETIMEDOUT",
                    e);
        }
    }

    private ByteStream open() {
        TcpStream tcp = proxy == null
                ? TcpStream.connect(origin.address(), origin.port())
                : TcpStream.connect(proxy.getHostString(), proxy.getPort());
        boolean isTunnel = proxy != null && (origin.secure() || !http1);
        if (!origin.secure() && !isTunnel) return tcp;
        try {
            if (proxy != null) tunnel(tcp, proxy);
            if (!origin.secure()) return tcp;
            TlsOptions options = settings.tls == null ? TlsOptions.client() : settings.tls;
            if (proxy != null) options = options.serverName(origin.address());
            String[] offered =
                    !http2 ? new String[] {"http/1.1"} : http1 ? new String[] {"h2", "http/1.1"} : new String[] {"h2"};
            return tcp.tls(options.applicationProtocols(offered));
        } catch (Throwable e) {
            tcp.close();
            throw e;
        }
    }

    private void tunnel(TcpStream tcp, InetSocketAddress proxy) {
        String target = origin.hostAndPort();
        var head = new HeadWriter(256)
                .text("CONNECT ")
                .text(target)
                .text(" HTTP/1.1\r\n")
                .field("Host", target);
        if (settings.proxyAuthorization != null) head.field("Proxy-Authorization", settings.proxyAuthorization);
        tcp.write(head.endLine().buffer());
        var parser = new ResponseParser(settings.maxHeaderBytes);
        parser.next(true);
        ByteBuffer in = ByteBuffer.allocate(1024).limit(0);
        while (true) {
            if (parser.isHeadComplete() && parser.status() >= 200) break;
            if (parser.isComplete()) parser.next(true);
            if (!in.hasRemaining()) {
                int count = tcp.read(in.clear());
                in.flip();
                if (count < 0)
                    throw refused(proxy, "closed the connection before it answered CONNECT " + target, "ECONNRESET");
            }
            parser.parse(in);
            if (parser.fault() != null)
                throw refused(proxy, "sent a malformed answer to CONNECT " + target + ": " + parser.fault(), "EPROTO");
        }
        if (parser.status() >= 300)
            throw refused(proxy, "answered " + parser.status() + " to CONNECT " + target, "ECONNREFUSED");
        if (in.hasRemaining()) throw refused(proxy, "sent bytes before TLS with " + target + " had begun", "EPROTO");
    }

    private static InputOutputException refused(InetSocketAddress proxy, String what, String errno) {
        return new InputOutputException("the proxy " + shown(proxy) + " has " + what, errno);
    }

    private static String shown(InetSocketAddress address) {
        return address.getHostString() + ':' + address.getPort();
    }
}
