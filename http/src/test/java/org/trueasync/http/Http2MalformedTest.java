package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.http.Http2Peer.CONTINUATION;
import static org.trueasync.http.Http2Peer.END_HEADERS;
import static org.trueasync.http.Http2Peer.END_STREAM;
import static org.trueasync.http.Http2Peer.HEADERS;
import static org.trueasync.http.Http2Peer.fields;
import static org.trueasync.http.Http2Peer.hex;
import static org.trueasync.http.Http2Peer.request;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.trueasync.FutureState;

/** A malformed request ends its stream alone (RFC 9113, 8.1.1): others go on, and so does the table of fields. */
@Timeout(60)
class Http2MalformedTest {
    private static final int BOTH = END_HEADERS | END_STREAM;

    private record Row(String name, byte[] block, String answer, String kept) {}

    private static Row field(String name, String value) {
        return new Row(name + ": " + value, kept("828684010161", name, value), "reset 1", behind(name, value));
    }

    private static Row authority(String value) {
        return new Row(":authority: " + value, kept("828684", ":authority", value), "400", behind(":authority", value));
    }

    private static String behind(String name, String value) {
        return "behind " + (name + value).hashCode();
    }

    /** A block of these bytes, then a field that stays in the table, then another that does. */
    private static byte[] kept(String hex, String name, String value) {
        var block = new ByteArrayOutputStream();
        block.writeBytes(Http2Peer.hex(hex));
        for (byte[] field : List.of(fields(name, value), fields("kept", behind(name, value)))) {
            field[0] = 0x40;
            block.writeBytes(field);
        }
        return block.toByteArray();
    }

    private static List<Row> rows() {
        return List.of(
                field("content-length", "abc"),
                field("content-length", "-1"),
                field("content-length", "99999999999999999999"),
                field("", "1"),
                field("a b", "1"),
                field("Upper", "1"),
                field("a", "1\r\nb: 2"),
                field(":unknown", "1"),
                field(":path", "/again"),
                field("te", "gzip"),
                field("connection", "close"),
                authority("user@host"),
                authority("host/path"),
                authority("a b"),
                authority("a:x"),
                authority("[::1"),
                authority(""));
    }

    @EachReactor
    void malformedRequest_endsItsStreamAlone(String reactor) {
        var gate = new ArrayList<FutureState<String>>();
        HttpHandler handler = x -> {
            if (x.path().equals("/wait")) gate.getFirst().future().await();
            x.respond(x.header("kept") + x.header("more"));
        };
        Http.serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                gate.add(new FutureState<>());
                peer.get(1, "/wait");
                int id = 3;
                for (Row row : rows()) {
                    peer.send(HEADERS, BOTH, id, row.block);
                    Http2Peer.Response bad = peer.await(id);
                    assertThat(bad.reset < 0 ? bad.status() : "reset " + bad.reset)
                            .as(row.name)
                            .isEqualTo(row.answer);
                    // 62 is the last field that was kept, 63 the bad one before it
                    peer.send(HEADERS, BOTH, id + 2, hex("828684010161be"));
                    assertThat(peer.await(id + 2).text()).as(row.name).isEqualTo(row.kept + "null");
                    peer.send(HEADERS, BOTH, id + 4, hex("828684bf"));
                    Http2Peer.Response again = peer.await(id + 4);
                    assertThat(again.reset == 1 || again.status().equals("400"))
                            .as(row.name + " " + again)
                            .isTrue();
                    id += 6;
                }
                gate.getFirst().complete("go");
                assertThat(peer.await(1).text()).isEqualTo("nullnull");
                assertThat(peer.settle().goAways).isEmpty();
            }
        });
    }

    @EachReactor
    void tableAgrees_howeverTheBlockIsCut(String reactor) {
        HttpHandler handler = x -> x.respond(x.header("kept") + x.header("more"));
        Http.serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                byte[] block = kept("82 86 84 010161", "content-length", "abc");
                for (int cut = 0; cut <= block.length; cut++) { // into frames, with padding and a priority
                    int id = 1 + 4 * cut;
                    var first = new ByteArrayOutputStream();
                    first.writeBytes(hex("020000000007"));
                    first.write(block, 0, cut);
                    first.writeBytes(new byte[2]);
                    byte[] rest = Arrays.copyOfRange(block, cut, block.length);
                    var both = new ByteArrayOutputStream();
                    both.writeBytes(Http2Peer.frame(HEADERS, END_STREAM | 8 | 32, id, first.toByteArray()));
                    both.writeBytes(Http2Peer.frame(CONTINUATION, END_HEADERS, id, rest));
                    both.writeBytes(Http2Peer.frame(HEADERS, BOTH, id + 2, hex("828684010161be")));
                    byte[] bytes = both.toByteArray();
                    peer.raw(Arrays.copyOf(bytes, 9 + cut)); // and of the socket
                    if (cut % 8 == 0) delay(1); // mostly enough for the server to read it
                    peer.raw(Arrays.copyOfRange(bytes, 9 + cut, bytes.length));
                    assertThat(peer.await(id).reset).as("cut at %s", cut).isEqualTo(1);
                    assertThat(peer.await(id + 2).text()).isEqualTo(behind("content-length", "abc") + "null");
                }
            }
        });
    }

    @EachReactor
    void malformedTrailers_endTheirStreamAlone(String reactor) {
        HttpHandler handler = x -> x.respond(x.text() + x.header("kept"));
        Http.serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.post(1, "/").send(HEADERS, BOTH, 1, kept("", "", "1"));
                assertThat(peer.await(1).reset).isEqualTo(1);
                peer.post(3, "/").data(3, "x", false).send(HEADERS, BOTH, 3, kept("", "connection", "1"));
                assertThat(peer.await(3).reset).isEqualTo(1);
                peer.send(HEADERS, BOTH, 5, hex("828684010161be"));
                assertThat(peer.await(5).text()).isEqualTo(behind("connection", "1"));
            }
        });
    }

    @EachReactor
    void tableOfAStreamThatIsRefused_counts(String reactor) {
        HttpHandler handler = x -> x.respond(x.header("kept") + x.header("a"));
        Http.serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.send(HEADERS, END_HEADERS, 1, request("POST", "/", "content-length", "1"));
                peer.data(1, "xyz", false); // too long
                assertThat(peer.await(1).reset).isEqualTo(1);
                peer.send(HEADERS, BOTH, 1, kept("", "a", "b")); // sent before the peer knew
                peer.send(HEADERS, BOTH, 3, hex("828684010161bebf"));
                assertThat(peer.await(3).text()).isEqualTo(behind("a", "b") + "b");
                assertThat(peer.settle().goAways).isEmpty();
            }
        });
    }

    @EachReactor
    void tableIsResizedAndEvicted(String reactor) {
        HttpHandler handler = x -> x.respond(x.header("kept") + x.header("a"));
        Http.serve(reactor, handler, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                peer.send(HEADERS, BOTH, 1, kept("828684010161", "a", "b"));
                assertThat(peer.await(1).text()).isEqualTo(behind("a", "b") + "b");
                peer.send(HEADERS, BOTH, 3, hex("3f22828684010161be")); // 65 bytes: the last field only
                assertThat(peer.await(3).text()).isEqualTo(behind("a", "b") + "null");
                peer.send(HEADERS, BOTH, 5, hex("828684010161bf")); // evicted
                assertThat(peer.awaitEnd().goAway()).isEqualTo(9);
            }
        });
    }
}
