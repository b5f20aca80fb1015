package org.trueasync.bench.echo;

import org.trueasync.bench.Peer;
import org.trueasync.bench.load.ServerMemory;

/**
 * An echo server in a process of its own: {@code EchoServer PEER PORT KIND} prints {@code LISTENING} and serves until
 * it is ended.
 */
public interface EchoServer {

    String HOST = "127.0.0.1";
    int BACKLOG = 1_024;
    int BUFFER = 1_024;

    /** The kinds of servers. */
    enum Kind {
        /** Uses the sockets that the peer is known for. */
        BEST("echo"),
        /** Uses the JDK's blocking sockets; {@link Peer#OURS_BY_TCP_STREAM} uses our own streams. */
        JDK("echo by java.net.Socket"),
        /** Has two loops that share the port; {@link Peer#OURS_ON_ONE_CORE} has one loop. */
        CORES("echo on two cores");

        final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    /** Serves, and never returns; calls {@code listening} once it listens. */
    void serve(int port, Runnable listening) throws Exception;

    static void main(String[] arguments) throws Exception {
        ServerMemory.answerDriver();
        of(Peer.valueOf(arguments[0]), Kind.valueOf(arguments[2])).serve(Integer.parseInt(arguments[1]), () -> {
            System.out.println("LISTENING");
            System.out.flush();
        });
    }

    private static EchoServer of(Peer peer, Kind kind) {
        return switch (peer) {
            case OURS ->
                switch (kind) {
                    case BEST -> new TrueAsyncEcho("libuv");
                    case JDK -> new TrueAsyncSocketEcho("libuv");
                    case CORES -> new TrueAsyncCoresEcho(2);
                };
            case OURS_ON_ONE_CORE -> new TrueAsyncEcho("libuv");
            case OURS_ON_NIO -> kind == Kind.JDK ? new TrueAsyncSocketEcho("nio") : new TrueAsyncEcho("nio");
            case OURS_BY_TCP_STREAM -> new TrueAsyncEcho("libuv");
            case FLOOR -> new SelectorEcho();
            case C -> new NativeEcho();
            case VIRTUAL_THREADS -> new VirtualThreadEcho();
            case NETTY_NIO -> NettyEcho.nio();
            case NETTY_EPOLL -> NettyEcho.epoll();
            default -> throw new IllegalArgumentException(peer.title + " has no echo server");
        };
    }
}
