package org.trueasync.spi;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket, TCP or Unix.
 *
 * <p>Loop thread only.
 */
public interface ListenHandle {
    /**
     * The address it listens on: an {@link java.net.InetSocketAddress} with the real port, or a
     * {@link java.net.UnixDomainSocketAddress}.
     */
    SocketAddress localAddress();

    /**
     * Accepts one waiting connection. If there is none, {@link Listener#onConnection} is called when one comes.
     *
     * @param listener listener of the new stream; the stream does not read yet
     * @return a connected stream, a {@link TcpHandle} for TCP; null if no connection waits
     * @throws org.trueasync.InputOutputException if this handle is closed, or the system refuses this connection; the
     *     socket then goes on listening. If descriptors have run out (EMFILE, ENFILE), or memory for sockets (ENOBUFS,
     *     ENOMEM), connections stay in the backlog. {@link Listener#onConnection} is called again after a short pause,
     *     or as soon as a handle of this reactor is closed; the caller need not retry
     */
    @Nullable
    StreamHandle accept(StreamHandle.Listener listener);

    /** Stops listening. Idempotent. */
    void close();

    /** True from {@link #close} on, and once the reactor is closed. Any thread; another thread may see it late. */
    boolean isClosed();

    /** Receives the events of the socket. Called on the loop thread. */
    interface Listener {
        /**
         * Called when a connection waits to be accepted. Not repeated until {@link ListenHandle#accept} has returned
         * null or thrown.
         */
        void onConnection();

        /**
         * Called when the system reports an error on the listening socket, which goes on listening.
         *
         * @param error the system's error
         */
        void onError(SystemError error);
    }

    /**
     * How to listen.
     *
     * @param backlog connections that the system keeps waiting, >= 1
     * @param reusePort true if several sockets may share the port
     * @param ipv6Only true if an IPv6 socket takes no IPv4 connections
     */
    record Options(int backlog, boolean reusePort, boolean ipv6Only) {
        /** 511 waiting connections, no port sharing, IPv4 accepted on IPv6 sockets. */
        public static final Options DEFAULT = new Options(511, false, false);

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if the backlog is below 1
         */
        public Options {
            if (backlog < 1) throw new IllegalArgumentException("backlog must be >= 1, got " + backlog);
        }
    }
}
