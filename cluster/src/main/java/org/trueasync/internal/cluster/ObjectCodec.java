package org.trueasync.internal.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/** Writes objects as bytes, and reads them with a filter and the program's class loader. Any thread. */
public final class ObjectCodec {
    private final AllowedClasses allowed;
    private final ClassLoader loader;

    /**
     * A codec for one program.
     *
     * @param allowed what may be read
     * @param loader finds the program's classes
     */
    public ObjectCodec(AllowedClasses allowed, ClassLoader loader) {
        this.allowed = allowed;
        this.loader = loader;
    }

    /**
     * Writes an object as bytes, after a byte for its kind.
     *
     * @param kind the first byte
     * @param object may be null
     * @throws IOException if something in it can't be serialised
     */
    public static byte[] write(int kind, @Nullable Object object) throws IOException {
        var bytes = new ByteArrayOutputStream(256);
        bytes.write(kind);
        if (!PlainValue.write(object, bytes)) {
            bytes.write(PlainValue.NONE);
            try (var out = new ObjectOutputStream(bytes)) {
                out.writeObject(object);
            }
        }
        return bytes.toByteArray();
    }

    /**
     * Reads the object behind the first byte.
     *
     * @param bytes from {@link #write}
     * @throws ForbiddenClassException if it holds a class that is not allowed
     * @throws java.io.InvalidClassException if the filter refuses it
     * @throws ClassNotFoundException if a class is missing here
     */
    public @Nullable Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        var in = new ByteArrayInputStream(bytes, 1, bytes.length - 1);
        int form = in.read();
        if (form != PlainValue.NONE) return PlainValue.read(form, in);
        try (var objects = new Input(in)) {
            objects.setObjectInputFilter(allowed.filter(bytes.length));
            return objects.readObject();
        }
    }

    /** Finds classes by the program's loader, and tells the name of one that is refused. */
    private final class Input extends ObjectInputStream {
        Input(InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            Class<?> type;
            try {
                type = Class.forName(described.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                type = super.resolveClass(described);
            }
            if (!allowed.allows(type)) throw new ForbiddenClassException(type.getName());
            return type;
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            throw new ForbiddenClassException("a proxy of " + String.join(", ", interfaces));
        }
    }

    /** A class that the program does not allow. */
    public static final class ForbiddenClassException extends IOException {
        private static final long serialVersionUID = 1;

        ForbiddenClassException(String name) {
            super(name);
        }
    }
}
