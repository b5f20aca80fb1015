package org.trueasync.http;

import org.jspecify.annotations.Nullable;

/**
 * Turns values into JSON and back, for {@link Exchange#json}, {@link Exchange#body}, {@link HttpRequest#json} and
 * {@link HttpResponse#body}. A program that wants a mapper with settings of its own writes one, and gives it to the
 * builder of server or client, or names it as a service ({@link java.util.ServiceLoader}). Called on the loop, so it
 * must not wait. Any thread.
 */
public interface JsonCodec {
    /**
     * Returns a value as JSON, in UTF-8.
     *
     * @throws IllegalStateException if it can't be written
     */
    byte[] write(@Nullable Object value);

    /**
     * Returns the value that a JSON text stands for; null for {@code null}.
     *
     * @param json in UTF-8
     * @param type of the value
     * @throws IllegalArgumentException if the text is malformed, or does not fit the type; the client of a server sees
     *     the message
     * @throws IllegalStateException if values of that type can't be made at all
     */
    <T> @Nullable T read(byte[] json, Class<T> type);

    /**
     * Returns the first codec that is named as a service; else one with the default settings of the first of these
     * libraries that is there: Jackson 3, Jackson 2, Gson. The first call loads it on a helper thread, and waits for
     * that.
     *
     * @throws IllegalStateException if there is none
     */
    static JsonCodec installed() {
        return InstalledJson.find();
    }
}
