package org.trueasync.internal.http.json;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import com.google.gson.JsonSyntaxException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Gson. */
final class GsonLibrary implements JsonLibrary {
    private final Gson gson = new Gson();

    @Override
    public byte[] write(@Nullable Object value) {
        try {
            return gson.toJson(value).getBytes(StandardCharsets.UTF_8);
        } catch (RuntimeException e) {
            throw JsonLibrary.unfit("written as JSON", JsonLibrary.typeOf(value), e);
        }
    }

    @Override
    public <T> @Nullable T read(byte[] json, Class<T> type) {
        try {
            return gson.fromJson(new String(json, StandardCharsets.UTF_8), type);
        } catch (JsonSyntaxException e) {
            String message = String.valueOf(e.getMessage());
            int line = message.indexOf(" at line ");
            int end = message.indexOf('\n');
            String where = line < 0 ? "" : message.substring(line, end < line ? message.length() : end);
            throw new IllegalArgumentException("it is malformed, or does not fit," + where, e);
        } catch (JsonParseException | UnsupportedOperationException e) {
            throw JsonLibrary.unfit("made of JSON", type, e);
        }
    }
}
