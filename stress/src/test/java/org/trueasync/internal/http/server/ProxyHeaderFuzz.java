package org.trueasync.internal.http.server;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.trueasync.InputOutputException;
import org.trueasync.io.ByteStream;
import org.trueasync.stress.fuzz.Inputs;

/** What a proxy says before everything else: nothing behind it is read. */
public final class ProxyHeaderFuzz {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    public static final List<byte[]> SEEDS = List.of(
            "PROXY TCP4 192.0.2.1 192.0.2.2 1234 80\r\nGET /".getBytes(),
            "PROXY TCP6 2001:db8::1 ::1 1234 80\r\nGET /".getBytes(),
            "PROXY UNKNOWN\r\nGET /".getBytes(),
            Inputs.hex(SIGNATURE + "21 11 000c c0000201 c0000202 04d2 0050 474554"),
            Inputs.hex(SIGNATURE + "21 11 0018 c0000201 c0000202 04d2 0050 200005 0100000000 030004 00000000"),
            Inputs.hex(SIGNATURE + "20 00 0000 474554"));

    private ProxyHeaderFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Inputs.same(read(input, Integer.MAX_VALUE), read(input, 1), "byte by byte");
    }

    private static String read(byte[] input, int part) {
        var source = new Inputs(input, part);
        var stream = (ByteStream) Proxy.newProxyInstance(
                ProxyHeaderFuzz.class.getClassLoader(),
                new Class<?>[] {ByteStream.class},
                (self, method, arguments) -> source.read((ByteBuffer) arguments[0]));
        ProxyHeader header;
        try {
            header = ProxyHeader.read(stream);
        } catch (InputOutputException e) {
            return "malformed";
        }
        int end = input[0] == 'P'
                ? Inputs.latin1(input).indexOf("\r\n") + 2
                : 16 + ((input[14] & 0xff) << 8 | input[15] & 0xff);
        Inputs.same(end, source.taken(), "bytes taken");
        return header.toString();
    }
}
