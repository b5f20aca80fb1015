// An echo server: a coroutine for each connection, written as if it were the only one.
//
//   trueasync run EchoServer.java [PORT]        7777 without it; try it with: nc 127.0.0.1 7777
import static org.trueasync.Async.*;

import java.nio.ByteBuffer;
import org.trueasync.*;
import org.trueasync.io.*;

void main(String[] args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7777;
    // A bug in the handling of one connection is reported, and ends that one alone. Leaving the block ends them all.
    try (var server = TcpServer.listen("127.0.0.1", port); var connections = new Scope().reportErrors()) {
        IO.println("echoing at 127.0.0.1:" + server.port());
        while (true) {
            var peer = server.accept();
            connections.launch(() -> echo(peer));
        }
    }
}

void echo(TcpStream peer) {
    try (peer) {
        var buffer = ByteBuffer.allocate(16 * 1024);
        // write returns when the system has taken everything: a peer that reads slowly slows down this coroutine alone.
        while (peer.read(buffer.clear()) >= 0) peer.write(buffer.flip());
    } catch (InputOutputException e) {
        System.err.println(e.getMessage()); // the peer has gone; the others go on
    }
}
