package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.testkit.TestLoop.bytes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.testkit.TestLoop;
import org.trueasync.testkit.TestLoop.Pair;

/** Connections that are read without libuv, by edge-triggered reports. */
@Tag("F22")
class ReadySocketsTest {
    @Test
    void moreConnectionsReadyThanOneTurnReads_allAreRead() {
        try (TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor())) {
            TestLoop.Server server = loop.serve();
            List<Pair> pairs = new ArrayList<>();
            for (int i = 0; i < 200; i++) pairs.add(loop.pair(server));
            for (Pair pair : pairs) pair.server().stream.startReading();
            for (int round = 1; round <= 10; round++) {
                for (Pair pair : pairs) pair.client().stream.tryWrite(bytes("x"));
                int expected = round;
                loop.until(() -> pairs.stream().allMatch(pair -> pair.server().received == expected));
            }
        }
    }

    @Test
    void busyConnections_doNotKeepLibuvFromRunning() {
        try (TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor())) {
            TestLoop.Server server = loop.serve();
            List<Pair> pairs = new ArrayList<>();
            for (int i = 0; i < 20; i++) pairs.add(loop.pair(server));
            for (Pair pair : pairs) pair.server().stream.startReading();
            TestLoop.Recorder late = new TestLoop.Recorder();
            for (int turn = 0; turn < 40 && server.accepted.isEmpty(); turn++) {
                for (Pair pair : pairs) pair.client().stream.tryWrite(bytes("x"));
                if (turn == 4) late.stream = loop.reactor.connect(server.address(), late);
                loop.reactor.execute(false);
            }
            assertThat(server.accepted).hasSize(1);
        }
    }

    @Test
    void bytesComeWhileNobodyReads_areReadAfterTheStart() {
        try (TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor())) {
            Pair pair = loop.pair();
            pair.server().stream.startReading();
            pair.client().stream.tryWrite(bytes("a"));
            loop.until(() -> pair.server().received == 1);
            pair.server().stream.stopReading();
            pair.client().stream.tryWrite(bytes("b"));
            loop.collect(3);
            assertThat(pair.server().received).isEqualTo(1);
            pair.server().stream.startReading();
            loop.until(() -> pair.server().received == 2);
        }
    }

    @Test
    void moreBytesThanOneReceiveTakesAndTheEnd_allAreDelivered() {
        try (TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor())) {
            Pair pair = loop.pair();
            int count = 3 * UvReactor.CHUNK + 5;
            pair.client().stream.write(ByteBuffer.allocate(count));
            pair.client().stream.shutdown();
            pair.server().stream.startReading();
            loop.until(() -> pair.server().has("end"));
            assertThat(pair.server().received).isEqualTo(count);
            pair.server().stream.startReading();
            loop.until(() -> pair.server().events.stream().filter("end"::equals).count() == 2);
        }
    }

    @Test
    void oneListenerClosesTheOtherReadyConnection_itIsNotReadAnyMore() {
        try (TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor())) {
            TestLoop.Server server = loop.serve();
            Pair[] pairs = new Pair[2];
            for (int i = 0; i < 2; i++) {
                int other = 1 - i;
                TestLoop.Recorder client = new TestLoop.Recorder() {
                    @Override
                    public void onBytes(ByteBuffer bytes) {
                        super.onBytes(bytes);
                        pairs[other].client().stream.close();
                    }
                };
                client.stream = loop.reactor.connect(server.address(), client);
                loop.until(() -> client.has("connected") && server.accepted.size() > 0);
                pairs[i] = new Pair(client, server.accepted.removeFirst(), server);
            }
            for (Pair pair : pairs) pair.client().stream.startReading();
            for (Pair pair : pairs) pair.server().stream.tryWrite(bytes("x"));
            loop.until(
                    () -> pairs[0].client().has("closed") || pairs[1].client().has("closed"));
            assertThat(pairs[0].client().received + pairs[1].client().received).isEqualTo(1);
        }
    }

    @Test
    void connectionIsReset_readerIsTold() {
        try (TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor())) {
            Pair pair = loop.pair();
            pair.client().stream.startReading();
            loop.collect(2);
            pair.client().stream.tryWrite(bytes("never read, so that closing resets"));
            loop.collect(1);
            pair.server().stream.close();
            loop.until(() -> pair.client().has("read ECONNRESET"));
        }
    }
}
