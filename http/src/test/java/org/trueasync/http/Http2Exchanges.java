package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.trueasync.FutureState;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.io.TcpStream;

/**
 * Streams of one connection. Whatever ends the waits of two, a third is served on it that needs all that is left of
 * the windows.
 */
final class Http2Exchanges extends Exchanges {
    /** More than one response of a case has. */
    private static final int WINDOW = 50_000;
    /** More than a connection and its output have room for. */
    private static final int MUCH = 400_000;

    private static final int LITTLE = 100_000;
    private static final int INITIAL_WINDOW = 4;
    /** The server tells of so much that was taken at once. */
    private static final int TOLD_AT = 512 * 1024;

    private static final int STREAM_WINDOW = 256 * 1024;

    private final boolean full;
    private final Http2Peer peer;
    private final FutureState<Integer> reads = new FutureState<Integer>().ignore();
    private final List<Integer> ids = new ArrayList<>();
    private final List<Integer> missing = new ArrayList<>();
    private long sent;
    private long granted = 65_535;
    private int last = -1;
    private boolean tunnels;

    private Http2Exchanges(WaitCase wait, String request, boolean full) throws IOException {
        super(wait);
        this.full = full;
        TcpStream tcp = TcpStream.connect("127.0.0.1", server.port());
        peer = new Http2Peer(tcp.inputStream(), tcp.outputStream());
        wait.closes(tcp::close);
        peer.begin(INITIAL_WINDOW, full ? MUCH : 0);
        if (full) grant(MUCH + LITTLE + COUNT * WINDOW);
        else reads.complete(1);
        spawn(this::read);
        for (int i = 0; i < COUNT; i++) {
            ids.add(last += 2);
            ask(request);
            all.add(received());
        }
    }

    /** The client gives no window for a body. */
    static Exchanges withoutWindow(WaitCase wait, String request) throws IOException {
        return new Http2Exchanges(wait, request, false);
    }

    /** The client gives windows, but does not read. */
    static Exchanges full(WaitCase wait, String request) throws IOException {
        return new Http2Exchanges(wait, request, true);
    }

    private void read() {
        await(reads.future());
        try {
            while (peer.next() != null) {}
        } catch (IOException e) {
            // closed at the end of the case
        }
    }

    /** Asks as a text of HTTP/1 does. */
    private void ask(String text) throws IOException {
        int headEnd = text.indexOf("\r\n\r\n");
        String[] lines = text.substring(0, headEnd).split("\r\n");
        String[] first = lines[0].split(" ");
        String method = first[0];
        var fields = new ArrayList<String>();
        int length = 0;
        for (int i = 1; i < lines.length; i++) {
            String name = lines[i].substring(0, lines[i].indexOf(':')).toLowerCase(Locale.ROOT);
            String value = lines[i].substring(name.length() + 2);
            switch (name) {
                case "host", "connection", "sec-websocket-key" -> {}
                case "upgrade" -> {
                    method = "CONNECT";
                    tunnels = true;
                    fields.addAll(0, List.of(":protocol", value));
                }
                default -> fields.addAll(List.of(name, value));
            }
            if (name.equals("content-length")) length = Integer.parseInt(value);
        }
        boolean isLast = length == 0 && !method.equals("CONNECT");
        peer.send(
                Http2Peer.HEADERS,
                Http2Peer.END_HEADERS | (isLast ? Http2Peer.END_STREAM : 0),
                last,
                Http2Peer.request(method, first[1], fields.toArray(String[]::new)));
        missing.add(length);
        used = ids.size();
        String body = text.substring(headEnd + 4);
        if (!body.isEmpty()) send(StandardCharsets.UTF_8.encode(body));
        used = 0;
    }

    @Override
    void handle(Exchange exchange) throws Exception {
        String bytes = exchange.queryParameter("bytes");
        if (bytes == null) {
            super.handle(exchange);
            return;
        }
        exchange.bytes();
        exchange.respond(new byte[Integer.parseInt(bytes)]);
    }

    @Override
    void ready() throws IOException {
        if (!full) return;
        // the first waits for its parts to be written, and leaves room for those of the second
        for (int bytes : new int[] {MUCH, LITTLE}) {
            peer.get(last += 2, "/fill?bytes=" + bytes);
            delay(1);
        }
    }

    @Override
    void send(ByteBuffer bytes) throws IOException {
        byte[] part = new byte[bytes.remaining()];
        bytes.get(part);
        int left = missing.get(used - 1) - part.length;
        missing.set(used - 1, left);
        send(ids.get(used - 1), part, left == 0);
    }

    private void send(int id, byte[] part, boolean isLast) throws IOException {
        sent += part.length;
        peer.send(Http2Peer.DATA, isLast ? Http2Peer.END_STREAM : 0, id, part);
    }

    @Override
    void drain() throws IOException {
        if (full) {
            if (!reads.isCompleted()) reads.complete(1);
            return;
        }
        grant(WINDOW);
        peer.number(Http2Peer.WINDOW, ids.get(used - 1), WINDOW);
    }

    @Override
    void hangUp() {
        if (!reads.isCompleted()) reads.complete(1);
    }

    // ---- what must be intact

    @Override
    void assertWhole(Set<Integer> ends) throws IOException {
        hangUp();
        for (int i = 0; i < used; i++) peer.number(Http2Peer.WINDOW, ids.get(i), WINDOW);
        grant(WINDOW);
        letGo();
        for (int i = 0; i < used; i++) {
            Http2Peer.Response response = peer.of(ids.get(i));
            if (tunnels) {
                delay(10);
                // the server has said farewell, and waits for the client's end
                if (!response.ended && response.reset < 0) send(ids.get(i), new byte[0], true);
            }
            until(() -> response.ended || response.reset >= 0, response);
            assertThat(response.reset).as("%s: %s", i, response).isIn(done.contains(i) ? IN_ORDER : ends);
            assertThat(response.ended).isEqualTo(response.reset < 0);
        }
        // what comes late
        for (int i = 0; i < used; i++) {
            int left = missing.get(i);
            if (left > 0 && left < 100) send(ids.get(i), new byte[left], true);
        }
        oneMore();
        assertThat(peer.goAways).isEmpty();
        assertThat(server.stats().acceptedConnections()).isOne();
    }

    /** A request and a response that need all that is left of the windows of the connection. */
    private void oneMore() throws IOException {
        long received = peer.responses.values().stream()
                .mapToLong(one -> one.body.size())
                .sum();
        long told = peer.windows.get(0);
        int id = last += 2;
        peer.post(id, "/whole?bytes=" + (granted - received)).number(Http2Peer.WINDOW, id, (int) granted);
        for (int own = 0; sent < TOLD_AT; ) {
            int sending = own;
            until(() -> sending < STREAM_WINDOW + peer.windows.getOrDefault(id, 0L), "no window for the stream");
            byte[] part = new byte[(int) Math.min(TOLD_AT - sent, 16_000)];
            own += part.length;
            assertThat(peer.windows.get(0)).isEqualTo(told);
            send(id, part, sent + part.length == TOLD_AT);
        }
        until(() -> peer.windows.get(0) == told + TOLD_AT, "the window for requests is not whole");
        until(() -> peer.of(id).ended, "the window for responses is not whole");
        assertThat(peer.of(id).body.size()).isEqualTo((int) (granted - received));
    }

    private void grant(int bytes) throws IOException {
        granted += bytes;
        peer.number(Http2Peer.WINDOW, 0, bytes);
    }
}
