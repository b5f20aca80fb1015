package org.trueasync.internal.http.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.io.ByteStream;

/**
 * The header of the PROXY protocol, version 1 or 2: a proxy sends it before everything else, and tells whose connection
 * it passes on. Not a byte behind it is read, as TLS may begin there.
 *
 * @param source the client; null if the proxy speaks for itself, or does not tell
 * @param target the address that the client has connected to; null as above
 * @param secure the client speaks TLS with the proxy
 */
record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress target, boolean secure) {
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final byte[] WORD = {'P', 'R', 'O', 'X', 'Y', ' '};
    private static final int LONGEST_LINE = 107;
    /** The specification leaves it open; addresses and what proxies add have some hundred bytes. */
    private static final int LONGEST = 4 * 1024;

    private static final int TLV_CRC32C = 3;
    private static final int TLV_SSL = 0x20;
    private static final int CLIENT_SSL = 1;
    private static final ProxyHeader NOT_TOLD = new ProxyHeader(null, null, false);

    /**
     * Reads it; waits for the peer.
     *
     * @throws InputOutputException if there is none, or the peer leaves
     */
    static ProxyHeader read(ByteStream stream) {
        ByteBuffer first =
                exactly(stream, ByteBuffer.allocate(SIGNATURE.length + 4).limit(SIGNATURE.length));
        if (Arrays.equals(first.array(), 0, WORD.length, WORD, 0, WORD.length)) return line(stream, first);
        if (!Arrays.equals(first.array(), 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length))
            throw malformed("it does not begin with one");
        exactly(stream, first.limit(first.capacity()));
        int length = first.getShort(SIGNATURE.length + 2) & 0xffff;
        if (length > LONGEST) throw malformed("it has " + length + " bytes");
        ByteBuffer all = ByteBuffer.allocate(first.capacity() + length).put(first.flip());
        return binary(exactly(stream, all).flip());
    }

    private static ByteBuffer exactly(ByteStream stream, ByteBuffer into) {
        while (into.hasRemaining()) if (stream.read(into) < 0) throw malformed("the peer has left");
        return into;
    }

    private static InputOutputException malformed(String why) {
        return new InputOutputException("no good header of the PROXY protocol: " + why, "EPROTO");
    }

    // ---- version 1

    private static ProxyHeader line(ByteStream stream, ByteBuffer first) {
        ByteBuffer line = ByteBuffer.allocate(LONGEST_LINE).put(first.flip());
        while (line.get(line.position() - 1) != '\n') {
            // its last bytes are CR and LF, so two more are part of it
            int more = line.get(line.position() - 1) == '\r' ? 1 : 2;
            if (line.position() + more > LONGEST_LINE) throw malformed("its line has no end");
            exactly(stream, line.limit(line.position() + more));
        }
        String[] words = new String(line.array(), 0, line.position(), StandardCharsets.US_ASCII).split(" ", -1);
        if (!words[words.length - 1].endsWith("\r\n")) throw malformed("its line does not end with CR LF");
        String last = words[words.length - 1];
        words[words.length - 1] = last.substring(0, last.length() - 2);
        if (words[1].equals("UNKNOWN")) return NOT_TOLD;
        if (words.length != 6 || !(words[1].equals("TCP4") || words[1].equals("TCP6")))
            throw malformed("its line has another form");
        int size = words[1].equals("TCP4") ? 4 : 16;
        return new ProxyHeader(address(words[2], words[4], size), address(words[3], words[5], size), false);
    }

    private static InetSocketAddress address(String host, String port, int size) {
        try {
            InetAddress address = InetAddress.ofLiteral(host);
            boolean isMapped = size == 16 && host.indexOf(':') >= 0;
            if (address.getAddress().length != size && !isMapped) throw malformed("an address has another family");
            return new InetSocketAddress(address, Integer.parseInt(port));
        } catch (IllegalArgumentException e) {
            throw malformed("an address has another form");
        }
    }

    // ---- version 2

    private static ProxyHeader binary(ByteBuffer all) {
        int command = all.get(SIGNATURE.length);
        int family = all.get(SIGNATURE.length + 1) >> 4 & 0xf;
        all.position(SIGNATURE.length + 4);
        if (command >> 4 != 2 || (command & 0xf) > 1) throw malformed("its version or command is not known");
        int size = family == 1 ? 4 : family == 2 ? 16 : 0;
        InetSocketAddress source = null;
        InetSocketAddress target = null;
        int rest = all.position() + (family == 3 ? 216 : size == 0 ? 0 : 2 * size + 4);
        if (rest > all.limit()) throw malformed("its addresses are cut");
        if (size > 0) {
            InetAddress from = address(all, size);
            InetAddress to = address(all, size);
            source = new InetSocketAddress(from, all.getShort() & 0xffff);
            target = new InetSocketAddress(to, all.getShort() & 0xffff);
        }
        boolean secure = family != 0 && isSecure(all.position(rest));
        return (command & 0xf) == 0 ? NOT_TOLD : new ProxyHeader(source, target, secure);
    }

    private static InetAddress address(ByteBuffer all, int size) {
        var bytes = new byte[size];
        all.get(bytes);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Looks at what a proxy adds; checks the sum if there is one. */
    private static boolean isSecure(ByteBuffer all) {
        boolean secure = false;
        while (all.remaining() >= 3) {
            int type = all.get() & 0xff;
            int length = all.getShort() & 0xffff;
            int value = all.position();
            if (length > all.remaining()) throw malformed("what is added is cut");
            if (type == TLV_SSL && length > 0) secure = (all.get(value) & CLIENT_SSL) != 0;
            if (type == TLV_CRC32C && length == 4) {
                int sum = all.getInt(value);
                all.putInt(value, 0);
                var crc = new CRC32C();
                crc.update(all.duplicate().rewind());
                if ((int) crc.getValue() != sum) throw malformed("its checksum is another");
                all.putInt(value, sum);
            }
            all.position(value + length);
        }
        return secure;
    }
}
