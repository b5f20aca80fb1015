package org.trueasync.bench.growth;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.Scope;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/** Open connections, each of which carries a byte there and back; both ends are in this process. */
final class Connections {
    private static final int DESCRIPTORS_BESIDE = 500;

    private Connections() {}

    static int most() {
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Math.clamp((system.getMaxFileDescriptorCount() - DESCRIPTORS_BESIDE) / 2, Kind.FEW, 20_000);
    }

    static long all(int count) {
        try (var server = TcpServer.listen("127.0.0.1", 0);
                var scope = new Scope()) {
            scope.launch(() -> {
                for (int i = 0; i < count; i++) {
                    TcpStream accepted = server.accept();
                    scope.launch(() -> echo(accepted));
                }
            });
            List<TcpStream> all = new ArrayList<>(count);
            for (int i = 0; i < count; i++) all.add(TcpStream.connect("127.0.0.1", server.port()));
            long used = 0;
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            for (TcpStream client : all) {
                client.write(one.clear());
                used += client.read(one.clear());
            }
            Released.mixed(all, TcpStream::close);
            scope.awaitCompletion();
            return used;
        }
    }

    private static void echo(TcpStream client) {
        try (client) {
            ByteBuffer one = ByteBuffer.allocate(1);
            while (client.read(one.clear()) > 0) client.write(one.flip());
        }
    }
}
