package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sends the frames of the table {@code websocket-cases.txt} to an echo. A frame is its type, {@code ~} if more of the
 * message follows, and what it carries: a text in quotes, bytes in {@code <}hexadecimal{@code >}, {@code *5} stars,
 * {@code words*5} or {@code noise*5} bytes of such. {@code /5} sends it as frames of 5 bytes, {@code x5} five times,
 * {@code -5} without its last 5 bytes. {@code r2:} sets reserved bits, {@code op3} is an opcode. {@code close} has a
 * code and a reason. {@code chop 5} in front sends all in writes of 5 bytes, {@code offer} compresses it if the server
 * agrees (commas stand for semicolons). {@code raw} is bytes in place of a frame.
 *
 * <p>Without a close, one with 1000 is added. {@code echo} is each whole message, each ping's answer, and the close. A
 * code is the close that comes because of the frame with {@code !}, after the echo of what was before it.
 */
@Timeout(60)
class WebSocketConformanceTest {
    private static final int LIMIT = 1 << 20;
    private static final int RAW = -1;
    private static final List<String> TYPES = List.of("cont", "text", "binary");
    private static final List<String> CONTROLS = List.of("close", "ping", "pong");
    private static final Pattern FRAME = Pattern.compile(
            "(!)?(?:r(\\d):)?([a-z]+?)(\\d+)?(~)?(?: (\\d{1,5}))?(?: (\".*\"|<.*>|[a-z]*\\*\\d+))?(?: ([/x-])(\\d+))?(?: x(\\d+))?");

    private record Frame(boolean isBad, int first, byte[] payload, int without) {
        int opcode() {
            return first & 15;
        }
    }

    private final List<Frame> frames = new ArrayList<>();
    private int chop = Integer.MAX_VALUE;
    private String offer = "";

    private static byte[] payload(String text) {
        if (text == null) return new byte[0];
        if (text.startsWith("\"")) return text.substring(1, text.length() - 1).getBytes(StandardCharsets.UTF_8);
        if (text.startsWith("<")) return Http2Peer.hex(text.substring(1, text.length() - 1));
        int star = text.indexOf('*');
        var bytes = new byte[Integer.parseInt(text.substring(star + 1))];
        if (star == 0) Arrays.fill(bytes, (byte) '*');
        else if (text.startsWith("noise")) new Random(1).nextBytes(bytes);
        else for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) "words that come again ".charAt(i % 22);
        return bytes;
    }

    private void parse(String item) {
        if (item.startsWith("chop ")) chop = Integer.parseInt(item.substring(5));
        else if (item.startsWith("offer ")) offer = item.substring(6).replace(',', ';');
        else if (item.startsWith("!raw ")) addRaw(item.substring(5).split(" "));
        else parseFrame(item);
    }

    /** Bytes as they are. */
    private void addRaw(String... payloads) {
        var all = new ByteArrayOutputStream();
        for (String each : payloads) all.writeBytes(payload(each));
        frames.add(new Frame(true, RAW, all.toByteArray(), 0));
    }

    private void parseFrame(String item) {
        Matcher parts = FRAME.matcher(item);
        if (!parts.matches()) throw new IllegalArgumentException(item);
        String type = parts.group(3);
        int opcode = type.equals("op")
                ? Integer.parseInt(parts.group(4))
                : TYPES.contains(type) ? TYPES.indexOf(type) : 8 + CONTROLS.indexOf(type);
        byte[] payload = payload(parts.group(7));
        if (parts.group(6) != null)
            payload = SocketPeer.join(
                    ByteBuffer.allocate(2)
                            .putShort((short) Integer.parseInt(parts.group(6)))
                            .array(),
                    payload);
        int first = opcode | (parts.group(5) == null ? 0x80 : 0);
        if (parts.group(2) != null) first |= Integer.parseInt(parts.group(2)) << 4;
        String kind = String.valueOf(parts.group(8));
        int number = parts.group(9) == null ? 0 : Integer.parseInt(parts.group(9));
        int times = kind.equals("x") ? number : parts.group(10) == null ? 1 : Integer.parseInt(parts.group(10));
        for (int i = 0; i < times; i++)
            if (kind.equals("/")) addFragments(first, payload, number);
            else frames.add(new Frame(parts.group(1) != null, first, payload, kind.equals("-") ? number : 0));
    }

    private void addFragments(int first, byte[] payload, int size) {
        for (int at = 0; at < payload.length; at += size) {
            int end = Math.min(payload.length, at + size);
            int begin = at == 0 ? first & 0x7f : 0;
            frames.add(new Frame(
                    false, begin | (end == payload.length ? 0x80 : 0), Arrays.copyOfRange(payload, at, end), 0));
        }
    }

    /** What an echo answers. */
    private List<String> expected(String code) {
        var all = new ArrayList<String>();
        var message = new ByteArrayOutputStream();
        int type = 0;
        for (Frame frame : frames) {
            if (frame.isBad) {
                all.add("close " + code);
                return all;
            }
            if (frame.opcode() == 8) {
                all.add("close " + new SocketPeer.Frame(frame.first, frame.payload).code());
                return all;
            }
            if (frame.opcode() == 9) all.add(shown(10, frame.payload));
            if (frame.opcode() > 2) continue;
            if (frame.opcode() > 0) type = frame.opcode();
            message.writeBytes(frame.payload);
            if (frame.first < 0x80) continue;
            all.add(shown(type, message.toByteArray()));
            message.reset();
        }
        all.add("close 1000");
        return all;
    }

    private static String shown(int opcode, byte[] payload) {
        String type = opcode == 10 ? "pong" : TYPES.get(opcode);
        return type
                + ' '
                + (payload.length < 80 ? Arrays.toString(payload) : payload.length + " " + Arrays.hashCode(payload));
    }

    private byte[] bytes(WebSocketCompressionTest.Zip zip, boolean keeps) {
        var all = new ByteArrayOutputStream();
        var message = new ByteArrayOutputStream();
        for (Frame frame : frames) {
            if (zip == null) {
                byte[] bytes = frame.first == RAW ? frame.payload : SocketPeer.frame(frame.first, frame.payload);
                all.write(bytes, 0, bytes.length - frame.without);
            } else { // in two frames, however many there were
                message.writeBytes(frame.payload);
                if (frame.first < 0x80) continue;
                byte[] packed = zip.pack(message.toByteArray(), keeps);
                message.reset();
                int type = frame.opcode() == 0 ? frames.getFirst().opcode() : frame.opcode();
                all.writeBytes(SocketPeer.frame(0x40 | type, Arrays.copyOf(packed, packed.length / 2)));
                all.writeBytes(SocketPeer.frame(0x80, Arrays.copyOfRange(packed, packed.length / 2, packed.length)));
            }
        }
        all.writeBytes(SocketPeer.close(1000, ""));
        return all.toByteArray();
    }

    private static List<String> read(SocketPeer peer, WebSocketCompressionTest.Zip zip, boolean keeps)
            throws Exception {
        var all = new ArrayList<String>();
        var message = new ByteArrayOutputStream();
        int first = 0;
        for (SocketPeer.Frame frame; (frame = peer.read()) != null; ) {
            if ((frame.first() & 15) == 8) all.add("close " + frame.code());
            else if ((frame.first() & 15) == 10) all.add(shown(10, frame.payload()));
            else {
                if ((frame.first() & 15) > 0) first = frame.first();
                message.writeBytes(frame.payload());
                if (frame.first() < 0x80) continue;
                byte[] whole = message.toByteArray();
                message.reset();
                all.add(shown(first & 15, (first & 0x40) == 0 ? whole : zip.unpackBytes(whole, keeps)));
            }
        }
        return all;
    }

    private String run(int port, String code) throws Exception {
        try (var peer =
                offer.isEmpty() ? new SocketPeer(port) : new SocketPeer(port, "Sec-WebSocket-Extensions: " + offer)) {
            var zip = peer.head.contains("permessage-deflate") ? new WebSocketCompressionTest.Zip() : null;
            byte[] all = bytes(zip, !offer.contains("client_no_context"));
            boolean isCut = frames.stream().anyMatch(frame -> frame.without > 0);
            int end = isCut ? all.length - SocketPeer.close(1000, "").length : all.length;
            Thread writer = Thread.startVirtualThread(() -> write(peer, all, end));
            List<String> got = read(peer, zip, !offer.contains("server_no_context"));
            writer.join();
            List<String> expected = expected(code);
            return got.equals(expected) ? "" : "expected " + expected + ", got " + got;
        }
    }

    /** A peer that reads nothing meanwhile would be one that an echo waits for. */
    private void write(SocketPeer peer, byte[] all, int end) {
        try {
            for (int at = 0; at < end; at += Math.min(chop, end - at))
                peer.send(Arrays.copyOfRange(all, at, at + Math.min(chop, end - at)));
        } catch (IOException e) {
            // the server has seen enough
        }
    }

    static void echo(Exchange exchange) {
        boolean packs = exchange.header("Sec-WebSocket-Extensions") != null;
        WebSocket socket =
                exchange.webSocket(WebSocket.options().maxMessageBytes(LIMIT).compression(packs));
        for (var message : socket) {
            if (message.isText()) socket.send(message.text());
            else socket.send(message.bytes());
        }
    }

    @EachReactor
    void longMessage_comesInFragments(String reactor) {
        Http.serve(reactor, WebSocketConformanceTest::echo, server -> {
            try (var peer = new SocketPeer(server.port())) {
                peer.send(SocketPeer.frame(SocketPeer.TEXT, "*".repeat(100_000)), SocketPeer.close(1000, ""));
                assertThat(peer.readAll()).isEqualTo("1 65536, 80 34464, close 1000");
            }
        });
    }

    @Test
    void eachCaseOfTheTable_isAnsweredAsItSays() throws Exception {
        List<String[]> rows = Http2ConformanceTest.table("websocket-cases.txt");
        assertThat(rows).hasSizeGreaterThan(300);
        var wrong = new ArrayList<String>();
        Http.serve("libuv", WebSocketConformanceTest::echo, server -> {
            for (String[] row : rows) {
                var one = new WebSocketConformanceTest();
                for (String item : row[1].split("; ")) one.parse(item);
                String fault = one.run(server.port(), row[2]);
                if (!fault.isEmpty()) wrong.add(row[0] + ": " + fault);
            }
        });
        assertThat(String.join("\n", wrong)).isEmpty();
    }
}
