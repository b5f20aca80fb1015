package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.stress.fuzz.Inputs;

/** Blocks of packed fields, one after another, as they share a table; what is legal comes back packed again. */
public final class FieldBlockFuzz {
    public static final List<byte[]> SEEDS = List.of(
            Inputs.joined(new byte[] {6}, Frames.GET, new byte[] {9}, Frames.POST, new byte[] {1, (byte) 0xbe}),
            Inputs.hex("17 828684418cf1e3c2e5f23a6ba0ab90f4ff5886a8eb10649cbf 05 828684bebe"),
            Inputs.hex("0d 3fe10f 4003782d610161 2001 be"),
            Inputs.hex("0a 400a637573746f6d2d6b6579"));

    private static final int MOST = 512;

    private FieldBlockFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        var unpacker = new Unpacker(MOST);
        ByteBuffer all = ByteBuffer.wrap(input);
        while (all.hasRemaining()) {
            int length = Math.min(all.get() & 0xff, all.remaining());
            Unpacker.Block block = unpacker.unpack(all.slice(all.position(), length));
            all.position(all.position() + length);
            if (block == null) return;
            long bytes = 0;
            int last = 0;
            for (HttpField field : block.fields()) {
                last = 32 + field.getName().length() + Fields.value(field).length();
                bytes += last;
            }
            if (bytes - last > MOST) throw new AssertionError(bytes + " bytes of fields are kept");
            boolean isHead = RequestHead.of(block.fields()) != null || ResponseHead.of(block.fields()) != null;
            if (isHead && block.isLegal()) packedAgain(block.fields());
        }
    }

    private static void packedAgain(Fields fields) {
        var output = new FrameOutput();
        output.ofClient(() -> {}); // checks no names
        output.take();
        output.written();
        output.fields(1, 0, fields, true);
        ByteBuffer frames = output.take();
        if (frames == null) throw new AssertionError("nothing was written");
        int length = frames.getInt(frames.position()) >>> 8;
        Unpacker.Block again = new Unpacker(8 * MOST).unpack(frames.slice(frames.position() + 9, length));
        Inputs.same(fields.toString(), again == null ? "none" : again.fields().toString(), "packed again");
    }
}
