package org.trueasync.examples;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.trueasync.Async;
import org.trueasync.InputOutputException;
import org.trueasync.testkit.simulation.History;
import org.trueasync.testkit.simulation.Scenario;
import org.trueasync.testkit.simulation.Simulation;
import raft.Client;
import raft.Node;

/** The replicated store on three hosts, with faults, and three clients whose history must be linearizable. */
public final class RaftScenario implements Scenario {
    private static final List<String> NODES = List.of("n1:7000", "n2:7000", "n3:7000");
    private static final List<String> KEYS = List.of("a", "b");
    private static final int CLIENTS = 3;
    private static final int OPERATIONS = 80;
    /** So few that some operations end with an unknown outcome. */
    private static final int ATTEMPTS = 8;

    /** An operation of a client, with what it wrote or expected; "" if nothing. */
    record Operation(String name, String key, String value, String expected) {
        @Override
        public String toString() {
            return String.join(" ", name, key, expected, value).strip();
        }
    }

    /** The store, if it had one node and one client. */
    private static final class Model implements History.Model<String, Operation, String> {
        @Override
        public String initial() {
            return "";
        }

        @Override
        public History.Step<String, String> step(String state, Operation operation) {
            return switch (operation.name) {
                case "put" -> new History.Step<>(operation.value, "");
                case "append" -> new History.Step<>(state + operation.value, state + operation.value);
                case "cas" ->
                    state.equals(operation.expected)
                            ? new History.Step<>(operation.value, "true")
                            : new History.Step<>(state, "false");
                default -> new History.Step<>(state, state);
            };
        }

        @Override
        public Object key(Operation operation) {
            return operation.key;
        }
    }

    @Override
    public void define(Simulation sim) {
        for (String node : NODES) sim.host(node.substring(0, node.indexOf(':')), () -> serve(sim, node));
        sim.faults()
                .partitions()
                .kills()
                .slowLinks()
                .resets()
                .pauses()
                .diskErrors()
                .slowDisks()
                .clocks();
        sim.faults().every(Duration.ofSeconds(1)).until(Duration.ofSeconds(15));
        sim.timeLimit(Duration.ofMinutes(5));
        var history = new History<Operation, String>(() -> sim.elapsed().toNanos());
        for (int i = 1; i <= CLIENTS; i++) {
            String name = "c" + i;
            sim.client(
                    () -> work(name, history, new SplittableRandom(sim.random().nextLong())));
        }
        sim.afterwards(() -> {
            try (var client = new Client(
                    NODES, ATTEMPTS, new SplittableRandom(sim.random().nextLong()))) {
                for (String key : KEYS) readAtRest(history, client, key);
            }
            history.check(new Model());
        });
    }

    /** A node whose disk fails ends, and is started again. */
    private static void serve(Simulation sim, String node) {
        while (true) {
            try {
                Node.run(
                        node,
                        NODES,
                        Path.of(""),
                        new SplittableRandom(sim.random().nextLong()));
            } catch (InputOutputException e) {
                sim.note(node + " ends: " + e.getMessage());
            } catch (IllegalStateException e) {
                if (!(e.getCause() instanceof InputOutputException)) throw e;
                sim.note(node + " ends: " + e.getCause().getMessage());
            }
            Async.delay(100);
        }
    }

    /** Without faults an election may take some attempts, but it ends. */
    private static void readAtRest(History<Operation, String> history, Client client, String key) {
        for (int attempt = 1; ; attempt++) {
            try {
                run("end", history, client, new Operation("get", key, "", ""));
                return;
            } catch (InputOutputException e) {
                if (attempt == 20) throw e;
            }
        }
    }

    private static void work(String name, History<Operation, String> history, RandomGenerator random) {
        var seen = new HashMap<String, String>();
        try (var client = new Client(NODES, ATTEMPTS, random)) {
            for (int i = 1; i <= OPERATIONS; i++) {
                String key = KEYS.get(random.nextInt(KEYS.size()));
                String value = name + "." + i + " ";
                var operation =
                        switch (random.nextInt(6)) {
                            case 0 -> new Operation("put", key, value, "");
                            case 1 -> new Operation("cas", key, value, seen.getOrDefault(key, ""));
                            case 2, 3 -> new Operation("append", key, value, "");
                            default -> new Operation("get", key, "", "");
                        };
                try {
                    String answer = run(name, history, client, operation);
                    boolean reads = operation.name.equals("get") || operation.name.equals("append");
                    if (reads || !answer.equals("false")) seen.put(key, reads ? answer : value);
                } catch (InputOutputException unknown) {
                    // it may have happened, or will
                }
                Async.delay(random.nextInt(120));
            }
        }
    }

    private static String run(String name, History<Operation, String> history, Client client, Operation operation) {
        return history.call(name, operation, () -> switch (operation.name) {
            case "put" -> {
                client.put(operation.key, operation.value);
                yield "";
            }
            case "append" -> client.append(operation.key, operation.value);
            case "cas" -> Boolean.toString(client.cas(operation.key, operation.expected, operation.value));
            default -> client.get(operation.key);
        });
    }
}
