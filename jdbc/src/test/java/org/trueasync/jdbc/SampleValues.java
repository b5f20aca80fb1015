package org.trueasync.jdbc;

import org.jspecify.annotations.Nullable;

/** Arguments for methods that are called by reflection. */
final class SampleValues {
    private SampleValues() {}

    /** A value of a plain type; null for any other type. */
    static @Nullable Object of(Class<?> type) {
        if (type == boolean.class) return true;
        if (type == int.class) return 1;
        if (type == long.class) return 1L;
        if (type == short.class) return (short) 1;
        if (type == byte.class) return (byte) 1;
        if (type == float.class) return 1f;
        if (type == double.class) return 1d;
        if (type == String.class || type == Object.class) return "text";
        if (type == Class.class) return String.class;
        return null;
    }
}
