package org.trueasync.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JDK's waits for stream sockets and pipes; see {@link DatagramWaits} and {@link SelectorWaits}. */
final class SocketWaits {
    /** Milliseconds; nobody sees it pass. */
    static final int LONG = 3_600_000;

    static final int SHORT = 20;
    private static final int BUFFER = 32 << 10;
    private static final int MUCH = 4 << 20;

    private SocketWaits() {}

    /** Makes one with a limit in milliseconds; 0 for none. */
    interface Timed {
        SocketWait make(int limit) throws Exception;
    }

    static Map<String, SocketWait.Maker> all() {
        var all = new LinkedHashMap<String, SocketWait.Maker>();
        timed(all, "Socket.read", SocketWaits::read);
        timed(all, "Socket.read, urgent data inline", SocketWaits::readUrgent);
        timed(all, "SocketChannel.socket().read", SocketWaits::readByAdaptor);
        timed(all, "ServerSocket.accept", SocketWaits::accept);
        timed(all, "ServerSocketChannel.socket().accept", SocketWaits::acceptByAdaptor);
        timed(all, "Socket.connect", SocketWaits::connect);
        timed(all, "SocketChannel.socket().connect", SocketWaits::connectByAdaptor);
        all.put("SocketChannel.read", SocketWaits::readChannel);
        all.put("SocketChannel.read, scattering", SocketWaits::readScattering);
        all.put("ServerSocketChannel.accept", SocketWaits::acceptChannel);
        all.put("SocketChannel.connect", SocketWaits::connectChannel);
        all.put("Socket.write", SocketWaits::write);
        all.put("SocketChannel.write", SocketWaits::writeChannel);
        all.put("Pipe.read", SocketWaits::readPipe);
        all.put("Pipe.write", SocketWaits::writePipe);
        return all;
    }

    /** Without a limit, with one that does not pass, with one that does. */
    static void timed(Map<String, SocketWait.Maker> all, String name, Timed wait) {
        all.put(name, () -> wait.make(0));
        all.put(name + ", long limit", () -> wait.make(LONG));
        all.put(name + ", short limit", () -> wait.make(SHORT).byItself());
    }

    // ---- reading

    private static SocketWait read(int limit) throws IOException {
        var wait = new SocketWait();
        Socket[] pair = pair(wait);
        pair[0].setSoTimeout(limit);
        peerEnds(wait, pair[1])
                .end("urgent data that is not wanted, then data", () -> {
                    pair[1].sendUrgentData(3);
                    pair[1].getOutputStream().write(4);
                })
                .end("its own input is shut", pair[0]::shutdownInput);
        return wait.closing(pair[0]).as(() -> pair[0].getInputStream().read());
    }

    private static SocketWait readUrgent(int limit) throws IOException {
        var wait = new SocketWait();
        Socket[] pair = pair(wait);
        pair[0].setSoTimeout(limit);
        pair[0].setOOBInline(true);
        wait.end("urgent data", () -> pair[1].sendUrgentData(3));
        return wait.closing(pair[0]).as(() -> pair[0].getInputStream().read());
    }

    private static SocketWait readByAdaptor(int limit) throws IOException {
        var wait = new SocketWait();
        SocketChannel client = connected(wait);
        client.socket().setSoTimeout(limit);
        return wait.closing(client).as(() -> client.socket().getInputStream().read());
    }

    private static SocketWait readChannel() throws IOException {
        var wait = new SocketWait();
        SocketChannel client = connected(wait);
        wait.end("its own input is shut", client::shutdownInput);
        return wait.closing(client).as(() -> client.read(ByteBuffer.allocate(10)));
    }

    private static SocketWait readScattering() throws IOException {
        var wait = new SocketWait();
        SocketChannel client = connected(wait);
        ByteBuffer[] into = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1)};
        return wait.closing(client).as(() -> client.read(into));
    }

    private static SocketWait readPipe() throws IOException {
        var wait = new SocketWait();
        Pipe pipe = pipe(wait);
        return wait.closing(pipe.source())
                .end("data", () -> pipe.sink().write(ByteBuffer.allocate(2)))
                .end("the peer closes", pipe.sink()::close)
                .as(() -> pipe.source().read(ByteBuffer.allocate(10)));
    }

    private static Pipe pipe(SocketWait wait) throws IOException {
        Pipe pipe = Pipe.open();
        wait.hold(pipe.sink());
        wait.hold(pipe.source());
        return pipe;
    }

    // ---- accepting

    private static SocketWait accept(int limit) throws IOException {
        var wait = new SocketWait();
        ServerSocket server = wait.hold(server());
        server.setSoTimeout(limit);
        comes(wait, server.getLocalSocketAddress());
        return wait.closing(server).as(() -> accepted(wait.hold(server.accept())));
    }

    private static SocketWait acceptByAdaptor(int limit) throws IOException {
        var wait = new SocketWait();
        ServerSocketChannel server = serverChannel(wait, 5);
        server.socket().setSoTimeout(limit);
        comes(wait, server.getLocalAddress());
        return wait.closing(server).as(() -> accepted(wait.hold(server.socket().accept())));
    }

    private static SocketWait acceptChannel() throws IOException {
        var wait = new SocketWait();
        ServerSocketChannel server = serverChannel(wait, 5);
        comes(wait, server.getLocalAddress());
        return wait.closing(server).as(() -> accepted(wait.hold(server.accept()).socket()));
    }

    private static void comes(SocketWait wait, SocketAddress address) {
        wait.end("a peer comes", () -> wait.hold(new Socket()).connect(address));
        wait.end("a peer comes and resets", () -> {
            try (var peer = new Socket()) {
                peer.connect(address);
                peer.setSoLinger(true, 0);
            }
        });
    }

    private static String accepted(Socket peer) {
        return peer.isConnected() ? "accepted" : "accepted nobody";
    }

    // ---- connecting, to a server that has no room for one more

    private static SocketWait connect(int limit) throws IOException {
        var wait = new SocketWait();
        ServerSocketChannel server = fullServer(wait);
        Socket client = wait.hold(new Socket());
        // The system tries again after a second: once will do.
        if (limit == 0) wait.end("the server makes room", () -> makeRoom(wait, server, client));
        return wait.closing(client).as(() -> {
            client.connect(server.getLocalAddress(), limit);
            return "connected";
        });
    }

    private static SocketWait connectByAdaptor(int limit) throws IOException {
        var wait = new SocketWait();
        ServerSocketChannel server = fullServer(wait);
        SocketChannel client = wait.hold(SocketChannel.open());
        return wait.closing(client).as(() -> {
            client.socket().connect(server.getLocalAddress(), limit);
            return "connected";
        });
    }

    private static SocketWait connectChannel() throws IOException {
        var wait = new SocketWait();
        ServerSocketChannel server = fullServer(wait);
        SocketChannel client = wait.hold(SocketChannel.open());
        return wait.closing(client).as(() -> client.connect(server.getLocalAddress()));
    }

    private static ServerSocketChannel fullServer(SocketWait wait) throws IOException {
        ServerSocketChannel server = serverChannel(wait, 1);
        for (int i = 0; i < 8; i++) {
            SocketChannel taken = wait.hold(SocketChannel.open());
            taken.configureBlocking(false);
            taken.connect(server.getLocalAddress());
        }
        return server;
    }

    /** Others whose turn to try again comes first take the room, until it is the client's turn. */
    private static void makeRoom(SocketWait wait, ServerSocketChannel server, Socket client) throws Exception {
        server.configureBlocking(false);
        long limit = System.nanoTime() + 15_000_000_000L;
        while (!client.isConnected() && System.nanoTime() < limit) {
            SocketChannel next = server.accept();
            if (next == null) Thread.sleep(1);
            else wait.hold(next);
        }
    }

    // ---- writing, to a peer that does not read

    private static SocketWait write() throws IOException {
        var wait = new SocketWait();
        Socket[] pair = pair(wait);
        takesMuch(wait, pair[1]);
        return wait.closing(pair[0]).as(() -> {
            pair[0].getOutputStream().write(new byte[MUCH]);
            return "written";
        });
    }

    private static SocketWait writeChannel() throws IOException {
        var wait = new SocketWait();
        try (ServerSocket server = server()) {
            SocketChannel client = wait.hold(SocketChannel.open());
            client.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
            client.connect(server.getLocalSocketAddress());
            takesMuch(wait, wait.hold(server.accept()));
            return wait.closing(client).as(() -> {
                ByteBuffer much = ByteBuffer.allocateDirect(MUCH);
                while (much.hasRemaining()) {
                    client.write(much);
                    wait.callReturned();
                }
                return "written";
            });
        }
    }

    private static SocketWait writePipe() throws IOException {
        var wait = new SocketWait();
        Pipe pipe = pipe(wait);
        return wait.closing(pipe.sink())
                .end("the peer reads", () -> {
                    ByteBuffer into = ByteBuffer.allocate(MUCH);
                    while (into.hasRemaining()) pipe.source().read(into);
                })
                .end("the peer closes", pipe.source()::close)
                .as(() -> {
                    ByteBuffer much = ByteBuffer.allocate(MUCH);
                    while (much.hasRemaining()) pipe.sink().write(much);
                    return "written";
                });
    }

    private static void takesMuch(SocketWait wait, Socket peer) {
        wait.end("the peer reads", () -> peer.getInputStream().readNBytes(MUCH));
        wait.end("the peer closes", peer::close);
        wait.end("the peer resets", () -> reset(peer));
    }

    // ---- the other side

    private static ServerSocket server() throws IOException {
        var server = new ServerSocket();
        server.setReceiveBufferSize(BUFFER);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        return server;
    }

    private static ServerSocketChannel serverChannel(SocketWait wait, int backlog) throws IOException {
        ServerSocketChannel server = wait.hold(ServerSocketChannel.open());
        return server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), backlog);
    }

    /** A client and its peer. */
    static Socket[] pair(SocketWait wait) throws IOException {
        try (ServerSocket server = server()) {
            Socket client = wait.hold(new Socket());
            client.setSendBufferSize(BUFFER);
            client.connect(server.getLocalSocketAddress());
            return new Socket[] {client, wait.hold(server.accept())};
        }
    }

    /** A client whose peer may end the wait. */
    private static SocketChannel connected(SocketWait wait) throws IOException {
        try (ServerSocket server = server()) {
            SocketChannel client = wait.hold(SocketChannel.open(server.getLocalSocketAddress()));
            peerEnds(wait, wait.hold(server.accept()));
            return client;
        }
    }

    private static SocketWait peerEnds(SocketWait wait, Socket peer) {
        return wait.end("data", () -> peer.getOutputStream().write(new byte[] {1, 2}))
                .end("the peer closes", peer::close)
                .end("the peer half-closes", peer::shutdownOutput)
                .end("the peer resets", () -> reset(peer));
    }

    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }
}
