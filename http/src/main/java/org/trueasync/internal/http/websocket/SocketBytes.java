package org.trueasync.internal.http.websocket;

import java.nio.ByteBuffer;
import org.trueasync.Completable;
import org.trueasync.io.ByteStream;

/** What a socket stands on: a connection, or a stream of HTTP/2. Its methods are as those of {@link ByteStream}. */
public interface SocketBytes {
    int read(ByteBuffer into);

    int read(ByteBuffer into, Completable<?> cancellation);

    int tryRead(ByteBuffer into);

    void write(ByteBuffer from);

    /** Ends it at once; who waits in it gets an error. */
    void close();

    /** Makes it of a connection. */
    static SocketBytes of(ByteStream stream) {
        return new SocketBytes() {
            @Override
            public int read(ByteBuffer into) {
                return stream.read(into);
            }

            @Override
            public int read(ByteBuffer into, Completable<?> cancellation) {
                return stream.read(into, cancellation);
            }

            @Override
            public int tryRead(ByteBuffer into) {
                return stream.tryRead(into);
            }

            @Override
            public void write(ByteBuffer from) {
                stream.write(from);
            }

            @Override
            public void close() {
                stream.close();
            }
        };
    }
}
