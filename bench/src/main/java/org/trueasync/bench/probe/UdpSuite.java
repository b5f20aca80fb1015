package org.trueasync.bench.probe;

import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_ON_NIO;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Row.rate;

import java.io.File;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Peer;
import org.trueasync.bench.RunningPeer;
import org.trueasync.bench.TurnsSuite;
import org.trueasync.bench.report.Row;

/**
 * Datagrams there and back on loopback, with few and many sockets: small datagrams, and datagrams as large as a network
 * takes without fragments.
 */
public final class UdpSuite extends TurnsSuite {

    static final List<Load> LOADS = List.of(Load.of(1, 64), Load.of(50, 64), Load.of(1, 1_400), Load.of(50, 1_400));

    private static final int MILLIS = 100;

    /**
     * A number of pairs of sockets, each with one datagram in flight.
     *
     * @param size of a datagram, bytes
     */
    record Load(int pairs, int size, Row cpu, Row datagrams) {
        static Load of(int pairs, int size) {
            String title = "udp: %,d bytes, %s".formatted(size, pairs == 1 ? "1 pair" : pairs + " pairs");
            return new Load(
                    pairs,
                    size,
                    cost(title + ", cpu per datagram", "us"),
                    rate(title + ", datagrams per second", "1/s"));
        }
    }

    private final File log;

    /** Compares with the JDK's channels on one platform thread and on virtual threads. */
    public UdpSuite(File log) {
        super(
                "udp",
                LOADS.stream()
                        .flatMap(load -> Stream.of(load.cpu(), load.datagrams()))
                        .toList(),
                List.of(OURS, OURS_ON_NIO, FLOOR, VIRTUAL_THREADS));
        this.log = log;
    }

    @Override
    protected RunningPeer start(Peer peer) {
        return RunningPeer.of(
                ChildJvm.start(log, JvmFlags.server(peer), UdpProbe.class, peer, MILLIS), "UDP", () -> {});
    }
}
