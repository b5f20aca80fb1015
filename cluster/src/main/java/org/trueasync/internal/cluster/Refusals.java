package org.trueasync.internal.cluster;

import java.io.InvalidClassException;
import java.io.NotSerializableException;

/** Tells users why bytes can't be read as objects, or objects can't be written. */
final class Refusals {
    private Refusals() {}

    static String reason(Throwable thrown) {
        if (thrown instanceof ObjectCodec.ForbiddenClassException)
            return thrown.getMessage() + " is not among the classes that it allows; see ClusterConfig.Builder.allow";
        if (thrown instanceof ClassNotFoundException || thrown instanceof NoClassDefFoundError)
            return "it lacks the class " + thrown.getMessage();
        if (thrown instanceof NotSerializableException)
            return "a " + thrown.getMessage() + " in it is not Serializable";
        if (thrown instanceof InvalidClassException)
            return "its classes differ, or it is too deep: " + thrown.getMessage();
        Throwable cause = thrown.getCause();
        if (cause instanceof java.lang.reflect.InvocationTargetException && cause.getCause() != null)
            cause = cause.getCause();
        return thrown + (cause == null ? "" : ", as " + cause);
    }
}
