package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Coroutine;
import org.trueasync.io.TcpStream;

/** The JDK's sockets, in hosts. */
@Timeout(60)
class SimulatedSocketTest {
    private static final int PORT = 5432;

    /** Answers each line. */
    private static void echo() throws IOException {
        try (var server = new ServerSocket(PORT)) {
            while (true) {
                Socket peer = server.accept();
                spawn(() -> {
                    try (peer) {
                        BufferedReader lines = lines(peer);
                        for (String line; (line = lines.readLine()) != null; ) write(peer, "echo " + line);
                        write(peer, "bye");
                    } catch (SocketException gone) {
                        // it asks again
                    }
                });
            }
        }
    }

    private static BufferedReader lines(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream()));
    }

    private static void write(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes());
    }

    private static String ask(String host) throws IOException {
        try (var socket = new Socket(host, PORT)) {
            write(socket, "a");
            return lines(socket).readLine();
        }
    }

    @Test
    void hosts_reachEachOtherByName() {
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", SimulatedSocketTest::echo);
            sim.host("empty", () -> {});
            sim.client(() -> {
                delay(1);
                assertThat(ask("db")).isEqualTo("echo a");
                assertThat(ask(db.address().getHostAddress())).isEqualTo("echo a");
                assertThatThrownBy(() -> ask("other")).isInstanceOf(UnknownHostException.class);
                assertThatThrownBy(() -> ask("empty"))
                        .isInstanceOf(ConnectException.class)
                        .hasMessage("Connection refused");
                assertThat(sim.elapsed().toMillis()).isLessThan(10);
                assertThatThrownBy(() -> ask("10.9.9.9")).hasMessage("No route to host");
                assertThat(InetAddress.getByAddress(db.address().getAddress()).getHostName())
                        .isEqualTo("db");
                assertThat(InetAddress.getLocalHost().toString()).startsWith("client/10.0.0.");
                try (var ours = TcpStream.connect("db", PORT)) {
                    ours.shutdownOutput();
                    assertThat(ours.lines().readLine()).isEqualTo("bye");
                }
            });
        });
    }

    @Test
    void addressesAndOptions_areThose() {
        Simulation.replay(1, sim -> {
            sim.host("db", SimulatedSocketTest::echo);
            sim.client(() -> {
                delay(1);
                try (var socket = new Socket()) {
                    socket.setTcpNoDelay(true);
                    socket.setKeepAlive(true);
                    socket.setReceiveBufferSize(1_000);
                    socket.setSoLinger(true, 3);
                    socket.connect(new InetSocketAddress("db", PORT), 1_000);
                    assertThat(socket.getTcpNoDelay()).isTrue();
                    assertThat(socket.getKeepAlive()).isTrue();
                    assertThat(socket.getReceiveBufferSize()).isEqualTo(1_000);
                    assertThat(socket.getSoLinger()).isEqualTo(3);
                    assertThat(socket.getSoTimeout()).isZero();
                    assertThat(socket.getInetAddress().getHostName()).isEqualTo("db");
                    assertThat(socket.getPort()).isEqualTo(PORT);
                    assertThat(socket.getLocalPort()).isPositive();
                    assertThat(socket.getLocalAddress().getHostAddress()).isEqualTo("10.0.0.2");
                }
            });
        });
    }

    @Test
    void limits_areOfVirtualTime() {
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", SimulatedSocketTest::echo);
            sim.client(() -> {
                delay(1);
                try (var socket = new Socket("db", PORT)) {
                    socket.setSoTimeout(60_000);
                    long begin = sim.elapsed().toMillis();
                    assertThatThrownBy(() -> socket.getInputStream().read())
                            .isInstanceOf(SocketTimeoutException.class)
                            .hasMessage("Read timed out");
                    assertThat(sim.elapsed().toMillis() - begin).isBetween(60_000L, 60_010L);
                    write(socket, "a");
                    assertThat(lines(socket).readLine()).isEqualTo("echo a");
                }
                try (var server = new ServerSocket(0)) {
                    server.setSoTimeout(5_000);
                    assertThatThrownBy(server::accept).hasMessage("Accept timed out");
                }
                db.kill();
                delay(1);
                long begin = sim.elapsed().toMillis();
                try (var socket = new Socket()) {
                    assertThatThrownBy(() -> socket.connect(new InetSocketAddress("db", PORT), 7_000))
                            .isInstanceOf(SocketTimeoutException.class)
                            .hasMessage("Connect timed out");
                }
                assertThat(sim.elapsed().toMillis() - begin).isBetween(7_000L, 7_010L);
            });
        });
    }

    @Test
    void killedPeer_showsByAResetAfterItsRestart() {
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", SimulatedSocketTest::echo);
            sim.client(() -> {
                delay(1);
                try (var socket = new Socket("db", PORT)) {
                    db.kill();
                    delay(1);
                    write(socket, "nobody reads this");
                    socket.setSoTimeout(1_000);
                    assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                    db.restart();
                    socket.setSoTimeout(0);
                    assertThatThrownBy(() -> socket.getInputStream().read()).hasMessage("Connection reset");
                    assertThatThrownBy(() -> write(socket, "x")).hasMessage("Broken pipe");
                }
                assertThat(ask("db")).isEqualTo("echo a");
            });
        });
    }

    @Test
    void lingerZero_resetsThePeer() {
        List<String> seen = new ArrayList<>();
        Simulation.replay(1, sim -> {
            sim.host("db", () -> {
                try (var server = new ServerSocket(PORT);
                        var peer = server.accept()) {
                    peer.getInputStream().read();
                } catch (SocketException e) {
                    seen.add(e.getMessage());
                }
            });
            sim.client(() -> {
                delay(1);
                var socket = new Socket("db", PORT);
                socket.setSoLinger(true, 0);
                delay(1);
                socket.close();
                delay(1);
            });
        });
        assertThat(seen).containsExactly("Connection reset");
    }

    @Test
    void closedOrCancelled_waitersAreToldAndTheSocketIsClosed() {
        Simulation.replay(1, sim -> {
            sim.host("db", SimulatedSocketTest::echo);
            sim.client(() -> {
                delay(1);
                var socket = new Socket("db", PORT);
                Coroutine<?> reader = spawn(() -> socket.getInputStream().read());
                delay(1);
                socket.close();
                assertThatThrownBy(() -> await(reader)).hasMessageContaining("Socket closed");

                var other = new Socket("db", PORT);
                Coroutine<?> cancelled = spawn(() -> other.getInputStream().read());
                delay(1);
                cancelled.cancel();
                delay(1);
                assertThat(cancelled.isCancelled()).isTrue();
                assertThat(other.isClosed()).isTrue();

                var server = new ServerSocket(0);
                Coroutine<?> accepter = spawn(() -> server.accept());
                delay(1);
                server.close();
                assertThatThrownBy(() -> await(accepter)).hasMessageContaining("Socket closed");
            });
        });
    }

    @Test
    void manyBytes_comeInOrder_andASlowReaderHoldsTheWriter() {
        int count = 1_000_000;
        Simulation.replay(1, sim -> {
            sim.host("source", () -> {
                try (var server = new ServerSocket(PORT);
                        var peer = server.accept()) {
                    byte[] all = new byte[count];
                    for (int i = 0; i < count; i++) all[i] = (byte) (i * 31);
                    peer.getOutputStream().write(all);
                    sim.always(sim.elapsed().toMillis() > 1_000, "it was not held back");
                }
            });
            sim.client(() -> {
                delay(1);
                try (var socket = new Socket("source", PORT)) {
                    delay(1_000);
                    assertThat(socket.getInputStream().available()).isPositive();
                    byte[] all = socket.getInputStream().readAllBytes();
                    assertThat(all).hasSize(count);
                    for (int i = 0; i < count; i++) if (all[i] != (byte) (i * 31)) throw new AssertionError("at " + i);
                }
            });
        });
    }

    private static List<String> asked(long seed) {
        List<String> log = new ArrayList<>();
        Simulation.replay(seed, sim -> {
            sim.host("db", SimulatedSocketTest::echo);
            sim.faults().kills().partitions().resets().packetLoss().every(Duration.ofSeconds(2));
            sim.client(() -> {
                for (int i = 0; i < 10; i++) {
                    try (var socket = new Socket()) {
                        socket.connect(new InetSocketAddress("db", PORT), 1_000);
                        socket.setSoTimeout(1_000);
                        write(socket, "a");
                        log.add(sim.elapsed() + " " + lines(socket).readLine());
                    } catch (IOException again) {
                        log.add(sim.elapsed() + " " + again);
                    }
                    Thread.sleep(1_000);
                }
            });
        });
        return log;
    }

    @Test
    void sameSeed_isTheSameRun_underFaults() {
        List<String> all = new ArrayList<>();
        for (long seed = 1; seed <= 4; seed++) {
            List<String> log = asked(seed);
            assertThat(asked(seed)).isEqualTo(log);
            all.addAll(log);
        }
        assertThat(all).anyMatch(line -> line.endsWith("echo a")).anyMatch(line -> line.contains("Exception"));
    }
}
