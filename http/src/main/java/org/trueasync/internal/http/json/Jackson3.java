package org.trueasync.internal.http.json;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/** Jackson 3. */
final class Jackson3 implements JsonLibrary {
    private final JsonMapper mapper = JsonMapper.builder().findAndAddModules().build();

    @Override
    public byte[] write(@Nullable Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw JsonLibrary.unfit("written as JSON", JsonLibrary.typeOf(value), e);
        }
    }

    @Override
    public <T> @Nullable T read(byte[] json, Class<T> type) {
        try {
            return mapper.readValue(json, type);
        } catch (InvalidDefinitionException e) {
            throw JsonLibrary.unfit("made of JSON", type, e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(where(e), e);
        }
    }

    /** The library's own message names classes of the program. */
    private static String where(JacksonException e) {
        var path = new StringBuilder();
        List<JacksonException.Reference> references = e.getPath();
        for (JacksonException.Reference step : references)
            if (step.getPropertyName() == null)
                path.append('[').append(step.getIndex()).append(']');
            else path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
        if (!path.isEmpty()) return "what stands at " + path + " does not fit";
        return e.getLocation() == null
                ? "it is malformed"
                : "it is malformed at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }
}
