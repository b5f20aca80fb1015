package org.trueasync.http;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Task;
import org.trueasync.internal.http.json.JsonLibrary;

/** The codec for who names none, looked for once. */
final class InstalledJson {
    private static volatile @Nullable JsonCodec found;

    private InstalledJson() {}

    /**
     * Speaks to a library.
     *
     * @param library one of those that are known
     */
    private record Codec(JsonLibrary library) implements JsonCodec {
        @Override
        public byte[] write(@Nullable Object value) {
            return library.write(value);
        }

        @Override
        public <T> @Nullable T read(byte[] json, Class<T> type) {
            return library.read(json, type);
        }
    }

    static JsonCodec find() {
        JsonCodec known = found;
        if (known != null) return known;
        ClassLoader program = Thread.currentThread().getContextClassLoader();
        // classes that are loaded for the first time take a tenth of a second, and more
        JsonCodec loaded = Async.blocking((Task<JsonCodec>) () -> load(program));
        found = loaded;
        return loaded;
    }

    private static JsonCodec load(@Nullable ClassLoader program) {
        return ServiceLoader.load(JsonCodec.class, program).findFirst().orElseGet(() -> new Codec(JsonLibrary.find()));
    }
}
