package org.trueasync.http;

import static org.trueasync.Async.delay;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TcpStream;

/** Each on a connection of its own. */
final class Http1Exchanges extends Exchanges {
    private final List<TcpStream> clients = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

    Http1Exchanges(WaitCase wait, String request) {
        super(wait);
        for (int i = 0; i < COUNT; i++) {
            TcpStream client = TcpStream.connect("127.0.0.1", server.port());
            client.writeText(request);
            clients.add(client);
            all.add(received());
        }
    }

    private TcpStream client() {
        return clients.get(used - 1);
    }

    @Override
    void send(ByteBuffer bytes) {
        client().write(bytes);
    }

    @Override
    void drain() {
        for (int quiet = 0; quiet < 3; ) {
            int count = client().tryRead(buffer.clear());
            if (count < 0) return;
            if (count > 0) quiet = 0;
            else quiet++;
            if (count == 0) delay(1);
        }
    }

    @Override
    void hangUp() {
        clients.forEach(ByteStream::close);
    }
}
