package raft;

import static org.trueasync.Async.*;

import java.time.Duration;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.DnsException;
import org.trueasync.InputOutputException;
import org.trueasync.io.TcpStream;

/** A connection to a node, made when it is needed. For one call at a time. */
final class Link implements AutoCloseable {
    private final String address;
    private TcpStream stream;

    /** The address is {@code host:port}. */
    Link(String address) {
        this.address = address;
    }

    static String host(String address) {
        return address.substring(0, address.lastIndexOf(':'));
    }

    static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Returns the answer, or null if there was none: the node may have got the request or not. */
    Frame call(Frame request, Duration limit) {
        Frame answer = null;
        try {
            answer = withTimeout(limit, () -> {
                if (stream == null) stream = TcpStream.connect(host(address), port(address));
                stream.write(request.encode());
                return Frame.read(stream);
            });
        } catch (InputOutputException | DnsException | AsyncTimeoutException lost) {
            // as with an answer that is lost
        } finally {
            if (answer == null) close(); // an answer that comes late must not be taken for the next one
        }
        return answer;
    }

    @Override
    public void close() {
        if (stream != null) stream.close();
        stream = null;
    }
}
