package raft;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.trueasync.InputOutputException;
import org.trueasync.Scope;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/**
 * A node of a replicated store, by the Raft algorithm. Three of them, each in a terminal of its own:
 *
 * <pre>
 * nodes=127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003
 * bin/trueasync run examples/raft/Node.java 127.0.0.1:7001 $nodes /tmp/node1
 * bin/trueasync run examples/raft/Node.java 127.0.0.1:7002 $nodes /tmp/node2
 * bin/trueasync run examples/raft/Node.java 127.0.0.1:7003 $nodes /tmp/node3
 * </pre>
 *
 * It goes on as long as a majority of the nodes runs and can talk to each other.
 */
public final class Node {
    private Node() {}

    /** Runs a node for ever: its own address, those of all nodes with commas between, a folder of its own. */
    public static void main(String... arguments) throws Exception {
        Path folder = Path.of(arguments[2]);
        Files.createDirectories(folder);
        run(arguments[0], List.of(arguments[1].split(",")), folder, ThreadLocalRandom.current());
    }

    /** Runs a node until it is cancelled, or its disk fails. */
    public static void run(String name, List<String> all, Path folder, RandomGenerator random) {
        try (var server = TcpServer.listen(Link.host(name), Link.port(name));
                var journal = Journal.open(folder);
                var scope = new Scope()) {
            var raft = new Raft(name, all, journal, scope, random);
            scope.launch("elections", raft::watch);
            scope.launch("connections", () -> {
                while (true) {
                    TcpStream peer = server.accept();
                    scope.launch(() -> serve(raft, peer));
                }
            });
            scope.awaitCompletion();
        }
    }

    private static void serve(Raft raft, TcpStream peer) {
        try (peer) {
            for (Frame request = Frame.read(peer); request != null; request = Frame.read(peer))
                peer.write(raft.answer(request).encode());
        } catch (InputOutputException gone) {
            // it asks again
        }
    }
}
