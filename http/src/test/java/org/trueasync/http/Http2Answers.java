package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trueasync.FutureState;
import org.trueasync.InputOutputException;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/**
 * A server of HTTP/2, on the loop of the test, that answers when it is told to: {@code /body} all but the second half
 * of the body at once, {@code /trailers} all but those, {@code /at-once} everything, {@code /never} nothing at all.
 * What has a body is answered at its end.
 */
final class Http2Answers {
    /** More than a connection and both outputs have room for. */
    static final int MUCH = 500_000;
    /** So much is granted to a body at once. */
    static final int WINDOW = 120_000;

    private static final int INITIAL_WINDOW = 4;
    private static final int CONNECTION_WINDOW = 512 * 1024;
    private static final int STREAM_WINDOW = 256 * 1024;
    private static final int CANCEL = 8;
    private static final byte[] HEAD = Http2Peer.fields(":status", "200");

    /** What it waits with until it is told to go on. */
    enum Holds {
        ANSWERS,
        /** Says nothing, not even that it speaks HTTP/2. */
        SETTINGS,
        /** Gives no window for bodies. */
        WINDOWS,
        /** Reads nothing behind the first request. */
        READING
    }

    private final TcpServer listener = TcpServer.listen("127.0.0.1", 0);
    private final Holds holds;
    final List<Link> links = new ArrayList<>();

    Http2Answers(Holds holds) {
        this.holds = holds;
        spawn(this::accept);
    }

    String at(String path) {
        return "http://127.0.0.1:" + listener.port() + path;
    }

    private void accept() {
        try {
            while (true) {
                var link = new Link(listener.accept());
                links.add(link);
                spawn(link::serve);
            }
        } catch (InputOutputException e) {
            // closed at the end of the case
        }
    }

    /** Goes on with all that waits. */
    void goOn() throws IOException {
        for (Link link : links) if (!link.peer.closed) link.goOn();
    }

    void close() {
        listener.close();
        for (Link link : links) link.tcp.close();
    }

    /**
     * Asserts that the connection is good: a call needs all that is left of its windows. There is no other one, unless
     * this server did not read: then it seemed to be dead when a call had been given up, and was closed.
     */
    void assertWhole(HttpClient client) {
        Link link = links.getLast();
        if (holds != Holds.READING) assertThat(links).hasSize(1);
        for (Link one : links) if (one != link) Exchanges.until(() -> one.peer.closed, "closed");
        Exchanges.until(() -> link.allOver(), link.peer);
        byte[] body = new byte[(int) (link.granted - link.received())];
        link.toSend = (int) (CONNECTION_WINDOW - link.sent);
        long told = link.peer.windows.get(0);
        byte[] response = client.request("POST", at("/whole")).body(body).send().bytes();
        assertThat(link.sent).isEqualTo(CONNECTION_WINDOW);
        assertThat(response).isNotEmpty();
        Exchanges.until(() -> link.peer.windows.get(0) == told + CONNECTION_WINDOW, "the window is not whole");
        assertThat(link.granted).isEqualTo(link.received());
        assertThat(link.peer.goAways).isEmpty();
    }

    /** A connection. */
    final class Link {
        final TcpStream tcp;
        final Http2Peer peer;
        private final FutureState<Integer> mayRead = new FutureState<Integer>().ignore();
        private final Set<Integer> open = new LinkedHashSet<>();
        private final Set<Integer> answered = new LinkedHashSet<>();
        private boolean told;
        private long granted = 65_535;
        private long sent;
        /** Of the last response. */
        private int toSend;

        private long sentOfLast;

        Link(TcpStream tcp) {
            this.tcp = tcp;
            this.peer = new Http2Peer(tcp.inputStream(), tcp.outputStream());
        }

        private void serve() {
            try (tcp) {
                tcp.inputStream().readNBytes(Http2Peer.PREFACE.length());
                if (holds != Holds.SETTINGS) settings();
                Http2Peer.Frame frame;
                while ((frame = peer.next()) != null) {
                    if (frame.type() == Http2Peer.HEADERS) begin(frame.id());
                    if (frame.isLast() && !path(frame.id()).equals("/whole")) ended(frame.id());
                    if (toSend > 0) sendMore();
                    if (holds == Holds.READING && path(frame.id()).equals("/upload")) await(mayRead.future());
                }
            } catch (IOException e) {
                // the client has gone
            }
            peer.closed = true;
        }

        private void settings() throws IOException {
            if (told) return;
            told = true;
            boolean isMuch = holds == Holds.READING;
            ByteBuffer window = ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW);
            window.putInt(isMuch ? MUCH : holds == Holds.WINDOWS ? 0 : WINDOW);
            peer.send(Http2Peer.SETTINGS, 0, 0, window.array());
            if (isMuch) grant(2 * MUCH);
        }

        private String path(int id) {
            return peer.of(id).fields.getOrDefault(":path", "");
        }

        private void begin(int id) throws IOException {
            open.add(id);
            switch (path(id)) {
                case "/body" -> head(id).data(id, "\"some", false);
                case "/trailers" -> head(id).data(id, "\"something\"", false);
                case "/at-once" -> answer(id);
                case "/whole" -> peer.number(Http2Peer.WINDOW, id, (int) granted);
                default -> {}
            }
        }

        private Link head(int id) throws IOException {
            peer.send(Http2Peer.HEADERS, Http2Peer.END_HEADERS, id, HEAD);
            return this;
        }

        private Link data(int id, String text, boolean last) throws IOException {
            sent += text.length();
            peer.send(Http2Peer.DATA, last ? Http2Peer.END_STREAM : 0, id, text.getBytes(StandardCharsets.US_ASCII));
            return this;
        }

        private void ended(int id) throws IOException {
            if (path(id).equals("/upload")) answer(id);
        }

        private void answer(int id) throws IOException {
            if (!answered.add(id)) return;
            switch (path(id)) {
                case "/body" -> data(id, "thing\"", true);
                case "/trailers" ->
                    peer.send(
                            Http2Peer.HEADERS,
                            Http2Peer.END_HEADERS | Http2Peer.END_STREAM,
                            id,
                            Http2Peer.fields("x-sum", "6"));
                default -> head(id).data(id, "\"something\"", true);
            }
        }

        private void grant(int bytes) throws IOException {
            granted += bytes;
            peer.number(Http2Peer.WINDOW, 0, bytes);
        }

        void goOn() throws IOException {
            settings();
            if (!mayRead.isCompleted()) mayRead.complete(1);
            for (int id : open) {
                if (answered.contains(id) || peer.of(id).reset >= 0) continue;
                switch (path(id)) {
                    case "/never" -> {}
                    case "/upload" -> {
                        if (holds == Holds.WINDOWS) {
                            grant(WINDOW);
                            peer.number(Http2Peer.WINDOW, id, WINDOW);
                        }
                    }
                    default -> answer(id);
                }
            }
        }

        /** Takes no more streams. */
        void goAway(int last) throws IOException {
            ByteBuffer text = ByteBuffer.allocate(8).putInt(last);
            peer.send(Http2Peer.GO_AWAY, 0, 0, text.array());
        }

        /** Answers those that nobody else answers. */
        void answerNever() throws IOException {
            for (int id : open) if (path(id).equals("/never")) answer(id);
        }

        private void sendMore() throws IOException {
            int id = open.stream().mapToInt(one -> one).max().orElseThrow();
            Http2Peer.Response of = peer.of(id);
            if (!path(id).equals("/whole") || !of.ended) return;
            if (answered.add(id)) head(id);
            while (toSend > 0 && sentOfLast < STREAM_WINDOW + peer.windows.getOrDefault(id, 0L)) {
                int part = Math.min(toSend, 16_000);
                toSend -= part;
                sentOfLast += part;
                data(id, "x".repeat(part), toSend == 0);
            }
        }

        private long received() {
            return peer.responses.values().stream()
                    .mapToLong(one -> one.body.size())
                    .sum();
        }

        /** True if each stream has ended on both sides, or was reset by the client. */
        private boolean allOver() {
            return open.stream()
                    .map(peer::of)
                    .filter(one -> !one.fields.get(":path").equals("/never"))
                    .allMatch(one -> one.reset == CANCEL || one.ended && isAnswered(one));
        }

        private boolean isAnswered(Http2Peer.Response one) {
            for (Map.Entry<Integer, Http2Peer.Response> entry : peer.responses.entrySet())
                if (entry.getValue() == one) return answered.contains(entry.getKey());
            return false;
        }
    }
}
