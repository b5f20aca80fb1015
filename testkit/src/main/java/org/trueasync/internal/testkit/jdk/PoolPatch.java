package org.trueasync.internal.testkit.jdk;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The constant pool of a class file, to be changed without a look at the code: a static method gets another class, and
 * with it each call and each method reference. Neither the code nor its stack maps change, so this needs no other
 * class.
 */
final class PoolPatch {
    private static final int FIRST = 10;
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int MAX_COUNT = 0xffff;

    private final byte[] bytes;
    private final int[] offsets;
    private final int end;

    PoolPatch(byte[] bytes) {
        this.bytes = bytes;
        offsets = new int[u2(8)];
        int at = FIRST;
        for (int i = 1; i < offsets.length; i++) {
            offsets[i] = at;
            int tag = bytes[at];
            at += size(tag, at);
            if (tag == LONG || tag == DOUBLE) i++;
        }
        end = at;
    }

    private int size(int tag, int at) {
        return switch (tag) {
            case UTF8 -> 3 + u2(at + 1);
            case CLASS, 8, 16, 19, 20 -> 3;
            case 15 -> 4;
            case 3, 4, FIELD, METHOD, INTERFACE_METHOD, 12, 17, 18 -> 5;
            case LONG, DOUBLE -> 9;
            default -> throw new IllegalArgumentException("a constant of unknown kind " + tag);
        };
    }

    private int u2(int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }

    private String text(int index) {
        int at = offsets[index];
        return new String(bytes, at + 3, u2(at + 1), StandardCharsets.UTF_8);
    }

    private String owner(int method) {
        return text(u2(offsets[u2(offsets[method] + 1)] + 1));
    }

    /** The length of a member's name, 63 if it is longer. */
    private int nameLength(int member) {
        int name = u2(offsets[u2(offsets[member] + 3)] + 1);
        return Math.min(63, u2(offsets[name] + 1));
    }

    /** The name of a member, with its descriptor. */
    private String signature(int method) {
        int nameAndType = offsets[u2(offsets[method] + 3)];
        return text(u2(nameAndType + 1)) + text(u2(nameAndType + 3));
    }

    /**
     * True if the class uses a member.
     *
     * @param member the begin of its name and descriptor
     */
    boolean uses(String owner, String member) {
        for (int i = 1; i < offsets.length; i++) {
            if (offsets[i] == 0) continue;
            int tag = bytes[offsets[i]];
            if ((tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD)
                    && owner(i).equals(owner)
                    && signature(i).startsWith(member)) return true;
        }
        return false;
    }

    /**
     * Gives methods another class.
     *
     * @param owners the class that a method is taken from, by name and descriptor
     * @param owner the class that has these methods too
     * @return null if the class file names none of them
     */
    byte @Nullable [] move(Map<String, String> owners, String owner) {
        long lengths = 0;
        for (String signature : owners.keySet()) lengths |= 1L << signature.indexOf('(');
        List<Integer> found = new ArrayList<>(0);
        for (int i = 1; i < offsets.length; i++) {
            if (offsets[i] == 0 || bytes[offsets[i]] != METHOD || (lengths >>> nameLength(i) & 1) == 0) continue;
            String from = owners.get(signature(i));
            if (from != null && from.equals(owner(i))) found.add(i);
        }
        int count = offsets.length;
        if (found.isEmpty() || count + 2 > MAX_COUNT) return null;
        var out = new ByteArrayOutputStream(bytes.length + 64);
        try (var data = new DataOutputStream(out)) {
            data.write(bytes, 0, end);
            data.writeByte(UTF8);
            data.writeUTF(owner);
            data.writeByte(CLASS);
            data.writeShort(count);
            data.write(bytes, end, bytes.length - end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] patched = out.toByteArray();
        put(patched, 8, count + 2);
        for (int method : found) put(patched, offsets[method] + 1, count + 1);
        return patched;
    }

    private static void put(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >> 8);
        bytes[at + 1] = (byte) value;
    }

    /** Changes every text of the pool: names, descriptors, and strings. */
    byte[] rename(UnaryOperator<String> change) {
        var out = new ByteArrayOutputStream(bytes.length + 64);
        try (var data = new DataOutputStream(out)) {
            data.write(bytes, 0, FIRST);
            for (int i = 1; i < offsets.length; i++) {
                int at = offsets[i];
                if (at == 0) continue;
                data.writeByte(bytes[at]);
                if (bytes[at] == UTF8) data.writeUTF(change.apply(text(i)));
                else data.write(bytes, at + 1, size(bytes[at], at) - 1);
            }
            data.write(bytes, end, bytes.length - end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
