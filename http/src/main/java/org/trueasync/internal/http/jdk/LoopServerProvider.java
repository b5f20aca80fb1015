package org.trueasync.internal.http.jdk;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ServiceConfigurationError;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * Makes the servers of {@code com.sun.net.httpserver}: on a loop's thread one that runs on this loop, on any other
 * thread one of the JDK's own.
 */
public final class LoopServerProvider extends HttpServerProvider {
    private static final String PROPERTY = "com.sun.net.httpserver.HttpServerProvider";
    private static final String OF_JDK = "sun.net.httpserver.DefaultHttpServerProvider";

    private final HttpServerProvider outside;

    /** Called by the JDK, once. */
    public LoopServerProvider() {
        outside = ofJdk();
    }

    /**
     * The JDK's own provider. Only the JDK can make it, as its class is not open to others; so the JDK is asked by the
     * property with which a program would choose it. The JDK asks for its provider once, holds a lock meanwhile, and
     * keeps what it gets last: this provider, which is being made for it now.
     */
    private static HttpServerProvider ofJdk() {
        String chosen = System.getProperty(PROPERTY);
        System.setProperty(PROPERTY, OF_JDK);
        try {
            return HttpServerProvider.provider();
        } catch (ServiceConfigurationError e) {
            return new None(e);
        } finally {
            if (chosen == null) System.clearProperty(PROPERTY);
            else System.setProperty(PROPERTY, chosen);
        }
    }

    @Override
    public HttpServer createHttpServer(@Nullable InetSocketAddress address, int backlog) throws IOException {
        Loop loop = Runtimes.hereOrNull();
        return loop == null ? outside.createHttpServer(address, backlog) : new PlainServer(loop, address, backlog);
    }

    @Override
    public HttpsServer createHttpsServer(@Nullable InetSocketAddress address, int backlog) throws IOException {
        Loop loop = Runtimes.hereOrNull();
        return loop == null ? outside.createHttpsServer(address, backlog) : new SecureServer(loop, address, backlog);
    }

    /** Stands for a JDK that has no server under that name. */
    private static final class None extends HttpServerProvider {
        private final Throwable cause;

        None(Throwable cause) {
            this.cause = cause;
        }

        @Override
        public HttpServer createHttpServer(@Nullable InetSocketAddress address, int backlog) throws IOException {
            throw failure();
        }

        @Override
        public HttpsServer createHttpsServer(@Nullable InetSocketAddress address, int backlog) throws IOException {
            throw failure();
        }

        private IOException failure() {
            return new IOException(
                    "the JDK's own HTTP server, for threads without a runtime, was not found; create the server in a"
                            + " coroutine",
                    cause);
        }
    }
}
