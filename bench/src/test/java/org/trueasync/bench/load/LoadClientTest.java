package org.trueasync.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class LoadClientTest {

    @Test
    void answerFillsTheBuffer_isAnError() throws IOException {
        try (var server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel peer = server.accept()) {
            peer.write(ByteBuffer.allocate(2_000));
            var connection = new LoadClient.Connection(client, Protocol.ECHO);
            assertThatThrownBy(() -> {
                        while (!connection.receive()) Thread.onSpinWait();
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("1088 bytes");
        }
    }

    @Test
    void answerShorterThanItsStatus_isNotWhole() {
        assertThat(Protocol.TEXT.isWhole(received("\r\n\r\n12345"))).isFalse();
        assertThat(Protocol.TEXT.isWhole(received("HTTP/1.1 200 OK\r\n\r\n12345")))
                .isTrue();
    }

    @Test
    void answerToADelay_isAsLateAsItsRequestSays() {
        for (int i = 0; i < Protocol.DELAY.requests.size(); i++) {
            String request =
                    US_ASCII.decode(Protocol.DELAY.requests.get(i).duplicate()).toString();
            assertThat(request).startsWith("GET /delay/" + Protocol.DELAY.delayMillis(i) + " HTTP/1.1\r\nHost: ");
        }
        assertThat(Protocol.MEAN_DELAY_MILLIS).isEqualTo(20);
        assertThat(Protocol.TEXT.delayMillis(0)).isZero();
    }

    @Test
    void percentile_leavesOutTheSlowestHundredth_andWhatWasSentBefore() {
        var latencies = new Latencies();
        latencies.begin(1_000);
        assertThat(latencies.percentile99()).isZero();
        for (int i = 1; i <= 200; i++) latencies.add(1_000, 1_000 + i * 1_000_000L);
        for (int i = 0; i < 100; i++) latencies.add(999, Long.MAX_VALUE);
        assertThat(latencies.percentile99()).isEqualTo(198_000);
        latencies.begin(2_000);
        assertThat(latencies.percentile99()).isZero();
    }

    private static ByteBuffer received(String text) {
        return ByteBuffer.allocate(4_096).put(text.getBytes(US_ASCII));
    }
}
