package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.util.List;
import org.trueasync.stress.fuzz.Inputs;

/** Frames for seeds. */
final class Frames {
    static final H2Limits LIMITS = new H2Limits(1024, 4, 1000, 100_000, 1_000_000_000, 0, 0);

    /** GET / of http, as entries of the static table. */
    static final byte[] GET = Inputs.hex("82 86 84 41 01 61");

    static final byte[] POST = Inputs.hex("83 86 84 41 01 61 0f0d 01 35");
    static final byte[] OK = Inputs.hex("88 0f0d 01 35");

    private Frames() {}

    static byte[] frame(int type, int flags, int id, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(id)
                .put(payload)
                .array();
    }

    private static final byte[] SETTINGS = frame(4, 0, 0, Inputs.hex("0004 00000002 0001 00000064 0003 80000000"));
    private static final byte[] HELLO = frame(0, 1, 1, "hello".getBytes());

    static final List<byte[]> OF_CLIENT = List.of(
            Inputs.joined(SETTINGS, frame(4, 1, 0, new byte[0]), frame(1, 5, 1, GET)),
            Inputs.joined(SETTINGS, frame(1, 4, 1, POST), HELLO, frame(1, 5, 3, Inputs.hex("82 86 04 022f3f be"))),
            Inputs.joined(frame(1, 1, 1, Inputs.hex("82 86 84")), frame(9, 4, 1, Inputs.hex("4001780179 00015a0179"))),
            Inputs.joined(frame(1, 0x2c, 1, Inputs.hex("02 00000000 10 82 86 84 0000")), frame(0, 9, 1, new byte[3])),
            Inputs.joined(frame(1, 4, 1, POST), frame(8, 0, 1, new byte[] {0, 0, 1, 0}), frame(1, 5, 1, new byte[0])),
            Inputs.joined(frame(1, 4, 1, POST), frame(3, 0, 1, new byte[] {0, 0, 0, 8}), HELLO),
            Inputs.joined(frame(6, 0, 0, new byte[8]), frame(7, 0, 0, new byte[8]), frame(2, 0, 5, new byte[5])));

    static final List<byte[]> OF_SERVER = List.of(
            Inputs.joined(SETTINGS, frame(1, 4, 1, OK), HELLO, frame(1, 5, 3, Inputs.hex("89"))),
            Inputs.joined(SETTINGS, frame(1, 4, 1, Inputs.hex("08 03 313030")), frame(1, 5, 1, Inputs.hex("89"))),
            Inputs.joined(frame(1, 4, 1, Inputs.hex("88")), HELLO, frame(1, 4, 3, Inputs.hex("88 4001780179"))),
            Inputs.joined(frame(1, 4, 5, Inputs.hex("88")), frame(1, 5, 5, Inputs.hex("0001740131"))),
            Inputs.joined(frame(3, 0, 1, Inputs.hex("00000007")), frame(7, 0, 0, Inputs.hex("00000001 00000000 6279"))),
            Inputs.joined(frame(8, 0, 0, Inputs.hex("00010000")), frame(8, 0, 1, Inputs.hex("7fffffff"))));
}
