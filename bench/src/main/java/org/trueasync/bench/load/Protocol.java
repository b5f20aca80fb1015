package org.trueasync.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The messages that are sent and expected. HTTP has the headers that a browser sends. */
public enum Protocol {
    /** Sends 64 bytes and gets as many back. */
    ECHO(64, Stream.of("x".repeat(64))) {
        @Override
        boolean isWhole(ByteBuffer received) {
            return received.position() == 64;
        }
    },
    /** Gets a text of five bytes. */
    TEXT(5, Stream.of(get("/"))),
    /** Gets 4 KiB of JSON. */
    JSON(4_096, Stream.of(get("/json"))),
    /** Sends 64 KiB, and gets the text once the server has read them. */
    UPLOAD(5, Stream.of(upload(64 * 1_024))),
    /** Gets the text after a wait of the server: 10 to 30 ms, as the end of the path says. */
    DELAY(5, delays().mapToObj(millis -> get("/delay/" + millis)));

    /** What the delays of a {@link #DELAY} are on average. */
    static final double MEAN_DELAY_MILLIS = delays().average().orElseThrow();

    private static final int MAX_HEAD = 1_024;
    /** Where the status begins, after "HTTP/1.1 ". */
    private static final int STATUS = 9;

    /** One of these is sent; the same for all connections, so each is at its end or its beginning between two calls. */
    final List<ByteBuffer> requests;

    final int maxAnswer;

    private final int bodyOfAnswer;
    private int next;

    Protocol(int bodyOfAnswer, Stream<String> requests) {
        this.bodyOfAnswer = bodyOfAnswer;
        this.maxAnswer = MAX_HEAD + bodyOfAnswer;
        this.requests = requests.map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .map(bytes -> ByteBuffer.allocateDirect(bytes.length).put(bytes).flip())
                .toList();
    }

    /** Chooses one of {@link #requests}: each as often as the others, but not in a row that ascends. */
    int nextRequest() {
        next = (next + 13) % requests.size();
        return next;
    }

    /** Returns for how long the request of that index has the server wait. */
    long delayMillis(int request) {
        return this == DELAY ? delays().min().orElseThrow() + request : 0;
    }

    /** True if a whole answer has come. */
    boolean isWhole(ByteBuffer received) {
        int end = received.position() - bodyOfAnswer;
        if (end - 4 <= STATUS || received.getInt(end - 4) != 0x0d0a0d0a) return false;
        if (received.get(STATUS) != '2') throw new IllegalStateException("the status of an answer is not 2xx");
        return true;
    }

    private static IntStream delays() {
        return IntStream.rangeClosed(10, 30);
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\n" + headers() + "\r\n";
    }

    private static String upload(int bytes) {
        return "POST /upload HTTP/1.1\r\n" + headers() + "Content-Type: text/plain\r\nContent-Length: " + bytes
                + "\r\n\r\n" + "x".repeat(bytes);
    }

    private static String headers() {
        return """
                Host: localhost:8080
                User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
                Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
                Accept-Language: en-US,en;q=0.5
                Accept-Encoding: gzip, deflate
                Connection: keep-alive
                """.replace("\n", "\r\n");
    }
}
