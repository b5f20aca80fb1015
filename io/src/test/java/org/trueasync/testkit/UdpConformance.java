package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.UdpSocket;
import org.trueasync.spi.UdpHandle;

/** UDP as coroutines see it, on whatever reactor. */
public abstract class UdpConformance {
    private final ReactorKit kit;
    private final TestRun run;

    protected UdpConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    private interface OnTwo {
        void run(UdpSocket one, UdpSocket two) throws Throwable;
    }

    private void clean(Body body) {
        kit.requireNetwork();
        run.run(() -> {
            body.run();
            StreamConformance.requireNothingOpen();
        });
        assertThat(run.complaints()).isEmpty();
    }

    private void withTwo(OnTwo body) {
        clean(() -> {
            try (UdpSocket one = local();
                    UdpSocket two = local()) {
                body.run(one, two);
            }
        });
    }

    private static UdpSocket local() {
        return UdpSocket.bind("127.0.0.1", 0);
    }

    private static ByteBuffer bytes(String text) {
        return StreamConformance.bytes(text);
    }

    private static String receive(UdpSocket socket) {
        ByteBuffer into = ByteBuffer.allocate(100);
        socket.receive(into);
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }

    private static String errnoOf(Body body) {
        try {
            body.run();
        } catch (InputOutputException e) {
            return e.errno();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return "no error";
    }

    // ---- datagrams

    @Test
    @Tag("E30")
    void datagram_arrivesWholeWithItsSender() {
        withTwo((one, two) -> {
            ByteBuffer question = bytes("..question..").position(2).limit(10);
            one.send(question, two.localAddress());
            assertThat(question.hasRemaining()).isFalse();
            ByteBuffer into = ByteBuffer.allocate(20).position(3);
            assertThat(two.receive(into)).isEqualTo(one.localAddress());
            assertThat(new String(into.array(), 3, 8, StandardCharsets.UTF_8)).isEqualTo("question");
            assertThat(into.position()).isEqualTo(11);
            two.send(StreamConformance.direct("answer"), one.localAddress());
            ByteBuffer direct = ByteBuffer.allocateDirect(6);
            assertThat(one.receive(direct)).isEqualTo(two.localAddress());
            byte[] answer = new byte[6];
            direct.flip().get(answer);
            assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("answer");
        });
    }

    @Test
    void boundariesAreKept_emptyDatagramsIncluded() {
        withTwo((one, two) -> {
            for (String text : List.of("a", "", "bcd")) one.send(bytes(text), two.localAddress());
            assertThat(receive(two)).isEqualTo("a");
            assertThat(receive(two)).isEmpty();
            assertThat(receive(two)).isEqualTo("bcd");
            one.send(ByteBuffer.allocateDirect(0), two.localAddress());
            assertThat(receive(two)).isEmpty();
        });
    }

    @Test
    void largestDatagram_passes() {
        withTwo((one, two) -> {
            ByteBuffer large = ByteBuffer.allocate(65_507);
            large.put(65_506, (byte) 7);
            one.send(large, two.localAddress());
            ByteBuffer into = ByteBuffer.allocate(70_000);
            two.receive(into);
            assertThat(into.position()).isEqualTo(65_507);
            assertThat(into.get(65_506)).isEqualTo((byte) 7);
        });
    }

    @Test
    @Tag("E32")
    void longerThanTheBuffer_isAnErrorWithBothLengthsAndNotTruncated() {
        withTwo((one, two) -> {
            for (ByteBuffer small : List.of(ByteBuffer.allocate(5), ByteBuffer.allocateDirect(5))) {
                one.send(bytes("123456789"), two.localAddress());
                one.send(bytes("next"), two.localAddress());
                assertThatThrownBy(() -> two.receive(small))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("EMSGSIZE")
                        .hasMessageContaining("9 bytes")
                        .hasMessageContaining("room for 5")
                        .satisfies(e ->
                                assertThat(((InputOutputException) e).errno()).isEqualTo("EMSGSIZE"));
                assertThat(small.position()).isZero();
                assertThat(receive(two)).isEqualTo("next");
            }
        });
    }

    @Test
    @Tag("E32")
    void tooLongToSend_isRefusedAndThePositionStays() {
        withTwo((one, two) -> {
            for (int length : new int[] {65_508, 65_536, 200_000}) {
                ByteBuffer tooLong = ByteBuffer.allocate(length);
                assertThat(errnoOf(() -> one.send(tooLong, two.localAddress()))).isEqualTo("EMSGSIZE");
                assertThat(tooLong.position()).isZero();
            }
            one.send(bytes("fine"), two.localAddress());
            assertThat(receive(two)).isEqualTo("fine");
        });
    }

    @Test
    void wrongArguments_areRefusedByValue() {
        withTwo((one, two) -> {
            assertThatThrownBy(() -> one.receive(ByteBuffer.allocate(0))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> one.receive(bytes("x").asReadOnlyBuffer()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> one.send(bytes("x"), InetSocketAddress.createUnresolved("nowhere", 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("nowhere");
            assertThatThrownBy(() -> one.send(bytes("x"), new InetSocketAddress("127.0.0.1", 0)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> one.multicastHops(256)).hasMessageContaining("256");
            assertThatThrownBy(() -> one.join(InetAddress.ofLiteral("10.0.0.1")))
                    .hasMessageContaining("10.0.0.1");
            assertThatThrownBy(() -> UdpSocket.bind("127.0.0.1", 70_000)).isInstanceOf(IllegalArgumentException.class);
            assertThat(errnoOf(
                            () -> UdpSocket.bind("127.0.0.1", one.localAddress().getPort())))
                    .isEqualTo("EADDRINUSE");
        });
    }

    @Test
    void jdkSocket_talksToIt() {
        kit.requireSockets();
        clean(() -> {
            try (UdpSocket socket = local();
                    DatagramSocket jdk = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0))) {
                jdk.send(new DatagramPacket("hello".getBytes(StandardCharsets.UTF_8), 5, socket.localAddress()));
                ByteBuffer into = ByteBuffer.allocate(10);
                InetSocketAddress from = socket.receive(into);
                assertThat(from.getPort()).isEqualTo(jdk.getLocalPort());
                socket.send(into.flip(), from);
                var packet = new DatagramPacket(new byte[10], 10);
                jdk.receive(packet);
                assertThat(packet.getLength()).isEqualTo(5);
            }
        });
    }

    @Test
    void dualStackSocket_reachesBothFamilies() {
        clean(() -> {
            UdpSocket both;
            try {
                both = UdpSocket.bind("::", 0);
            } catch (InputOutputException e) {
                Assumptions.abort("no IPv6 here: " + e.getMessage());
                return;
            }
            try (both;
                    UdpSocket four = local();
                    UdpSocket six = UdpSocket.bind("::1", 0, new UdpHandle.Options(false, true))) {
                both.send(bytes("4"), four.localAddress());
                both.send(bytes("6"), six.localAddress());
                ByteBuffer into = ByteBuffer.allocate(1);
                InetSocketAddress from = four.receive(into);
                assertThat(from.getAddress().getHostAddress()).isEqualTo("127.0.0.1");
                four.send(bytes("back"), from);
                assertThat(both.receive(ByteBuffer.allocate(10))).isEqualTo(four.localAddress());
                from = six.receive(into.clear());
                assertThat(from.getAddress()).isInstanceOf(Inet6Address.class);
                six.send(bytes("back"), from);
                assertThat(both.receive(ByteBuffer.allocate(10)).getPort())
                        .isEqualTo(six.localAddress().getPort());
            }
        });
    }

    // ---- waiting

    @Test
    @Tag("F4")
    @Tag("F7")
    @Tag("E31")
    void severalReceivers_areServedInTheOrderOfTheirCallsOneEach() {
        withTwo((one, two) -> {
            var got = new ArrayList<String>();
            var receivers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                int me = i;
                receivers.add(Async.spawn(() -> got.add(me + receive(two))));
            }
            Async.suspend();
            receivers.get(2).cancel();
            for (String text : List.of("v", "w", "x")) one.send(bytes(text), two.localAddress());
            Async.await(receivers.get(0));
            Async.await(receivers.get(1));
            Async.await(receivers.get(3));
            assertThat(got).containsExactly("0v", "1w", "3x");
            assertThat(receivers.get(4).isCompleted()).isFalse();
            one.send(bytes("y"), two.localAddress());
            Async.await(receivers.get(4));
            assertThat(got).hasSize(4).endsWith("4y");
        });
    }

    @Test
    @Tag("E40")
    @Tag("F2")
    @Tag("F36")
    void receiveCancelledAfterADatagramCame_nextInLineGetsIt() {
        withTwo((one, two) -> {
            Coroutine<String> first = Async.spawn(() -> receive(two));
            Coroutine<String> second = Async.spawn(() -> receive(two));
            Async.suspend();
            one.send(bytes("for whoever is left"), two.localAddress());
            StreamConformance.awaitQueued(kit, first);
            first.cancel();
            assertThat(Async.await(second)).isEqualTo("for whoever is left");
            assertThat(first.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F36")
    void receiveCancelledAfterADatagramCame_laterReceiveGetsIt() {
        withTwo((one, two) -> {
            Coroutine<String> first = Async.spawn(() -> receive(two));
            Async.suspend();
            one.send(bytes("kept"), two.localAddress());
            StreamConformance.awaitQueued(kit, first);
            first.cancel();
            assertThat(TestRun.failureOf(first)).isInstanceOf(AsyncCancellation.class);
            assertThat(receive(two)).isEqualTo("kept");
        });
    }

    @Test
    @Tag("F36")
    void receiverCancelledWhileItGivesWay_keepsWhatItHasTaken() {
        withTwo((one, two) -> {
            int count = 150; // more than are served in a row
            for (int i = 0; i < count; i++)
                one.send(ByteBuffer.allocate(4).putInt(i).flip(), two.localAddress());
            var got = new ArrayList<Integer>();
            Coroutine<?> first = Async.spawn(() -> {
                while (true) got.add(number(two));
            });
            Async.spawn(() -> first.cancel());
            assertThat(TestRun.failureOf(first)).isInstanceOf(AsyncCancellation.class);
            assertThat(got).hasSizeLessThan(count);
            while (got.size() < count) got.add(number(two));
            for (int i = 0; i < count; i++) assertThat(got.get(i)).isEqualTo(i);
        });
    }

    private static int number(UdpSocket socket) {
        ByteBuffer into = ByteBuffer.allocate(4);
        socket.receive(into, Async.timeout(3_600_000));
        return into.getInt(0);
    }

    @Test
    @Tag("F3")
    void receiverWokenAndNotRunYet_nobodyTakesItsDatagram() {
        withTwo((one, two) -> {
            Coroutine<String> first = Async.spawn(() -> receive(two));
            Async.suspend();
            one.send(bytes("first"), two.localAddress());
            StreamConformance.awaitQueued(kit, first);
            Coroutine<String> late = Async.spawn(() -> receive(two)).asHighPriority();
            one.send(bytes("late"), two.localAddress());
            assertThat(Async.await(first)).isEqualTo("first");
            assertThat(Async.await(late)).isEqualTo("late");
        });
    }

    @Test
    @Tag("A8")
    @Tag("D19")
    void spentToken_neitherSendsNorTakesADatagram() {
        withTwo((one, two) -> {
            var spent = Future.completed(null);
            one.send(bytes("kept"), two.localAddress());
            assertThatThrownBy(() -> one.send(bytes("x"), two.localAddress(), spent))
                    .isInstanceOf(OperationCanceledException.class);
            Async.delay(1);
            assertThatThrownBy(() -> two.receive(ByteBuffer.allocate(10), spent))
                    .isInstanceOf(OperationCanceledException.class);
            one.send(bytes("last"), two.localAddress());
            assertThat(receive(two)).isEqualTo("kept");
            assertThat(receive(two)).isEqualTo("last");
        });
    }

    @Test
    @Tag("E36")
    @Tag("F38")
    void token_endsTheWaitAndTheSocketGoesOn() {
        withTwo((one, two) -> {
            assertThatThrownBy(() -> two.receive(ByteBuffer.allocate(1), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            one.send(bytes("x"), two.localAddress(), Async.timeout(3_600_000));
            two.receive(ByteBuffer.allocate(1), Async.timeout(3_600_000));
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("F36")
    void receivesCancelledAtRandom_noDatagramIsLost() {
        withTwo((one, two) -> {
            int count = 300;
            var got = new ArrayList<Integer>();
            Async.spawn(() -> {
                for (int i = 0; i < count; i++) {
                    // the system drops what its buffer has no room for
                    while (i - got.size() > 20) Async.delay(1);
                    one.send(ByteBuffer.allocate(4).putInt(i).flip(), two.localAddress());
                    Async.suspend();
                }
            });
            for (int round = 0; got.size() < count; round++) {
                ByteBuffer into = ByteBuffer.allocate(4);
                Coroutine<?> receiver = Async.spawn(() -> two.receive(into));
                for (int i = 0; i < round % 4; i++) Async.suspend();
                if (round % 3 != 0) receiver.cancel();
                TestRun.failureOf(receiver);
                if (into.position() == 4) got.add(into.getInt(0));
                assertThat(round).isLessThan(1_000_000);
            }
            for (int i = 0; i < count; i++) assertThat(got.get(i)).isEqualTo(i);
        });
    }

    @Test
    void loopOfReceivesAndSends_letsTheOthersRun() {
        withTwo((one, two) -> {
            boolean[] over = {false};
            Async.spawn(() -> {
                Async.delay(5);
                over[0] = true;
            });
            long rounds = 0;
            while (!over[0]) {
                one.send(bytes("ping"), two.localAddress());
                receive(two);
                assertThat(++rounds).isLessThan(10_000_000);
            }
        });
    }

    // ---- closing

    @Test
    @Tag("E38")
    @Tag("F5")
    void closedWhileOthersReceive_everybodyWakesWithAnError() {
        withTwo((one, two) -> {
            var receivers = List.<Coroutine<?>>of(
                    Async.spawn(() -> receive(two)),
                    Async.spawn(() -> two.receive(ByteBuffer.allocate(1), Async.timeout(3_600_000))));
            Async.suspend();
            two.close();
            two.close();
            for (Coroutine<?> receiver : receivers)
                assertThat(TestRun.failureOf(receiver))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("closed")
                        .hasMessageContaining("127.0.0.1");
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("E38")
    void closedAfterADatagramCame_receiverIsTold() {
        withTwo((one, two) -> {
            Coroutine<String> receiver = Async.spawn(() -> receive(two));
            Async.suspend();
            one.send(bytes("too late"), two.localAddress());
            StreamConformance.awaitQueued(kit, receiver);
            two.close();
            assertThat(TestRun.failureOf(receiver))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("closed");
        });
    }

    @Test
    @Tag("E38")
    void closedSocket_everyCallIsRefused() {
        withTwo((one, two) -> {
            one.close();
            assertThat(one.isClosed()).isTrue();
            assertThat(one.localAddress().getPort()).isPositive();
            for (Body call : List.<Body>of(
                    () -> one.receive(ByteBuffer.allocate(1)),
                    () -> one.send(bytes("x"), two.localAddress()),
                    () -> one.read(ByteBuffer.allocate(1)),
                    () -> one.write(bytes("x")),
                    () -> one.connect("127.0.0.1", 9),
                    () -> one.join(InetAddress.ofLiteral("239.1.2.3")),
                    () -> one.broadcast(true),
                    () -> one.multicastHops(1),
                    () -> one.remoteAddress())) {
                assertThat(errnoOf(call)).isEqualTo("EBADF");
            }
        });
    }

    @Test
    @Tag("F21")
    void openButIdleSocket_doesNotKeepTheRunAlive() {
        kit.requireNetwork();
        run.run(() -> {
            local();
        });
    }

    @Test
    @Tag("F77")
    void calledOnAnotherThread_isRefused() {
        withTwo((one, two) -> {
            var thrown = new ArrayList<Throwable>();
            Thread stranger = Thread.ofPlatform().start(() -> {
                for (Body call : List.<Body>of(
                        () -> one.receive(ByteBuffer.allocate(1)),
                        () -> one.receive(ByteBuffer.allocate(1), Async.timeout(1)),
                        () -> one.send(bytes("x"), two.localAddress()),
                        () -> one.read(ByteBuffer.allocate(1)),
                        () -> one.write(bytes("x")),
                        () -> one.connect("127.0.0.1", 9),
                        () -> one.join(InetAddress.ofLiteral("239.1.2.3")),
                        () -> one.leave(InetAddress.ofLiteral("239.1.2.3")),
                        () -> one.multicastHops(1),
                        () -> one.multicastLoop(true),
                        () -> one.broadcast(true),
                        () -> one.remoteAddress(),
                        one::close)) {
                    try {
                        call.run();
                        thrown.add(null);
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                }
            });
            stranger.join();
            assertThat(thrown).hasSize(13).allSatisfy(e -> assertThat(e).isInstanceOf(AsyncException.class));
            assertThat(one.isClosed()).isFalse();
        });
    }

    @Test
    @Tag("deep")
    @Tag("F79")
    void tenThousandRounds_leaveNothingBehind() {
        run.timeLimit(Duration.ofSeconds(120));
        clean(() -> Resources.requireFlat(kit, () -> {
            try (UdpSocket one = local();
                    UdpSocket two = local()) {
                Coroutine<String> receiver = Async.spawn(() -> receive(two));
                Async.suspend();
                one.send(bytes("x"), two.localAddress());
                assertThat(Async.await(receiver)).isEqualTo("x");
            }
        }));
    }

    // ---- one peer

    @Test
    void connected_anEmptyDatagramArrivesOrIsRefused() {
        withTwo((one, two) -> {
            one.connect("127.0.0.1", two.localAddress().getPort());
            try {
                one.write(ByteBuffer.allocate(0));
            } catch (InputOutputException e) {
                assertThat(e.errno()).isEqualTo("ENOTSUP");
                one.write(bytes("0"));
                assertThat(receive(two)).isEqualTo("0");
                return;
            }
            assertThat(receive(two)).isEmpty();
        });
    }

    @Test
    void connected_readsAndWritesWithThatPeerAlone() {
        withTwo((one, two) -> {
            try (UdpSocket third = local()) {
                assertThat(one.remoteAddress()).isNull();
                assertThat(errnoOf(() -> one.write(bytes("x")))).isEqualTo("ENOTCONN");
                assertThat(errnoOf(() -> one.read(ByteBuffer.allocate(1)))).isEqualTo("ENOTCONN");
                one.connect("127.0.0.1", two.localAddress().getPort());
                assertThat(one.remoteAddress()).isEqualTo(two.localAddress());
                one.write(bytes("question"));
                assertThat(receive(two)).isEqualTo("question");
                third.send(bytes("stranger"), one.localAddress());
                two.send(bytes("answer"), one.localAddress());
                ByteBuffer into = ByteBuffer.allocate(10);
                assertThat(one.read(into)).isEqualTo(6);
                assertThat(into.position()).isEqualTo(6);
                assertThat(errnoOf(() -> one.send(bytes("x"), third.localAddress())))
                        .isEqualTo("EISCONN");
                one.send(bytes("named"), two.localAddress());
                assertThat(receive(two)).isEqualTo("named");
                // another one, from the same port
                one.connect("127.0.0.1", third.localAddress().getPort());
                one.write(bytes("third"), Async.timeout(1_000));
                ByteBuffer third10 = ByteBuffer.allocate(10);
                assertThat(third.receive(third10)).isEqualTo(one.localAddress());
            }
        });
    }

    @Test
    @Tag("F5")
    void peerIsGone_connectedReaderIsToldAndTheSocketStaysUsable() {
        withTwo((one, two) -> {
            int port = two.localAddress().getPort();
            one.connect("127.0.0.1", port);
            two.close();
            for (int i = 0; i < 3; i++) Async.delay(1);
            Coroutine<?> reader = Async.spawn(() -> one.read(ByteBuffer.allocate(1)));
            Async.suspend();
            one.write(bytes("anybody there?"));
            assertThat(TestRun.failureOf(reader))
                    .isInstanceOf(InputOutputException.class)
                    .satisfies(
                            e -> assertThat(((InputOutputException) e).errno()).isEqualTo("ECONNREFUSED"));
            try (UdpSocket again = UdpSocket.bind("127.0.0.1", port)) {
                one.write(bytes("now?"));
                assertThat(receive(again)).isEqualTo("now?");
            }
        });
    }

    // ---- groups

    private static NetworkInterface loopback() throws IOException {
        NetworkInterface found = NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"));
        assumeTrue(found != null, "no loopback interface");
        return found;
    }

    /** Joins, or skips where the machine has no multicast. */
    private static void join(UdpSocket socket, InetAddress group, NetworkInterface on, InetAddress source) {
        try {
            socket.join(group, on, source);
        } catch (InputOutputException e) {
            assumeTrue(!List.of("ENODEV", "EADDRNOTAVAIL", "ENOPROTOOPT").contains(e.errno()), e.getMessage());
            throw e;
        }
    }

    @Test
    void groupOnTheLoopback_isReceivedUntilItIsLeft() {
        clean(() -> {
            NetworkInterface on = loopback();
            InetAddress group = InetAddress.ofLiteral("239.255.7.13");
            try (UdpSocket receiver = UdpSocket.bind("0.0.0.0", 0);
                    UdpSocket sender = local()) {
                join(receiver, group, on, null);
                assertThat(errnoOf(() -> receiver.join(group, on, null))).isEqualTo("EADDRINUSE");
                sender.multicastInterface(on);
                sender.multicastHops(0);
                sender.multicastLoop(true);
                var to = new InetSocketAddress(group, receiver.localAddress().getPort());
                sender.send(bytes("to the group"), to);
                assertThat(receive(receiver)).isEqualTo("to the group");
                receiver.leave(group, on, null);
                sender.send(bytes("nobody"), to);
                sender.send(
                        bytes("direct"),
                        new InetSocketAddress(
                                "127.0.0.1", receiver.localAddress().getPort()));
                assertThat(receive(receiver)).isEqualTo("direct");
                assertThat(errnoOf(() -> receiver.leave(group, on, null))).isEqualTo("EADDRNOTAVAIL");
            }
        });
    }

    @Test
    void groupOfOneSource_othersAreNotReceived() {
        clean(() -> {
            NetworkInterface on = loopback();
            InetAddress group = InetAddress.ofLiteral("232.1.7.13");
            try (UdpSocket receiver = UdpSocket.bind("0.0.0.0", 0);
                    UdpSocket wanted = UdpSocket.bind("127.0.0.2", 0);
                    UdpSocket other = local()) {
                join(receiver, group, on, InetAddress.ofLiteral("127.0.0.2"));
                var to = new InetSocketAddress(group, receiver.localAddress().getPort());
                for (UdpSocket sender : List.of(other, wanted)) {
                    sender.multicastInterface(on);
                    sender.send(bytes(sender == wanted ? "wanted" : "other"), to);
                }
                assertThat(receive(receiver)).isEqualTo("wanted");
            }
        });
    }

    @Test
    void severalReceiversOfOneGroupAndPort_allGetIt() {
        clean(() -> {
            NetworkInterface on = loopback();
            InetAddress group = InetAddress.ofLiteral("239.255.7.14");
            var shared = new UdpHandle.Options(true, false);
            try (UdpSocket first = UdpSocket.bind("0.0.0.0", 0, shared);
                    UdpSocket second =
                            UdpSocket.bind("0.0.0.0", first.localAddress().getPort(), shared);
                    UdpSocket sender = local()) {
                join(first, group, on, null);
                join(second, group, on, null);
                sender.multicastInterface(on);
                sender.send(
                        bytes("all"),
                        new InetSocketAddress(group, first.localAddress().getPort()));
                assertThat(receive(first)).isEqualTo("all");
                assertThat(receive(second)).isEqualTo("all");
            }
        });
    }

    @Test
    void broadcast_isRefusedUntilItIsAllowed() {
        clean(() -> {
            try (UdpSocket socket = UdpSocket.bind("0.0.0.0", 0)) {
                var everybody = new InetSocketAddress("255.255.255.255", 9);
                String refused = errnoOf(() -> socket.send(bytes("x"), everybody));
                assertThat(refused).isIn("EACCES", "ENETUNREACH");
                socket.broadcast(true);
                // allowed now; whether there is a way is the machine's business
                assertThat(errnoOf(() -> socket.send(bytes("x"), everybody))).isIn("no error", "ENETUNREACH");
            }
        });
    }
}
