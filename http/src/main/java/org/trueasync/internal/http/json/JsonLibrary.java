package org.trueasync.internal.http.json;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A library that turns values into JSON and back, with its default settings. Any thread. */
public interface JsonLibrary {
    /**
     * Returns a value as JSON.
     *
     * @throws IllegalStateException if it can't be written
     */
    byte[] write(@Nullable Object value);

    /**
     * Returns what a text stands for.
     *
     * @throws IllegalArgumentException if it is malformed, or does not fit
     * @throws IllegalStateException if there can be no such values
     */
    <T> @Nullable T read(byte[] json, Class<T> type);

    /**
     * Returns the first one that is there.
     *
     * @throws IllegalStateException if there is none
     */
    static JsonLibrary find() {
        // not Jackson3::new, which would look for the class before the call
        List<Supplier<JsonLibrary>> all = List.of(() -> new Jackson3(), () -> new Jackson2(), () -> new GsonLibrary());
        for (Supplier<JsonLibrary> each : all) {
            try {
                return each.get();
            } catch (LinkageError e) {
                // it is not there
            }
        }
        throw new IllegalStateException("there is no library for JSON: add tools.jackson.core:jackson-databind,"
                + " com.fasterxml.jackson.core:jackson-databind or com.google.code.gson:gson, or name a JsonCodec");
    }

    /** What a value that can't be written, or made, is told by; the program is at fault. */
    static IllegalStateException unfit(String what, Class<?> type, Exception cause) {
        return new IllegalStateException(
                "values of " + type.getName() + " can't be " + what + ": " + cause.getMessage(), cause);
    }

    /** The type of a value. */
    static Class<?> typeOf(@Nullable Object value) {
        return value == null ? Void.class : value.getClass();
    }
}
