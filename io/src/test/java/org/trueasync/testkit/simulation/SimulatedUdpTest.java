package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.UdpSocket;

@Timeout(60)
class SimulatedUdpTest {
    private static final int PORT = 7;

    private static ByteBuffer number(int number) {
        return ByteBuffer.allocate(4).putInt(0, number);
    }

    private static int receive(UdpSocket socket) {
        ByteBuffer into = ByteBuffer.allocate(4);
        socket.receive(into, timeout(5_000));
        return into.getInt(0);
    }

    /** Sends numbers to a host and returns what has come there, in its order. */
    private static List<Integer> sent(long seed, int count, Consumer<Simulation> more) {
        List<Integer> got = new ArrayList<>();
        Simulation.replay(seed, sim -> {
            sim.host("log", () -> {
                try (var socket = UdpSocket.bind("0.0.0.0", PORT)) {
                    while (true) got.add(receive(socket));
                } catch (OperationCanceledException quiet) {
                    // it was the last one
                }
            });
            sim.client(() -> {
                try (var socket = UdpSocket.bind("0.0.0.0", 0)) {
                    var to = new InetSocketAddress("10.0.0.1", PORT);
                    for (int i = 0; i < count; i++) {
                        delay(1);
                        socket.send(number(i), to);
                    }
                }
                delay(6_000);
            });
            more.accept(sim);
        });
        return got;
    }

    @Test
    void withoutFaults_allArriveOnceAndInOrder() {
        List<Integer> got = sent(1, 200, sim -> {});
        assertThat(got).hasSize(200).isSorted();
    }

    @Test
    void packetLoss_losesDoublesAndDelaysSome() {
        List<Integer> got = new ArrayList<>();
        for (long seed = 1; got.isEmpty() || got.equals(got.stream().sorted().toList()); seed++) {
            assertThat(seed).isLessThan(50);
            got = sent(seed, 1_000, sim -> sim.faults().packetLoss().every(Duration.ofMillis(200)));
        }
        var different = new TreeSet<>(got);
        assertThat(different).hasSizeBetween(300, 999).hasSizeLessThan(got.size());
    }

    @Test
    void withoutPower_nothingArrivesAndNobodyIsTold() {
        Map<String, Object> seen = new HashMap<>();
        Simulation.replay(1, sim -> {
            Host log = sim.host("log", () -> {
                try (var socket = UdpSocket.bind("0.0.0.0", PORT)) {
                    seen.put("first", receive(socket));
                    delay(3_600_000);
                }
            });
            sim.client(() -> {
                try (var socket = UdpSocket.bind("0.0.0.0", 0)) {
                    delay(1);
                    socket.connect(log.address().getHostAddress(), PORT);
                    socket.write(number(1));
                    delay(1);
                    log.kill();
                    delay(1);
                    socket.write(number(2));
                    assertThatThrownBy(() -> socket.read(ByteBuffer.allocate(4), timeout(10_000)))
                            .isInstanceOf(OperationCanceledException.class);
                    log.restart();
                    delay(1);
                    socket.write(number(3));
                    delay(1);
                }
            });
        });
        assertThat(seen).containsEntry("first", 3);
    }

    @Test
    void nobodyHasThePort_connectedSenderIsTold() {
        Simulation.replay(1, sim -> {
            sim.host("empty", () -> {});
            sim.host("busy", () -> delay(60_000));
            sim.client(() -> {
                delay(1);
                for (String host : List.of("10.0.0.1", "10.0.0.2", "127.0.0.1")) {
                    try (var socket = UdpSocket.bind("0.0.0.0", 0)) {
                        socket.connect(host, PORT);
                        socket.write(number(1));
                        assertThatThrownBy(() -> socket.read(ByteBuffer.allocate(4), timeout(1_000)))
                                .hasMessageContaining("ECONNREFUSED");
                    }
                }
            });
        });
    }

    @Test
    void group_isReceivedByItsMembersOnAllHosts() {
        List<Integer> got = new ArrayList<>();
        InetAddress group = InetAddress.ofLiteral("239.1.2.3");
        Simulation.replay(1, sim -> {
            for (String name : List.of("a", "b", "c"))
                sim.host(name, () -> {
                    try (var socket = UdpSocket.bind("0.0.0.0", PORT)) {
                        if (!name.equals("c")) socket.join(group);
                        got.add(receive(socket));
                    }
                });
            sim.client(() -> {
                try (var socket = UdpSocket.bind("0.0.0.0", 0)) {
                    delay(1);
                    socket.send(number(7), new InetSocketAddress(group, PORT));
                    socket.broadcast(true);
                    delay(1);
                    socket.send(number(8), new InetSocketAddress("255.255.255.255", PORT));
                    delay(1);
                }
            });
        });
        assertThat(got).containsExactlyInAnyOrder(7, 7, 8);
    }

    @Test
    void senderThatNeverWaits_letsTimePass() {
        Simulation.replay(1, sim -> {
            sim.client(() -> {
                var later = spawn(() -> delay(1));
                try (var socket = UdpSocket.bind("0.0.0.0", 0)) {
                    while (!later.isCompleted()) socket.send(number(1), new InetSocketAddress("127.0.0.1", PORT));
                }
            });
        });
    }

    @Test
    void datagramSocket_ofTheJdk_reachesTheHosts() {
        Simulation.replay(1, sim -> {
            sim.host("echo", () -> {
                try (var socket = new DatagramSocket(PORT)) {
                    while (true) {
                        var packet = new DatagramPacket(new byte[100], 100);
                        socket.receive(packet);
                        socket.send(packet);
                    }
                }
            });
            sim.client(() -> {
                delay(1);
                try (var socket = new DatagramSocket()) {
                    socket.setSoTimeout(5_000);
                    var echo = new InetSocketAddress("echo", PORT);
                    socket.send(new DatagramPacket("hello".getBytes(), 5, echo));
                    var packet = new DatagramPacket(new byte[3], 3);
                    socket.receive(packet);
                    assertThat(new String(packet.getData())).isEqualTo("hel");
                    assertThat(packet.getSocketAddress()).isEqualTo(echo);
                    assertThat(socket.getLocalPort()).isPositive();
                    Duration before = sim.elapsed();
                    assertThatThrownBy(() -> socket.receive(packet))
                            .isInstanceOf(SocketTimeoutException.class)
                            .hasMessage("Receive timed out");
                    assertThat(sim.elapsed().minus(before)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
                    assertThatThrownBy(() -> new DatagramSocket(socket.getLocalPort()))
                            .isInstanceOf(BindException.class);
                    socket.connect(new InetSocketAddress("echo", 9));
                    socket.send(new DatagramPacket(new byte[1], 1));
                    assertThatThrownBy(() -> socket.receive(packet)).isInstanceOf(PortUnreachableException.class);
                    socket.disconnect();
                    socket.send(new DatagramPacket("again".getBytes(), 5, echo));
                    socket.receive(packet);
                    var reader = spawn(() -> socket.receive(packet));
                    delay(1);
                    socket.close();
                    assertThatThrownBy(() -> await(reader)).hasMessageContaining("Socket closed");
                }
            });
        });
    }
}
