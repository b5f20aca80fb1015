package org.trueasync.internal.grpc;

import io.grpc.Codec;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.trueasync.stress.fuzz.Inputs;

/** Messages of gRPC, compressed or not. */
public final class MessagesFuzz {
    private static final int MOST = 2048;
    public static final List<byte[]> SEEDS = List.of(
            Inputs.hex("00 00000002 6869 00 00000000"),
            Inputs.joined(Inputs.hex("01 00000016"), gzip("hi")),
            Inputs.hex("01 00000003 1f8b08"),
            Inputs.hex("00 7fffffff 00"));

    private MessagesFuzz() {}

    private static byte[] gzip(String text) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        var reader = new MessageReader(new ByteArrayInputStream(input), MOST, new Codec.Gzip());
        try {
            while (reader.next()) {
                byte[] message = reader.message();
                if (message.length > MOST) throw new AssertionError(message.length + " bytes");
            }
        } catch (StatusRuntimeException refused) {
            // as it should be
        }
    }
}
