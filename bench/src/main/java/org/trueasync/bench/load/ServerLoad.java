package org.trueasync.bench.load;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.function.IntFunction;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;

/**
 * A server under load: after the warm-up each process has a cpu of its own.
 *
 * @param cpuMicros the server's cpu time for each message
 * @param perSecond messages
 */
public record ServerLoad(double cpuMicros, double perSecond) {

    private static final int SERVER_CPU = 0;
    private static final int CLIENT_CPU = 1;

    /**
     * Starts a server and a client, and ends both.
     *
     * @param starter starts a server on a port; it says {@code LISTENING}
     */
    public static ServerLoad measure(
            File log,
            IntFunction<ChildJvm> starter,
            LoadClient.Protocol protocol,
            int connections,
            Duration warmUp,
            Duration window)
            throws IOException, InterruptedException {
        int port = freePort();
        try (var server = starter.apply(port)) {
            server.expect("LISTENING");
            try (var client = ChildJvm.start(
                    log,
                    JvmFlags.client(),
                    LoadClient.class,
                    port,
                    connections,
                    warmUp.toMillis(),
                    window.toMillis(),
                    protocol)) {
                client.expect("WARM");
                Cpu.pin(server.pid(), SERVER_CPU, log);
                Cpu.pin(client.pid(), CLIENT_CPU, log);
                client.say("GO");
                client.expect("START");
                long before = Cpu.nanosOf(server.pid());
                String[] done = client.expect("DONE");
                long cpuNanos = Cpu.nanosOf(server.pid()) - before;
                double messages = Double.parseDouble(done[0]);
                return new ServerLoad(cpuNanos / messages / 1e3, messages / Double.parseDouble(done[1]) * 1e9);
            }
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
