package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;
import static org.trueasync.http.SocketPeer.*;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.trueasync.internal.http.websocket.SocketBytes;
import org.trueasync.internal.http.websocket.WebSocketCore;
import org.trueasync.internal.http.websocket.WebSocketSettings;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/** What is sent arrives, in order, whatever the fragments, masks and cuts. */
@Tag("sized")
@Timeout(120)
class WebSocketCutsTest {
    @EachReactor
    void messages_arriveInOrderWhateverTheCuts(String reactor) {
        Http.serve(reactor, WebSocketConformanceTest::echo, server -> {
            for (int seed = 1; seed <= Depth.of(10, 200); seed++) {
                var random = new Random(seed);
                var expected = new ArrayList<String>();
                var bytes = new ByteArrayOutputStream();
                for (int i = 0; i < 20; i++) message(random, i, expected, bytes);
                bytes.writeBytes(SocketPeer.close(1000, ""));
                expected.add("close 1000");
                try (var peer = new SocketPeer(server.port())) {
                    byte[] all = bytes.toByteArray();
                    for (int from = 0; from < all.length; ) {
                        int length = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 1 + random.nextInt(20_000);
                        int to = Math.min(all.length, from + length);
                        peer.send(Arrays.copyOfRange(all, from, to));
                        from = to;
                        if (random.nextInt(3) == 0) delay(0);
                    }
                    assertThat(peer.readAll()).as("seed " + seed).isEqualTo(String.join(", ", expected));
                }
            }
        });
    }

    private static void message(Random random, int number, List<String> expected, ByteArrayOutputStream into) {
        int length = random.nextInt(3) == 0 ? random.nextInt(9_000) : random.nextInt(30);
        String text = "é" + number + "x".repeat(length);
        byte[] payload = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        boolean isText = random.nextBoolean();
        var pongs = new ArrayList<String>();
        int from = 0;
        int opcode = isText ? 1 : 2;
        while (true) {
            int to = random.nextInt(3) == 0 ? payload.length : from + random.nextInt(payload.length - from + 1);
            boolean last = to == payload.length;
            into.writeBytes(frame(opcode | (last ? 0x80 : 0), Arrays.copyOfRange(payload, from, to)));
            opcode = 0;
            from = to;
            if (last) break;
            if (random.nextInt(3) == 0) {
                pongs.add("pong " + number + pongs.size());
                into.writeBytes(frame(PING, pongs.getLast().substring(5)));
            }
        }
        expected.addAll(pongs);
        expected.add(new SocketPeer.Frame(isText ? TEXT : BINARY, payload).toString());
    }

    /** Both sides of the codec, the client's and the server's, over plain streams. */
    @EachReactor
    void clientSide_talksToServerSide(String reactor) {
        List<String> reports = Http.run(reactor, () -> {
            try (var listener = TcpServer.listen("127.0.0.1", 0)) {
                var echo = spawn(() -> {
                    try (var stream = listener.accept()) {
                        var socket = new WebSocketCore(SocketBytes.of(stream), false, WebSocketSettings.DEFAULTS, null);
                        for (Object m; (m = socket.receive()) != null; ) {
                            if (m instanceof String text) socket.send(text);
                            else socket.send((byte[]) m, 0, ((byte[]) m).length);
                        }
                        return socket.closeCode() + socket.closeReason();
                    }
                });
                try (var stream = TcpStream.connect("127.0.0.1", listener.port())) {
                    var socket = new WebSocketCore(SocketBytes.of(stream), true, WebSocketSettings.DEFAULTS, null);
                    for (int length : List.of(0, 1, 7, 8, 9, 125, 126, 65_535, 65_536, 300_000)) {
                        String text = "é".repeat(length);
                        socket.send(text);
                        socket.ping();
                        assertThat(socket.receive()).isEqualTo(text);
                    }
                    socket.close(3000, "bye");
                    assertThat(socket.receive()).isNull();
                }
                assertThat(echo.await()).isEqualTo("3000bye");
            }
        });
        assertThat(reports).isEmpty();
    }
}
