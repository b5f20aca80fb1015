package raft;

import static org.trueasync.Async.*;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trueasync.InputOutputException;

/** A client of the store. For one operation at a time. A missing key has the value "". */
public final class Client implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMillis(500);

    private final List<String> nodes;
    private final int attempts;
    private final RandomGenerator random;
    private final String id;
    private Link link;
    private int node;
    private long requests;

    /** Nodes are {@code host:port}; an operation asks them so many times before it throws. */
    public Client(List<String> nodes, int attempts, RandomGenerator random) {
        this.nodes = nodes;
        this.attempts = attempts;
        this.random = random;
        id = Long.toHexString(random.nextLong());
        node = random.nextInt(nodes.size());
        link = new Link(nodes.get(node));
    }

    public String get(String key) {
        return call("get", key, "", "");
    }

    public void put(String key, String value) {
        call("put", key, value, "");
    }

    /** Returns the value that it has now. */
    public String append(String key, String value) {
        return call("append", key, value, "");
    }

    /** Compares and sets; false if the value was another one. */
    public boolean cas(String key, String expected, String value) {
        return Boolean.parseBoolean(call("cas", key, value, expected));
    }

    /** Repeats the request, under the same number, until a leader has answered. */
    private String call(String operation, String key, String value, String expected) {
        var request = Frame.of("client", id, ++requests, operation, key, value, expected);
        for (int attempt = 0; attempt < attempts; attempt++) {
            Frame answer = link.call(request, LIMIT);
            if (answer != null && answer.text(0).equals("ok")) return answer.text(1);
            int leader = answer == null ? -1 : nodes.indexOf(answer.text(1));
            node = leader >= 0 ? leader : (node + 1) % nodes.size();
            link.close();
            link = new Link(nodes.get(node));
            delay(50 + random.nextInt(100));
        }
        throw new InputOutputException("no node has answered; it may have happened", "ETIMEDOUT");
    }

    @Override
    public void close() {
        link.close();
    }
}
