package org.trueasync.stress.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** What fuzz targets are fed with, whole and in parts. */
public final class Inputs {
    private final byte[] all;
    private final int part;
    private int at;

    /**
     * Hands out bytes as a socket would.
     *
     * @param all is not changed
     * @param part how many at a time
     */
    public Inputs(byte[] all, int part) {
        this.all = all;
        this.part = part;
    }

    /** The next part, in an array of its own; null at the end. */
    public ByteBuffer next() {
        if (at == all.length) return null;
        int from = at;
        at = Math.min(all.length, from + part);
        return ByteBuffer.wrap(Arrays.copyOfRange(all, from, at));
    }

    /** Reads as a stream does: at least one byte, or -1 at the end. */
    public int read(ByteBuffer into) {
        if (at == all.length) return -1;
        int count = Math.min(Math.min(part, into.remaining()), all.length - at);
        into.put(all, at, count);
        at += count;
        return count;
    }

    /** How many bytes were handed out. */
    public int taken() {
        return at;
    }

    /** Each byte as a character. */
    public static String latin1(byte[] input) {
        return new String(input, StandardCharsets.ISO_8859_1);
    }

    /** Each character as a byte. */
    public static List<byte[]> seeds(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    /** Hexadecimal digits, in groups as one likes. */
    public static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    /** One after another. */
    public static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) all.writeBytes(part);
        return all.toByteArray();
    }

    /** The input without its first byte, which says in which way it is read. */
    public static byte[] rest(byte[] input) {
        return Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
    }

    /** Fails unless both are the same. */
    public static void same(Object expected, Object got, String what) {
        if (!expected.equals(got)) throw new AssertionError(what + "\n--- one:\n" + expected + "\n--- other:\n" + got);
    }
}
