package org.trueasync.internal.http.jdk;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.internal.http.server.ExchangeCore;
import org.trueasync.internal.http.server.ExchangeHandler;
import org.trueasync.internal.http.server.ListenerSettings;
import org.trueasync.internal.http.server.ServerCore;
import org.trueasync.internal.http.server.ServerSettings;
import org.trueasync.internal.kernel.Loop;

/** What servers with and without TLS have in common. Any thread. */
final class LoopServer implements ExchangeHandler {
    /** As the JDK's server takes them. */
    private static final int MAX_HEADER_BYTES = 384 * 1024;

    private static final Duration IDLE = Duration.ofSeconds(30);
    /** The JDK's own waits for ever; on a machine under load fifty handshakes at once take more than ten seconds. */
    private static final Duration HEAD = Duration.ofSeconds(60);

    private static final Set<String> NO_BIND = Set.of("EADDRINUSE", "EADDRNOTAVAIL", "EACCES");

    private final HttpServer face;
    private final Loop loop;
    private final Contexts contexts;
    private final ServerSettings settings = new ServerSettings();
    private final ListenerSettings listener = new ListenerSettings();
    private volatile @Nullable ServerCore core;
    private volatile @Nullable Executor executor;
    private volatile @Nullable HttpsConfigurator configurator;
    private volatile boolean started;
    private volatile boolean stopped;

    LoopServer(HttpServer face, Loop loop) {
        this.face = face;
        this.loop = loop;
        this.contexts = new Contexts(face);
        settings.listeners = List.of(listener);
        settings.maxHeaderBytes = MAX_HEADER_BYTES;
        settings.maxBodyBytes = 0;
        settings.idleNanos = IDLE.toNanos();
        settings.headNanos = HEAD.toNanos();
        // no program for that API expects that a handler ends in the middle
        settings.cancelsAbandoned = false;
    }

    Contexts contexts() {
        return contexts;
    }

    // ---- before the start

    void bind(InetSocketAddress address, int backlog) throws IOException {
        Objects.requireNonNull(address, "addr");
        if (address.isUnresolved()) throw new SocketException("unresolved address " + address);
        LoopCall.<@Nullable Void>on(loop, () -> {
            if (core != null) throw new BindException("the server is bound to " + getAddress() + " already");
            if (stopped) throw new BindException("the server was stopped");
            listener.port = address.getPort();
            if (backlog > 0) listener.backlog = backlog;
            core = listen(address.getAddress());
            return null;
        });
    }

    private ServerCore listen(InetAddress address) throws IOException {
        // "all addresses" means those of IPv6, too, as with the JDK's sockets
        if (address.isAnyLocalAddress()) {
            try {
                return listen("::");
            } catch (InputOutputException e) {
                if (e.errno().equals("EADDRINUSE")) throw refused(e);
            }
        }
        try {
            return listen(address.getHostAddress());
        } catch (InputOutputException e) {
            throw refused(e);
        }
    }

    private ServerCore listen(String host) {
        listener.host = host;
        return new ServerCore(settings, this, loop.mainScope());
    }

    private static IOException refused(InputOutputException e) {
        IOException failure = NO_BIND.contains(e.errno())
                ? new BindException(e.getMessage())
                : new SocketException(String.valueOf(e.getMessage()));
        failure.initCause(e);
        return failure;
    }

    void setExecutor(@Nullable Executor executor) {
        requireNotStarted();
        this.executor = executor;
    }

    @Nullable
    Executor getExecutor() {
        return executor;
    }

    void setConfigurator(HttpsConfigurator configurator) {
        Objects.requireNonNull(configurator, "config");
        requireNotStarted();
        this.configurator = configurator;
    }

    @Nullable
    HttpsConfigurator getConfigurator() {
        return configurator;
    }

    private void requireNotStarted() {
        if (started) throw new IllegalStateException("the server has been started");
    }

    @Nullable
    InetSocketAddress getAddress() {
        ServerCore bound = core;
        return bound == null ? null : (InetSocketAddress) bound.addresses().getFirst();
    }

    // ---- start and stop

    void start() {
        try {
            LoopCall.<@Nullable Void>on(loop, () -> {
                ServerCore bound = core;
                if (bound == null) throw new IllegalStateException("the server must be bound before it is started");
                if (stopped) throw new IllegalStateException("the server was stopped; create another one");
                requireNotStarted();
                listener.http2 = false; // the API knows of HTTP/1 alone
                HttpsConfigurator secure = configurator;
                if (secure != null) listener.tls = connection -> ConnectionParameters.of(secure, connection);
                else if (face instanceof HttpsServer)
                    throw new IllegalStateException("the server needs setHttpsConfigurator before it is started");
                started = true;
                bound.start();
                return null;
            });
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    void stop(int delay) {
        if (delay < 0) throw new IllegalArgumentException("delay must be >= 0 s, got " + delay);
        try {
            LoopCall.<@Nullable Void>on(loop, () -> {
                stopHere(delay);
                return null;
            });
        } catch (IOException e) {
            // the runtime has ended, and the server with it
        }
    }

    private void stopHere(int delay) {
        stopped = true;
        ServerCore bound = core;
        if (bound == null) return;
        var limit = loop.timers().timeout(Duration.ofSeconds(delay));
        try {
            if (started && delay > 0) bound.drain(limit);
        } catch (OperationCanceledException e) {
            // the time is over
        } finally {
            limit.dispose();
            bound.cut();
        }
    }

    // ---- requests

    @Override
    public void handle(ExchangeCore core) throws Exception {
        URI uri;
        try {
            uri = new URI(core.request().target());
        } catch (URISyntaxException e) {
            refuse(core, 400, "URISyntaxException thrown");
            return;
        }
        ServerContext context = contexts.find(uri.getPath());
        HttpHandler handler = context == null ? null : context.getHandler();
        if (context == null) refuse(core, 404, "No context found for request");
        else if (handler == null) refuse(core, 500, "No handler for context");
        else new LoopExchange(loop, core, uri, context).handle(handler, executor);
    }

    /** Answers with the text that the JDK's server sends. */
    private static void refuse(ExchangeCore core, int status, String text) {
        String page = "<h1>" + status + " " + HeadWriter.reason(status) + "</h1>" + text;
        core.response().status(status);
        core.response().contentType("text/html");
        core.response().respond(ByteBuffer.wrap(page.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Override
    public RuntimeException failure(int status, String text) {
        return new UncheckedIOException(new RefusedException(status, text));
    }

    @Override
    public int statusOf(Throwable error) {
        Throwable reason = error instanceof UncheckedIOException ? error.getCause() : error;
        return reason instanceof RefusedException refused ? refused.status() : 0;
    }

    @Override
    public String toString() {
        return face.getClass().getSimpleName() + " " + getAddress();
    }
}
