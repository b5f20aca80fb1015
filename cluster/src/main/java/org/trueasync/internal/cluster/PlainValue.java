package org.trueasync.internal.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Null, {@code Integer}, {@code Long}, {@code Double}, {@code Boolean} and short texts as bytes: without the
 * descriptions of classes that Java's serialisation writes, reads and checks for each of them.
 */
final class PlainValue {
    /** Marks any other object, which follows in Java's form. */
    static final int NONE = 0;

    private static final int NULL = 1;
    private static final int INT = 2;
    private static final int LONG = 3;
    private static final int DOUBLE = 4;
    private static final int FALSE = 5;
    private static final int TRUE = 6;
    private static final int TEXT = 7;
    /** The limit for a text: {@code writeUTF} takes 65,535 bytes, and a character up to three. */
    private static final int MAX_CHARS = 20_000;

    private PlainValue() {}

    /** Writes a plain value; false, and nothing is written, if the object is none. */
    static boolean write(@Nullable Object object, ByteArrayOutputStream bytes) throws IOException {
        var out = new DataOutputStream(bytes);
        switch (object) {
            case null -> out.write(NULL);
            case Integer value -> {
                out.write(INT);
                out.writeInt(value);
            }
            case Long value -> {
                out.write(LONG);
                out.writeLong(value);
            }
            case Double value -> {
                out.write(DOUBLE);
                out.writeDouble(value);
            }
            case Boolean value -> out.write(value ? TRUE : FALSE);
            case String text
            when text.length() <= MAX_CHARS -> {
                out.write(TEXT);
                out.writeUTF(text);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads a value.
     *
     * @param form the first byte that {@link #write} has written
     * @param bytes the others
     * @throws IOException if they are too few, or the form is unknown
     */
    static @Nullable Object read(int form, ByteArrayInputStream bytes) throws IOException {
        var in = new DataInputStream(bytes);
        return switch (form) {
            case NULL -> null;
            case INT -> in.readInt();
            case LONG -> in.readLong();
            case DOUBLE -> in.readDouble();
            case FALSE -> false;
            case TRUE -> true;
            case TEXT -> in.readUTF();
            default ->
                throw new StreamCorruptedException(
                        "a value of form " + form + "; do all members run the same version of TrueAsync?");
        };
    }
}
