package org.trueasync.stress.soak;

import java.nio.ByteBuffer;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.http.Exchange;
import org.trueasync.http.HttpServer;
import org.trueasync.http.WebSocket;
import org.trueasync.io.TcpStream;

/**
 * Sockets, each with some thousand messages that are numbers from 0, and an answer to every thirty-second. One batch in
 * a hundred ends its connection: either side leaves.
 */
final class WebSocketLane implements Lane {
    private static final int BATCH = 32;
    private static final int BATCHES = 200;
    private static final int FRAME = 2 + 4 + Long.BYTES;
    private static final String HANDSHAKE = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    private long received;
    private boolean faulty;

    @Override
    public void run(Soak soak, Tally tally) {
        try (HttpServer server =
                HttpServer.builder().host("127.0.0.1").listen(exchange -> serve(exchange, soak, tally))) {
            while (!soak.isOver()) {
                received = 0;
                faulty = false;
                long answered = 0;
                long sent = 0;
                try (TcpStream stream = TcpStream.connect("127.0.0.1", server.port())) {
                    stream.writeText(HANDSHAKE);
                    while (!stream.lines().readLine().isEmpty()) {
                        // the head of the answer
                    }
                    var last = new long[1];
                    Coroutine<?> answers = Async.spawn(() -> answers(stream, last));
                    try {
                        var frames = ByteBuffer.allocate(BATCH * FRAME);
                        for (int batch = 0; batch < BATCHES && !soak.isOver() && !faulty; batch++) {
                            frames.clear();
                            // masked by zeros
                            while (frames.hasRemaining())
                                frames.putShort((short) 0x8288).putInt(0).putLong(sent++);
                            if (soak.isFault()) {
                                faulty = true;
                                tally.faults++;
                                frames.position(soak.random.nextInt(frames.capacity()));
                            }
                            stream.write(frames.flip());
                        }
                        if (!faulty) stream.write(ByteBuffer.wrap(new byte[] {(byte) 0x88, (byte) 0x80, 0, 0, 0, 0}));
                    } catch (InputOutputException e) {
                        if (!faulty) throw e;
                    }
                    if (faulty) stream.close();
                    answers.await();
                    answered = last[0];
                }
                if (answered > received) throw new AssertionError(answered + " answered, " + received + " have come");
                if (!faulty && received != sent) throw new AssertionError(received + " of " + sent + " have come");
                tally.messages += received;
                while (server.stats().openConnections() > 0) Async.delay(1); // whoever serves it may still count
            }
        }
    }

    private void serve(Exchange exchange, Soak soak, Tally tally) {
        try (WebSocket socket = exchange.webSocket()) {
            for (WebSocket.Message message : socket) {
                long number = ByteBuffer.wrap(message.bytes()).getLong();
                if (number != received) throw new AssertionError(number + " has come as number " + received);
                received++;
                if (number % BATCH != 0) continue;
                socket.send(message.bytes());
                if (soak.random.nextInt(400) > 0) continue;
                faulty = true;
                tally.faults++;
                return;
            }
        } catch (InputOutputException e) {
            if (!faulty) throw e;
        }
    }

    private void answers(TcpStream stream, long[] last) {
        var in = ByteBuffer.allocate(4096);
        try {
            while (stream.lines().read(in) >= 0) {
                in.flip();
                while (in.remaining() >= 2 + Long.BYTES) {
                    if (in.getShort(in.position()) != (short) 0x8208) return; // it is closed
                    in.getShort();
                    last[0] = in.getLong() + 1;
                }
                in.compact();
            }
        } catch (InputOutputException e) {
            if (!faulty) throw e;
        }
    }
}
