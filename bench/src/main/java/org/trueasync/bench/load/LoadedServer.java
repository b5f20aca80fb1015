package org.trueasync.bench.load;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.function.IntFunction;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.FreePort;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.ProcessClock;

/**
 * A server and its client, two processes. Once both are warm, each has a cpu of its own. Between two windows both are
 * idle.
 */
final class LoadedServer implements AutoCloseable {

    private static final int SERVER_CPU = 0;
    private static final int CLIENT_CPU = 1;

    private final ChildJvm server;
    private final ChildJvm client;
    private final ProcessClock clock;

    /**
     * The figures of one window.
     *
     * @param cpuMicros the server's cpu time for each message
     * @param perSecond messages per second
     */
    record Figures(double cpuMicros, double perSecond) {}

    private LoadedServer(ChildJvm server, ChildJvm client, ProcessClock clock) {
        this.server = server;
        this.client = client;
        this.clock = clock;
    }

    /**
     * Starts both, lets them warm up on all cpus, and then gives each its cpu.
     *
     * @param starter starts a server on a port; the server prints {@code LISTENING}
     */
    static LoadedServer start(
            File log,
            IntFunction<ChildJvm> starter,
            LoadClient.Protocol protocol,
            int connections,
            Duration warmUp,
            Duration window)
            throws IOException, InterruptedException {
        int port = FreePort.find();
        ChildJvm server = starter.apply(port);
        LoadedServer started;
        try {
            server.expect("LISTENING");
            var clock = new ProcessClock(server.pid());
            started = new LoadedServer(server, client(log, port, connections, warmUp, window, protocol), clock);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        try {
            started.warmUp(log);
        } catch (IOException | InterruptedException | RuntimeException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private static ChildJvm client(
            File log, int port, int connections, Duration warmUp, Duration window, LoadClient.Protocol protocol) {
        return ChildJvm.start(
                log,
                JvmFlags.client(),
                LoadClient.class,
                port,
                connections,
                warmUp.toMillis(),
                window.toMillis(),
                protocol);
    }

    private void warmUp(File log) throws IOException, InterruptedException {
        client.expect("WARM");
        Cpu.pin(server.pid(), SERVER_CPU, log);
        Cpu.pin(client.pid(), CLIENT_CPU, log);
    }

    /** Measures one window under load. */
    Figures measure() throws IOException {
        client.send("SETTLE");
        client.expect("START");
        long before = clock.nanos();
        client.send("GO");
        String[] done = client.expect("DONE");
        long cpuNanos = clock.nanos() - before;
        double messages = Double.parseDouble(done[0]);
        return new Figures(cpuNanos / messages / 1e3, messages / Double.parseDouble(done[1]) * 1e9);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
