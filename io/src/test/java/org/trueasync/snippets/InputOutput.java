package org.trueasync.snippets;

import static org.trueasync.Async.timeout;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import javax.net.ssl.SSLContext;
import org.trueasync.Scope;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.FileSystemWatcher;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;
import org.trueasync.io.TlsOptions;
import org.trueasync.io.Tty;
import org.trueasync.io.UdpSocket;

/** The examples in the javadoc of {@link org.trueasync.io}, which holds copies of these regions: they compile. */
abstract class InputOutput {
    abstract void serve(TcpStream peer);

    abstract void use(ByteBuffer buffer);

    void server() {
        // @start region="server" :
        try (var server = TcpServer.listen("127.0.0.1", 8080);
                var connections = new Scope().reportErrors()) {
            while (true) {
                var peer = server.accept();
                connections.launch(() -> serve(peer)); // a bug in serve ends this connection alone
            }
        }
        // @end
    }

    void lines(TcpStream stream) {
        // @start region="lines" :
        for (String line : stream.lines()) stream.writeLine("you said " + line);
        // @end
    }

    void tls(SSLContext context) {
        // @start region="tls" :
        var options = TlsOptions.client(context).applicationProtocols("h2", "http/1.1");
        try (var stream = TcpStream.connect("example.org", 443).tls(options)) {
            stream.writeText("...");
        }
        // @end
    }

    void watcher(Path folder) {
        // @start region="watcher" :
        try (var watcher = new FileSystemWatcher(folder)) {
            for (var event : watcher) {
                IO.println(event.filename() + (event.renamed() ? " came or went" : " changed"));
            }
        }
        // @end
    }

    void tty(ByteBuffer key) {
        // @start region="tty" :
        try (var keys = Tty.stdin()) {
            keys.raw(true);
            keys.read(key);
        }
        // @end
    }

    void file(Path path) {
        // @start region="file" :
        try (var file = AsyncFile.open(path, StandardOpenOption.READ)) {
            var buffer = ByteBuffer.allocate(64 * 1024);
            while (file.read(buffer.clear()) >= 0) use(buffer.flip());
        }
        // @end
    }

    void udp(ByteBuffer question, ByteBuffer answer, InetSocketAddress server) {
        // @start region="udp" :
        try (var socket = UdpSocket.bind("127.0.0.1", 0)) {
            socket.send(question, server);
            var from = socket.receive(answer, timeout(1_000));
        }
        // @end
    }
}
