package org.trueasync.bench.load;

import java.io.File;
import java.io.IOException;
import java.util.function.IntFunction;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.FreePort;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Pace;
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
    private final long heapBefore;

    /**
     * The figures of one window.
     *
     * @param cpuMicros the server's cpu time for each message
     * @param perSecond messages per second
     * @param allocated bytes that the server's threads allocate for each message
     * @param addedMillis 99 % of the messages take at most so long beside the delay that they ask for
     */
    record Figures(double cpuMicros, double perSecond, double allocated, double addedMillis) {}

    private LoadedServer(ChildJvm server, ChildJvm client, ProcessClock clock, long heapBefore) {
        this.server = server;
        this.client = client;
        this.clock = clock;
        this.heapBefore = heapBefore;
    }

    /**
     * Starts both, lets them warm up on all cpus, and then gives each its cpu.
     *
     * @param starter starts a server on a port; the server prints {@code LISTENING}
     */
    static LoadedServer start(File log, IntFunction<ChildJvm> starter, ServerSuite.Load load, Pace pace)
            throws IOException, InterruptedException {
        int port = FreePort.find();
        ChildJvm server = starter.apply(port);
        LoadedServer started;
        try {
            server.expect("LISTENING");
            var clock = new ProcessClock(server.pid());
            long heapBefore = ServerMemory.heap(server);
            started = new LoadedServer(server, client(log, port, load, pace), clock, heapBefore);
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

    private static ChildJvm client(File log, int port, ServerSuite.Load load, Pace pace) {
        return ChildJvm.start(
                log,
                JvmFlags.client(),
                LoadClient.class,
                port,
                load.connections(),
                load.interval().toMillis(),
                load.program().warmUp().apply(pace).toMillis(),
                pace.serverWindow().multipliedBy(load.joined()).toMillis(),
                load.protocol());
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
        long allocatedBefore = ServerMemory.allocated(server);
        long before = clock.nanos();
        client.send("GO");
        String[] done = client.expect("DONE");
        long cpuNanos = clock.nanos() - before;
        long allocated = ServerMemory.allocated(server) - allocatedBefore;
        double messages = Double.parseDouble(done[0]);
        if (messages == 0) throw new IOException("no answer came in a window; see the log");
        return new Figures(
                cpuNanos / messages / 1e3,
                messages / Double.parseDouble(done[1]) * 1e9,
                allocated / messages,
                Double.parseDouble(done[2]) / 1e3);
    }

    /** Returns the bytes by which the heap has grown since the server listens. All connections are idle. */
    long heapGrowth() {
        return ServerMemory.heap(server) - heapBefore;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
