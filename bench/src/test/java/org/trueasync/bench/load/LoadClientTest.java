package org.trueasync.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.trueasync.bench.load.LoadClient.Protocol;

class LoadClientTest {

    @Test
    void answerFillsTheBuffer_isAnError() throws IOException {
        try (var server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel peer = server.accept()) {
            peer.write(ByteBuffer.allocate(100));
            var connection =
                    new LoadClient.Connection(client, Protocol.ECHO, ByteBuffer.allocate(64), ByteBuffer.allocate(65));
            assertThatThrownBy(() -> {
                        while (!connection.receive()) Thread.onSpinWait();
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("65 bytes");
        }
    }

    @Test
    void answerShorterThanItsStatus_isNotWhole() {
        assertThat(Protocol.HTTP.isWhole(received("\r\n\r\n12345"))).isFalse();
        assertThat(Protocol.HTTP.isWhole(received("HTTP/1.1 200 OK\r\n\r\n12345")))
                .isTrue();
    }

    private static ByteBuffer received(String text) {
        return ByteBuffer.allocate(4_096).put(text.getBytes(StandardCharsets.US_ASCII));
    }
}
