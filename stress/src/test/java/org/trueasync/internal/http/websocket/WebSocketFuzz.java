package org.trueasync.internal.http.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.trueasync.stress.fuzz.Inputs;

/** Frames of WebSocket: however the network cuts them, they are the same messages. */
public final class WebSocketFuzz {
    private static final int MOST = 4096;
    /** Bits of the first byte. */
    private static final int FROM_CLIENT = 1;

    private static final int COMPRESSED = 2;
    private static final int KEEPS = 4;

    public static final List<byte[]> SEEDS = List.of(
            Inputs.hex("00 81 05 68656c6c6f 82 02 ff00"),
            Inputs.hex("00 01 02 c3a4 80 01 c3 89 00 88 02 03e8"),
            Inputs.hex("01 81 85 37fa213d 7f9f4d5158"),
            Inputs.hex("00 82 7e 0080" + "00".repeat(128)),
            Inputs.hex("06 c1 07 f248cdc9c90700 c1 05 f200110000"),
            Inputs.hex("02 41 03 f248cd 80 04 c9c90700"));

    private WebSocketFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        int how = input.length > 0 ? input[0] : 0;
        byte[] rest = Inputs.rest(input);
        String whole = read(rest, how, Integer.MAX_VALUE);
        Inputs.same(whole, read(rest, how, 1), "byte by byte");
        Inputs.same(whole, read(rest, how, 13), "by thirteen bytes");
        utf8(rest);
        packed(rest);
    }

    private static String read(byte[] input, int how, int part) {
        var frames = new FrameReader(new Inputs(input, part)::read, (how & FROM_CLIENT) != 0);
        var deflate = (how & COMPRESSED) == 0 ? null : new PerMessageDeflate((how & KEEPS) != 0, (how & KEEPS) != 0);
        var incoming = new Incoming(MOST, deflate);
        var told = new StringBuilder();
        try {
            while (frames.next()) {
                if (Opcodes.isControl(frames.opcode())) {
                    var payload = new byte[Opcodes.MAX_CONTROL];
                    int size = 0;
                    while (frames.left() > 0) {
                        int count = frames.read(payload, size, payload.length - size);
                        if (count < 0) return told + "cut";
                        size += count;
                    }
                    told.append(frames.opcode()).append(Arrays.toString(Arrays.copyOf(payload, size)));
                    continue;
                }
                incoming.frame(frames);
                while (frames.left() > 0) if (!incoming.read(frames)) return told + "cut";
                if (!frames.isLast()) continue;
                Object message = incoming.end();
                told.append(message instanceof byte[] bytes ? Arrays.toString(bytes) : message)
                        .append('\n');
                if (message instanceof byte[] bytes && bytes.length > MOST) throw new AssertionError(bytes.length);
            }
            return told + "end";
        } catch (ProtocolError e) {
            return told + "broken " + e.code;
        } finally {
            if (deflate != null) deflate.end();
        }
    }

    private static void utf8(byte[] input) {
        boolean isText = true;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(input));
        } catch (CharacterCodingException e) {
            isText = false;
        }
        var check = new Utf8Check();
        int half = input.length / 2;
        boolean accepted =
                check.accepts(input, 0, half) && check.accepts(input, half, input.length) && check.isComplete();
        Inputs.same(isText, accepted, "UTF-8");
    }

    private static void packed(byte[] input) {
        if (input.length < PerMessageDeflate.LEAST) return; // is sent as it is
        var deflate = new PerMessageDeflate(true, true);
        try {
            for (int i = 0; i < 2; i++) {
                int length = deflate.compress(input, 0, input.length, true);
                byte[] again = deflate.decompress(deflate.out(), length, input.length);
                if (!Arrays.equals(input, again)) throw new AssertionError("another message, decompressed");
            }
        } finally {
            deflate.end();
        }
    }
}
