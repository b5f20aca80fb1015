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
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/** Datagrams there and back on loopback, few and many sockets, small and as large as a network takes whole. */
public record UdpSuite(File log) implements Suite {

    static final List<Load> LOADS = List.of(Load.of(1, 64), Load.of(50, 64), Load.of(1, 1_400), Load.of(50, 1_400));

    private static final int MILLIS = 200;

    /**
     * So many pairs of sockets, each with one datagram in flight.
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

    @Override
    public String name() {
        return "udp";
    }

    @Override
    public List<Row> rows() {
        return LOADS.stream()
                .flatMap(load -> Stream.of(load.cpu(), load.datagrams()))
                .toList();
    }

    @Override
    public List<Peer> peers() {
        return List.of(OURS, OURS_ON_NIO, FLOOR, VIRTUAL_THREADS);
    }

    @Override
    public int rounds(Pace pace) {
        return pace.timerRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        return peers.stream()
                .map(peer -> new Measurement("datagrams, " + peer.title, results -> measure(peer, results)))
                .toList();
    }

    private void measure(Peer peer, Results results) {
        try (var probe = ChildJvm.start(log, JvmFlags.server(peer), UdpProbe.class, peer, MILLIS)) {
            String[] figures = probe.expect("UDP");
            List<Row> rows = rows();
            for (int i = 0; i < rows.size(); i++) results.add(rows.get(i), peer, Double.parseDouble(figures[i]));
        }
    }
}
