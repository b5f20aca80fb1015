package org.trueasync.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.trueasync.Async;
import org.trueasync.Scope;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/**
 * A server on our own streams that sends fixed replies. It has no parser: it takes whatever one read returns for one
 * request, and knows the requests of {@link org.trueasync.bench.load.Protocol} by single bytes.
 */
final class FixedReply {
    private FixedReply() {}

    static void serve(int port) {
        TcpServer server = TcpServer.listen(HttpServerProcess.HOST, port);
        Async.spawn(() -> serve(server));
    }

    private static void serve(TcpServer server) {
        try (Scope connections = new Scope().reportErrors()) {
            while (true) {
                TcpStream stream = server.accept();
                connections.launch(() -> answer(stream));
            }
        }
    }

    private static void answer(TcpStream stream) {
        try (stream) {
            stream.noDelay(true);
            ByteBuffer request = ByteBuffer.allocateDirect(1_024);
            ByteBuffer text = reply(HttpServerProcess.TEXT_BYTES);
            ByteBuffer json = null;
            ByteBuffer upload = null;
            while (stream.read(request.clear()) >= 0) {
                ByteBuffer reply = text;
                switch (request.get(5)) {
                    case 'j' -> reply = json = json == null ? reply(HttpServerProcess.JSON_BYTES) : json;
                    case 'd' -> Async.delay(Duration.ofMillis(number(request.get(11), request.get(12))));
                    // POST
                    case '/' -> {
                        if (upload == null) upload = ByteBuffer.allocateDirect(16 * 1_024);
                        if (!readUpload(stream, request.flip(), upload)) return;
                    }
                    default -> {}
                }
                stream.write(reply.rewind());
            }
        }
    }

    private static ByteBuffer reply(byte[] body) {
        byte[] head =
                ("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(head.length + body.length)
                .put(head)
                .put(body)
                .flip();
    }

    private static long number(byte tens, byte ones) {
        return 10L * (tens - '0') + (ones - '0');
    }

    /** Reads what is missing of an upload of 64 KiB; false: its end did not come. */
    private static boolean readUpload(TcpStream stream, ByteBuffer begin, ByteBuffer buffer) {
        while (begin.getInt() != 0x0d0a0d0a) begin.position(begin.position() - 3);
        int missing = 64 * 1_024 - begin.remaining();
        while (missing > 0) {
            int read = stream.read(buffer.clear());
            if (read < 0) return false;
            missing -= read;
        }
        return true;
    }
}
