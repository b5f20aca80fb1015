package org.trueasync.testkit;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The JDK's waits for datagrams. None for sending: on the loopback a datagram for which there is no room is dropped.
 */
final class DatagramWaits {
    private DatagramWaits() {}

    static Map<String, SocketWait.Maker> all() {
        var all = new LinkedHashMap<String, SocketWait.Maker>();
        SocketWaits.timed(all, "DatagramSocket.receive", DatagramWaits::receive);
        SocketWaits.timed(all, "DatagramChannel.socket().receive", DatagramWaits::receiveByAdaptor);
        all.put("DatagramChannel.receive", DatagramWaits::receiveChannel);
        all.put("DatagramChannel.read", DatagramWaits::readChannel);
        return all;
    }

    private static SocketWait receive(int limit) throws IOException {
        var wait = new SocketWait();
        var socket = wait.hold(new DatagramSocket(anyPort()));
        return receive(wait, socket, limit).closing(socket);
    }

    private static SocketWait receiveByAdaptor(int limit) throws IOException {
        var wait = new SocketWait();
        DatagramChannel channel = wait.hold(DatagramChannel.open()).bind(anyPort());
        return receive(wait, channel.socket(), limit).closing(channel);
    }

    private static SocketWait receive(SocketWait wait, DatagramSocket socket, int limit) throws IOException {
        socket.setSoTimeout(limit);
        comes(wait, socket.getLocalSocketAddress());
        var packet = new DatagramPacket(new byte[10], 10);
        return wait.as(() -> {
            socket.receive(packet);
            return packet.getLength();
        });
    }

    private static SocketWait receiveChannel() throws IOException {
        var wait = new SocketWait();
        DatagramChannel channel = wait.hold(DatagramChannel.open()).bind(anyPort());
        comes(wait, channel.getLocalAddress());
        ByteBuffer into = ByteBuffer.allocate(10);
        return wait.closing(channel).as(() -> {
            channel.receive(into);
            return into.position();
        });
    }

    private static SocketWait readChannel() throws IOException {
        var wait = new SocketWait();
        DatagramChannel channel = wait.hold(DatagramChannel.open()).bind(anyPort());
        DatagramChannel peer = wait.hold(DatagramChannel.open()).bind(anyPort());
        channel.connect(peer.getLocalAddress());
        return wait.closing(channel)
                .end("data", () -> peer.send(ByteBuffer.allocate(2), channel.getLocalAddress()))
                .end("the peer's port is closed", () -> {
                    peer.close();
                    channel.write(ByteBuffer.allocate(1));
                })
                .as(() -> channel.read(ByteBuffer.allocate(10)));
    }

    private static void comes(SocketWait wait, SocketAddress to) {
        wait.end("data", () -> {
            try (var peer = new DatagramSocket(anyPort())) {
                peer.send(new DatagramPacket(new byte[2], 2, to));
            }
        });
    }

    private static SocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
