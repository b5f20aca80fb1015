package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.http.SocketPeer.*;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Timeout;

/** Compression (RFC 7692), with a peer that has the JDK's zlib. */
@Timeout(120)
class WebSocketCompressionTest {
    private static final String TEXT_OF_1000 =
            "words that come again, ".repeat(44).substring(0, 1000);

    private static void echo(Exchange exchange) {
        for (WebSocket socket =
                        exchange.webSocket(WebSocket.options().compression(true).maxMessageBytes(200_000));
                ; ) {
            var message = socket.receive();
            if (message == null) return;
            if (message.isText()) socket.send(message.text());
            else socket.send(message.bytes());
        }
    }

    private static String extension(SocketPeer peer) {
        int at = peer.head.indexOf("Sec-WebSocket-Extensions: ");
        return at < 0 ? "" : peer.head.substring(at + 26, peer.head.indexOf("\r\n", at));
    }

    @EachReactor
    void offers_areAgreedToAsTheRfcSays(String reactor) {
        Map<String, String> offers = new LinkedHashMap<>();
        String name = "permessage-deflate";
        offers.put(name, name);
        offers.put("x-other, permessage-deflate", name);
        offers.put("x-other", "");
        offers.put(name + "; client_max_window_bits", name);
        offers.put(name + "; client_max_window_bits=9", name);
        offers.put(name + "; client_max_window_bits=\"9\"", name);
        offers.put(name + "; client_max_window_bits=16", "");
        offers.put(name + "; client_max_window_bits=09", "");
        offers.put(name + "; server_max_window_bits=15", name + "; server_max_window_bits=15");
        offers.put(name + "; server_max_window_bits=10", "");
        offers.put(name + "; server_max_window_bits", "");
        offers.put(name + "; server_max_window_bits=10, permessage-deflate", name);
        offers.put(name + "; server_no_context_takeover", name + "; server_no_context_takeover");
        offers.put(name + "; client_no_context_takeover", name + "; client_no_context_takeover");
        offers.put(name + "; server_no_context_takeover=1", "");
        offers.put(name + "; server_no_context_takeover; server_no_context_takeover", "");
        offers.put(name + "; unknown", "");
        Http.serve(reactor, WebSocketCompressionTest::echo, server -> {
            var agreed = new LinkedHashMap<String, String>();
            for (String offer : offers.keySet()) {
                try (var peer = new SocketPeer(server.port(), "Sec-WebSocket-Extensions: " + offer)) {
                    agreed.put(offer, extension(peer));
                }
            }
            assertThat(agreed).isEqualTo(offers);
        });
    }

    /** The other side's zlib. */
    static final class Zip {
        private final Deflater deflater = new Deflater(6, true);
        private final Inflater inflater = new Inflater(true);

        byte[] pack(byte[] bytes, boolean keeps) {
            deflater.setInput(bytes);
            var out = new byte[bytes.length + 1000];
            int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
            if (!keeps) deflater.reset();
            return Arrays.copyOf(out, length - 4);
        }

        String unpack(byte[] bytes, boolean keeps) throws Exception {
            return new String(unpackBytes(bytes, keeps), StandardCharsets.UTF_8);
        }

        byte[] unpackBytes(byte[] bytes, boolean keeps) throws Exception {
            var all = Arrays.copyOf(bytes, bytes.length + 4);
            all[all.length - 1] = all[all.length - 2] = (byte) 0xff;
            inflater.setInput(all);
            var out = new byte[1 << 20];
            int length = inflater.inflate(out);
            if (!keeps) inflater.reset();
            return Arrays.copyOf(out, length);
        }
    }

    @EachReactor
    void message_isCompressedBothWaysWithAndWithoutItsPast(String reactor) {
        Http.serve(reactor, WebSocketCompressionTest::echo, server -> {
            for (boolean keeps : new boolean[] {true, false}) {
                String offer = "Sec-WebSocket-Extensions: permessage-deflate"
                        + (keeps ? "" : "; server_no_context_takeover; client_no_context_takeover");
                try (var peer = new SocketPeer(server.port(), offer)) {
                    var zip = new Zip();
                    int firstLength = 0;
                    for (int i = 0; i < 5; i++) {
                        String text = i + TEXT_OF_1000;
                        byte[] packed = zip.pack(text.getBytes(StandardCharsets.UTF_8), keeps);
                        int half = packed.length / 2;
                        peer.send(
                                frame(0x41, Arrays.copyOf(packed, half)),
                                frame(PING, ""),
                                frame(0x80, Arrays.copyOfRange(packed, half, packed.length)));
                        assertThat(peer.read()).hasToString("pong ");
                        SocketPeer.Frame back = peer.read();
                        assertThat(back.first()).isEqualTo(0xC1);
                        assertThat(zip.unpack(back.payload(), keeps)).isEqualTo(text);
                        if (i == 0) firstLength = back.payload().length;
                        else if (keeps) assertThat(back.payload().length).isLessThan(firstLength / 2);
                        else assertThat(back.payload().length).isEqualTo(firstLength);
                    }
                    peer.send(frame(TEXT, "as it is"), SocketPeer.close(1000, ""));
                    assertThat(peer.readAll()).isEqualTo("text as it is, close 1000");
                }
            }
        });
    }

    @EachReactor
    void longMessage_isCompressedInFragments(String reactor) {
        Http.serve(reactor, WebSocketCompressionTest::echo, server -> {
            try (var peer = new SocketPeer(server.port(), "Sec-WebSocket-Extensions: permessage-deflate")) {
                var zip = new Zip();
                var random = new Random(7);
                var noise = new byte[200_000];
                for (int i = 0; i < noise.length; i++) noise[i] = (byte) (' ' + random.nextInt(90));
                for (byte[] sent : new byte[][] {noise, new byte[200_000]}) {
                    peer.send(frame(0xC1, zip.pack(sent, true)));
                    byte[] all = {};
                    SocketPeer.Frame next;
                    do {
                        next = peer.read();
                        assertThat(next.first() & 0x7f).isEqualTo(all.length == 0 ? 0x41 : 0);
                        all = join(all, next.payload());
                    } while (next.first() < 0x80);
                    assertThat(zip.unpack(all, true)).isEqualTo(new String(sent, StandardCharsets.UTF_8));
                }
            }
        });
    }

    @EachReactor
    void wrongUse_failsWithItsCode(String reactor) {
        Http.serve(reactor, WebSocketCompressionTest::echo, server -> {
            var wrong = new LinkedHashMap<String, String>();
            byte[] bomb = new Zip().pack(new byte[100_000_000], true);
            byte[] bad = {0x55, (byte) 0xff, 0x12, 0x34, 0x77};
            byte[] half = new Zip().pack(new byte[] {(byte) 0xce}, true);
            byte[] exact = new Zip().pack(new byte[200_000], true);
            byte[] over = new Zip().pack(new byte[200_001], true);
            var last = new Deflater(6, true);
            last.setInput(TEXT_OF_1000.getBytes(StandardCharsets.UTF_8));
            last.finish();
            var finished = new byte[2000];
            byte[] withEnd = Arrays.copyOf(finished, last.deflate(finished) + 1);
            Object[][] cases = {
                {"bit on a control frame", "close 1002", frame(0xC9, "")},
                {"bit on a continuation", "close 1002", join(frame(0x41, ""), frame(0xC0, ""))},
                {"other bits", "close 1002", frame(0xA1, "")},
                {"malformed", "close 1007", frame(0xC1, bad)},
                {"no text inside", "close 1007", frame(0xC1, half)},
                {"a bomb", "close 1009", frame(0xC2, bomb)},
                {"one byte too many", "close 1009", frame(0xC2, over)},
                {"nothing inside", "text , close 1000", join(frame(0xC1, bytes(0)), SocketPeer.close(1000, ""))},
                {"nothing at all", "text , close 1000", join(frame(0xC1, ""), SocketPeer.close(1000, ""))},
            };
            for (Object[] c : cases) {
                try (var peer = new SocketPeer(server.port(), "Sec-WebSocket-Extensions: permessage-deflate")) {
                    String got = peer.send((byte[]) c[2]).readAll();
                    if (!got.equals(c[1])) wrong.put((String) c[0], got);
                }
            }
            assertThat(wrong).isEmpty();
            for (byte[] good : new byte[][] {exact, withEnd}) {
                try (var peer = new SocketPeer(server.port(), "Sec-WebSocket-Extensions: permessage-deflate")) {
                    peer.send(frame(0xC1, good), frame(0xC1, new Zip().pack(bytes('e', 'n', 'd'), true)));
                    peer.send(SocketPeer.close(1000, ""));
                    assertThat(peer.readAll()).endsWith("text end, close 1000");
                }
            }
        });
    }
}
