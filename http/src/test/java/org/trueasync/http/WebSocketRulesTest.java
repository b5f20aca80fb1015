package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.http.SocketPeer.*;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;

/** Frames of every class of case that RFC 6455 knows, right and wrong, and what an echo answers. */
@Timeout(120)
class WebSocketRulesTest {
    private static final int LIMIT = 100_000;
    private static final byte[] BYE = SocketPeer.close(1000, "");
    private static final String OK = "close 1000";

    private final Map<String, String> wrong = new LinkedHashMap<>();
    private HttpServer server;

    static void echo(Exchange exchange) {
        WebSocket socket = exchange.webSocket(WebSocket.options().maxMessageBytes(LIMIT));
        for (var message : socket) {
            if (message.isText()) socket.send(message.text());
            else socket.send(message.bytes());
        }
    }

    private void check(String name, String expected, byte[]... sent) {
        try (var peer = new SocketPeer(server.port())) {
            peer.send(join(sent));
            String got = peer.readAll();
            if (!got.equals(expected)) wrong.put(name, "expected " + expected + ", got " + got);
        } catch (Exception e) {
            wrong.put(name, e.toString());
        }
    }

    private void cases(String reactor, Runnable all) {
        Http.serve(reactor, WebSocketRulesTest::echo, started -> {
            server = started;
            all.run();
            assertThat(wrong).isEmpty();
        });
    }

    @EachReactor
    void message_isEchoedWhateverItsLength(String reactor) {
        cases(reactor, () -> {
            for (int length : List.of(0, 1, 125, 126, 127, 128, 4095, 4096, 65_535, 65_536, LIMIT)) {
                byte[] text = "*".repeat(length).getBytes(StandardCharsets.UTF_8);
                String shown = length > 80 ? "" + length : "*".repeat(length);
                String binary = length > 80 ? "" + length : Arrays.toString(text);
                if (length <= 65_536) {
                    check("text of " + length, "text " + shown + ", " + OK, frame(TEXT, text), BYE);
                    check("binary of " + length, "binary " + binary + ", " + OK, frame(BINARY, text), BYE);
                }
            }
            check("a long one comes in fragments", "1 65536, 80 34464, " + OK, frame(TEXT, "*".repeat(LIMIT)), BYE);
            check("two at once", "text a, text b, " + OK, frame(TEXT, "a"), frame(TEXT, "b"), BYE);
        });
    }

    @EachReactor
    void ping_isAnsweredWithItsPayload(String reactor) {
        cases(reactor, () -> {
            check("empty", "pong , " + OK, frame(PING, ""), BYE);
            check("with payload", "pong hello, " + OK, frame(PING, "hello"), BYE);
            check("largest", "pong " + "p".repeat(125) + ", " + OK, frame(PING, "p".repeat(125)), BYE);
            check("too large", "close 1002", frame(PING, "p".repeat(126)), BYE);
            check("ten", "pong 1, pong 2, pong 3, " + OK, frame(PING, "1"), frame(PING, "2"), frame(PING, "3"), BYE);
            check("unasked pong", "text a, " + OK, frame(PONG, "x"), frame(PONG, ""), frame(TEXT, "a"), BYE);
            check(
                    "between messages",
                    "text a, pong x, text b, " + OK,
                    frame(TEXT, "a"),
                    frame(PING, "x"),
                    frame(TEXT, "b"),
                    BYE);
        });
    }

    @EachReactor
    void reservedBitsAndOpcodes_failWith1002(String reactor) {
        cases(reactor, () -> {
            for (int bits : List.of(0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70)) {
                for (int first : List.of(TEXT, BINARY, PING, PONG, CLOSE))
                    check(
                            "bits " + bits + " of " + first,
                            "text a, close 1002",
                            frame(TEXT, "a"),
                            frame(first | bits, first == CLOSE ? "" : "b"),
                            BYE);
            }
            for (int opcode : List.of(3, 4, 5, 6, 7, 11, 12, 13, 14, 15)) {
                check("opcode " + opcode, "text a, close 1002", frame(TEXT, "a"), frame(0x80 | opcode, ""), BYE);
                check("opcode " + opcode + " with payload", "close 1002", frame(0x80 | opcode, "x"), BYE);
            }
            check("no mask", "close 1002", new byte[] {(byte) TEXT, 1, 'a'}, BYE);
            check("a close frame without mask", "close 1002", new byte[] {(byte) CLOSE, 0});
            check("16 bits for a short length", "close 1002", frame(TEXT, new byte[125], 2), BYE);
            check("64 bits for a middle length", "close 1002", frame(TEXT, new byte[65_535], 8), BYE);
            check("negative length", "close 1002", bytes(0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4), BYE);
        });
    }

    @EachReactor
    void fragments_makeOneMessage(String reactor) {
        cases(reactor, () -> {
            check("two", "text ab, " + OK, frame(1, "a"), frame(0x80, "b"), BYE);
            check("binary", "binary [97, 98], " + OK, frame(2, "a"), frame(0x80, "b"), BYE);
            check(
                    "empty ones",
                    "text ab, " + OK,
                    frame(1, ""),
                    frame(0, "a"),
                    frame(0, ""),
                    frame(0, "b"),
                    frame(0x80, ""),
                    BYE);
            check("all empty", "text , " + OK, frame(1, ""), frame(0, ""), frame(0x80, ""), BYE);
            check("ping between", "pong x, text ab, " + OK, frame(1, "a"), frame(PING, "x"), frame(0x80, "b"), BYE);
            check("close between", OK, frame(1, "a"), BYE);
            check("fragmented ping", "close 1002", frame(9, "a"), frame(0x80, "b"), BYE);
            check("fragmented pong", "close 1002", frame(10, "a"), frame(0x80, "b"), BYE);
            check("fragmented close", "close 1002", frame(8, ""), frame(0x80, ""), BYE);
            check("continuation of nothing", "close 1002", frame(0x80, "a"), BYE);
            check("first continuation of nothing", "close 1002", frame(0, "a"), frame(0x80, "b"), BYE);
            check(
                    "continuation after the end",
                    "text ab, close 1002",
                    frame(1, "a"),
                    frame(0x80, "b"),
                    frame(0x80, "c"),
                    BYE);
            check("text inside a message", "close 1002", frame(1, "a"), frame(TEXT, "b"), BYE);
            check("binary inside a message", "close 1002", frame(1, "a"), frame(2, "b"), frame(0x80, "c"), BYE);
            var many = new ArrayList<byte[]>();
            for (int i = 0; i < 1000; i++) many.add(frame(i == 0 ? 1 : i == 999 ? 0x80 : 0, "m"));
            many.add(BYE);
            check("a thousand", "text 1000, " + OK, many.toArray(byte[][]::new));
        });
    }

    @EachReactor
    void text_isUtf8OrFailsWith1007(String reactor) {
        cases(reactor, () -> {
            for (String good : List.of(
                    "Hello-µ@ßöäüàá-UTF-8!!",
                    "κόσμε",
                    "\u0000",
                    "\u007f",
                    "\u0080",
                    "\u07ff",
                    "\u0800",
                    "\ud7ff",
                    "\ue000",
                    "\ufffd",
                    "\uffff",
                    "\ud800\udc00",
                    "\udbff\udfff")) {
                byte[] all = good.getBytes(StandardCharsets.UTF_8);
                check("text " + good, "text " + good + ", " + OK, frame(TEXT, all), BYE);
                var single = new ArrayList<byte[]>();
                for (int i = 0; i < all.length; i++)
                    single.add(frame((i == 0 ? 1 : 0) | (i == all.length - 1 ? 0x80 : 0), new byte[] {all[i]}));
                single.add(BYE);
                check("bytes of " + good, "text " + good + ", " + OK, single.toArray(byte[][]::new));
            }
            List<byte[]> bad = List.of(
                    bytes(0x80),
                    bytes(0xbf),
                    bytes(0xc0, 0xaf),
                    bytes(0xc1, 0xbf),
                    bytes(0xe0, 0x80, 0xaf),
                    bytes(0xe0, 0x9f, 0xbf),
                    bytes(0xf0, 0x80, 0x80, 0xaf),
                    bytes(0xf0, 0x8f, 0xbf, 0xbf),
                    bytes(0xf8, 0x88, 0x80, 0x80, 0x80),
                    bytes(0xfc, 0x84, 0x80, 0x80, 0x80, 0x80),
                    bytes(0xfe),
                    bytes(0xff),
                    bytes(0xed, 0xa0, 0x80),
                    bytes(0xed, 0xbf, 0xbf),
                    bytes(0xf4, 0x90, 0x80, 0x80),
                    bytes(0xf5, 0x80),
                    bytes(0xe2, 0x28, 0xa1),
                    bytes(0xf0, 0x28, 0x8c, 0xbc),
                    bytes(0xc3, 0x28),
                    bytes(0xce, 0xba, 0xed, 0xa0, 0x80, 0x65));
            for (byte[] text : bad) {
                String name = Arrays.toString(text);
                check("bad " + name, "close 1007", frame(TEXT, text), BYE);
                check("not the whole message is waited for " + name, "close 1007", frame(1, text));
                byte[] whole = frame(TEXT, Arrays.copyOf(text, 100));
                check("nor the whole frame " + name, "close 1007", Arrays.copyOf(whole, 6 + text.length));
                check("binary " + name, "binary " + name + ", " + OK, frame(BINARY, text), BYE);
            }
            for (byte[] half : List.of(bytes(0xce), bytes(0xe2, 0x82), bytes(0xf0, 0x9f, 0x98)))
                check("half a character " + half.length, "close 1007", frame(TEXT, half), BYE);
            check("the next text begins anew", "close 1007", frame(1, "a"), frame(0x80, bytes(0xce)), BYE);
        });
    }

    @EachReactor
    void close_isAnsweredAndItsCodeChecked(String reactor) {
        cases(reactor, () -> {
            check("without code", "close 1005", frame(CLOSE, ""));
            check("half a code", "close 1002", frame(CLOSE, "x"));
            for (int code : List.of(
                    1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999)) {
                check("code " + code, "close " + code, SocketPeer.close(code, ""));
                check("reason with " + code, "close " + code, SocketPeer.close(code, "because"));
            }
            for (int code : List.of(0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535))
                check("code " + code, "close 1002", SocketPeer.close(code, "because"));
            check("largest reason", OK, SocketPeer.close(1000, "r".repeat(123)));
            check("too large", "close 1002", SocketPeer.close(1000, "r".repeat(124)));
            check("reason that is no text", "close 1007", frame(CLOSE, bytes(3, 0xe8, 0xce, 0xba, 0xed, 0xa0, 0x80)));
            check("nothing after a close is read", OK, BYE, frame(TEXT, "late"), frame(PING, "late"));
        });
    }

    @EachReactor
    void tooLong_failsWith1009BeforeItHasCome(String reactor) {
        cases(reactor, () -> {
            byte[] long1 = frame(TEXT, new byte[LIMIT + 1]);
            check("one frame", "close 1009", Arrays.copyOf(long1, 14));
            check("all of it", "close 1009", long1, BYE);
            check("fragments", "close 1009", frame(1, new byte[LIMIT]), frame(0, ""), frame(0, "x"));
            check(
                    "a length that no array has",
                    "close 1009",
                    bytes(0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4));
        });
    }
}
