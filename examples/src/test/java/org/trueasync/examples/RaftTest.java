package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.FreePort;
import raft.Client;
import raft.Node;

/** The replicated store of the examples, as three coroutines with folders of their own. */
class RaftTest {
    /** Attempts of a client: more than a slow machine needs. */
    private static final int PATIENT = 10_000;

    @TempDir
    Path temporary;

    private final List<String> names = new ArrayList<>();

    @BeforeEach
    void ports() throws Exception {
        while (names.size() < 3) {
            String name = "127.0.0.1:" + FreePort.any();
            if (!names.contains(name)) names.add(name);
        }
    }

    private Coroutine<?> start(int number) throws Exception {
        Path folder = Files.createDirectories(temporary.resolve("node" + number));
        return Async.spawn(() -> Node.run(names.get(number), names, folder, new Random(number)));
    }

    private static void stop(Coroutine<?> node) {
        node.cancel();
        try {
            Async.await(node);
        } catch (AsyncCancellation ended) {
            // as asked
        }
    }

    @Test
    void restarted_allNodesHaveWhatWasStored() {
        Async.run((Body) () -> {
            var nodes = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) nodes.add(start(i));
            try (var client = new Client(names, PATIENT, new Random(7))) {
                client.put("a", "1");
                assertThat(client.cas("a", "1", "2")).isTrue();
                assertThat(client.cas("a", "1", "3")).isFalse();
                assertThat(client.get("a")).isEqualTo("2");
                assertThat(client.get("nothing")).isEmpty();
                var tasks = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 3; i++) {
                    String key = "many" + i;
                    tasks.add(Async.spawn(() -> {
                        try (var other = new Client(names, PATIENT, new Random(key.hashCode()))) {
                            for (int j = 0; j < 25; j++) other.append(key, j + ","); // more than a snapshot's number
                        }
                    }));
                }
                Async.awaitAllOrFail(tasks);

                for (Coroutine<?> node : nodes) stop(node);
                nodes.set(0, start(0));
                nodes.set(2, start(2));
                assertThat(client.get("many1")).startsWith("0,1,2,").endsWith(",23,24,");
                assertThat(client.append("a", "+")).isEqualTo("2+");
                stop(nodes.get(0));
                nodes.set(1, start(1)); // must learn it from the other one
                assertThat(client.get("a")).isEqualTo("2+");
            }
            stop(nodes.get(1));
            stop(nodes.get(2));
        });
    }
}
