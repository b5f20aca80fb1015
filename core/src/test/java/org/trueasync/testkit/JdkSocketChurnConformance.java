package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Coroutine;
import org.trueasync.RuntimeStats;

/** Many sockets of the JDK that come and go: no wait gets what another one was to get, and nothing is left. */
public abstract class JdkSocketChurnConformance {
    private static final int AT_ONCE = 100;

    /** A reader that hangs is found by a limit that else does not pass. */
    private static final int TIME_LIMIT = 20_000;

    private final TestRun run;

    protected JdkSocketChurnConformance(ReactorKit kit) {
        this.run = new TestRun(kit::create);
    }

    @Test
    @Tag("deep")
    void descriptorThatIsUsedAgainAtOnce_belongsToTheNewReader() {
        run.run(() -> {
            try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                for (int round = 0; round < 300; round++) reuse(server, round);
            }
        });
        assertThat(run.complaints()).isEmpty();
    }

    private static void reuse(ServerSocket server, int round) throws Exception {
        Socket old = connect(server);
        Socket oldPeer = server.accept();
        var oldReader = new SocketWaiter(() -> old.getInputStream().read());
        Coroutine<?> first = spawn(oldReader::runQuietly);
        oldReader.untilParked();
        switch (round % 3) {
            case 0 -> old.close();
            case 1 -> SocketWaiter.platform(old::close).join();
            default -> SocketWaits.reset(oldPeer);
        }
        if (round % 2 == 0) await(first);
        oldPeer.close();
        try (Socket next = connect(server);
                Socket peer = server.accept()) {
            var reader = new SocketWaiter(() -> next.getInputStream().read());
            Coroutine<?> second = spawn(reader::runQuietly);
            reader.untilParked();
            assertThat(reader.hasEnded()).isFalse();
            peer.getOutputStream().write(round);
            await(first);
            await(second);
            assertThat(oldReader.outcome())
                    .isEqualTo(round % 3 == 2 ? "SocketException: Connection reset" : "SocketException: Socket closed");
            assertThat(reader.outcome()).isEqualTo(String.valueOf(round & 0xFF));
        }
        old.close();
    }

    private static Socket connect(ServerSocket server) throws IOException {
        var socket = new Socket(server.getInetAddress(), server.getLocalPort());
        socket.setSoTimeout(TIME_LIMIT);
        return socket;
    }

    @Test
    @Tag("deep")
    void thousandConnections_leaveNothing() {
        run.run(() -> {
            try (var server = new ServerSocket(0, 2 * AT_ONCE, InetAddress.getLoopbackAddress())) {
                var random = new Random(20_261_123);
                batch(server, random); // makes what is made once
                RuntimeStats before = runtimeStats();
                int descriptors = Resources.descriptors();
                for (int i = 0; i < 10; i++) batch(server, random);
                RuntimeStats after = runtimeStats();
                assertThat(after.coroutines()).isEqualTo(before.coroutines());
                assertThat(after.blocked()).isEqualTo(before.blocked());
                assertThat(after.timers()).isEqualTo(before.timers());
                assertThat(after.activeEvents()).isEqualTo(before.activeEvents());
                assertThat(after.reactorHandles()).isEqualTo(before.reactorHandles());
                // Others of this process may have opened some; a lost one per connection would be seen.
                assertThat(Resources.descriptors() - descriptors).isLessThan(AT_ONCE / 2);
                reuse(server, 0);
            }
        });
    }

    /** Whoever polls would be told of what nobody waits for. */
    @Test
    void waitsThatHaveTimedOut_arePolledNoLonger() {
        run.run(() -> {
            try (var server = new ServerSocket(0, 2 * AT_ONCE, InetAddress.getLoopbackAddress())) {
                List<Connection> open = new ArrayList<>();
                int before = Resources.polledDescriptors();
                for (int i = 0; i < AT_ONCE; i++) open.add(Connection.of(server, Connection.TIMES_OUT));
                for (Connection connection : open) TestRun.failureOf(connection.coroutine());
                assertThat(Resources.polledDescriptors() - before).isLessThan(AT_ONCE / 2);
                for (Connection connection : open) connection.check();
            }
        });
    }

    /** One connection and what is to become of it. */
    private record Connection(Socket client, Socket peer, SocketWaiter reader, Coroutine<?> coroutine, int fate) {
        static final int FATES = 8;
        static final int TIMES_OUT = 6;

        static Connection of(ServerSocket server, int fate) throws IOException {
            Socket client = connect(server);
            Socket peer = server.accept();
            if (fate == TIMES_OUT) client.setSoTimeout(5);
            var reader = new SocketWaiter(() -> client.getInputStream().read());
            return new Connection(client, peer, reader, spawn(reader::run), fate);
        }

        void meetIt() throws Exception {
            switch (fate) {
                case 0 -> peer.getOutputStream().write(1);
                case 1 -> SocketWaits.reset(peer);
                case 2 -> SocketWaiter.platform(client::close);
                case 3 -> coroutine.cancel("no longer wanted");
                case 4 -> SocketWaiter.platform(reader.thread()::interrupt);
                case 5 -> peer.shutdownOutput();
                case TIMES_OUT -> {}
                default -> {
                    // All at the same time.
                    SocketWaiter.platform(client::close);
                    coroutine.cancel("no longer wanted");
                    peer.getOutputStream().write(1);
                }
            }
        }

        void check() throws IOException {
            TestRun.failureOf(coroutine);
            String met = reader.outcome();
            switch (fate) {
                case 0 -> assertThat(met).isEqualTo("1");
                case 1 -> assertThat(met).isEqualTo("SocketException: Connection reset");
                case 2 -> assertThat(met).isEqualTo("SocketException: Socket closed");
                case 3, 4 -> assertThat(met).isEqualTo("SocketException: Closed by interrupt");
                case 5 -> assertThat(met).isEqualTo("-1");
                case TIMES_OUT -> assertThat(met).isEqualTo("SocketTimeoutException: Read timed out");
                default -> assertThat(met).isNotEqualTo("SocketTimeoutException: Read timed out");
            }
            assertThat(reader.hasEnded()).isTrue();
            client.close();
            peer.close();
        }
    }

    private static void batch(ServerSocket server, Random random) throws Exception {
        List<Connection> open = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) open.add(Connection.of(server, random.nextInt(Connection.FATES)));
        for (Connection connection : open) connection.reader().untilParked();
        Collections.shuffle(open, random);
        for (Connection connection : open) connection.meetIt();
        for (Connection connection : open) connection.check();
    }
}
