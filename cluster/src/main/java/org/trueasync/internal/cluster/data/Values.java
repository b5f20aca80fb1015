package org.trueasync.internal.cluster.data;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import org.jspecify.annotations.Nullable;
import org.trueasync.cluster.ClusterException;
import org.trueasync.internal.cluster.ObjectCodec;

/**
 * Writes and reads the program's values, by Java serialisation with a filter. The engine's own serialisation is not
 * used: it asks other members about classes that are new to it, and holds the loop meanwhile.
 */
public final class Values {
    private static final int VALUE = 0;

    private final ObjectCodec codec;

    /**
     * A codec.
     *
     * @param codec knows which classes may come
     */
    public Values(ObjectCodec codec) {
        this.codec = codec;
    }

    /**
     * Returns the value as bytes.
     *
     * @param where for messages
     * @throws ClusterException if it can't be serialised
     */
    byte[] encode(@Nullable Object value, String where) {
        try {
            return ObjectCodec.write(VALUE, value);
        } catch (NotSerializableException e) {
            String part = e.getMessage();
            String whole = value == null ? "null" : value.getClass().getName();
            throw new ClusterException(
                    "nothing was sent to " + where + ": a " + whole + " can't be serialised"
                            + (whole.equals(part) ? "" : ", as it holds a " + part)
                            + "; let that implement java.io.Serializable",
                    e);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw new ClusterException("nothing was sent to " + where + ": it can't be serialised: " + e, e);
        }
    }

    /**
     * Returns the value of bytes.
     *
     * @param where for messages
     * @throws ClusterException if its class is not allowed here, or unknown
     */
    @Nullable
    Object decode(byte[] bytes, String where) {
        String dropped = "a value from " + where + " can't be read here, and is dropped: ";
        try {
            return codec.read(bytes);
        } catch (ObjectCodec.ForbiddenClassException e) {
            throw new ClusterException(
                    dropped + "class " + e.getMessage()
                            + " is not allowed; ClusterConfig.Builder.allow names classes that may come",
                    e);
        } catch (InvalidClassException e) {
            throw new ClusterException(dropped + e.getMessage(), e);
        } catch (ClassNotFoundException e) {
            throw new ClusterException(dropped + "this member lacks the class " + e.getMessage(), e);
        } catch (IOException | RuntimeException | LinkageError e) {
            throw new ClusterException(dropped + e, e);
        }
    }
}
