package org.trueasync.internal.http.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Jackson 2. */
final class Jackson2 implements JsonLibrary {
    private final JsonMapper mapper = JsonMapper.builder().findAndAddModules().build();

    @Override
    public byte[] write(@Nullable Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw JsonLibrary.unfit("written as JSON", JsonLibrary.typeOf(value), e);
        }
    }

    @Override
    public <T> @Nullable T read(byte[] json, Class<T> type) {
        try {
            return mapper.readValue(json, type);
        } catch (InvalidDefinitionException e) {
            throw JsonLibrary.unfit("made of JSON", type, e);
        } catch (IOException e) {
            throw new IllegalArgumentException(where(e), e);
        }
    }

    /** The library's own message names classes of the program. */
    private static String where(IOException e) {
        var path = new StringBuilder();
        if (e instanceof JsonMappingException mapping)
            for (JsonMappingException.Reference step : mapping.getPath())
                if (step.getFieldName() == null)
                    path.append('[').append(step.getIndex()).append(']');
                else path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
        if (!path.isEmpty()) return "what stands at " + path + " does not fit";
        return e instanceof JsonProcessingException json && json.getLocation() != null
                ? "it is malformed at line " + json.getLocation().getLineNr() + ", column "
                        + json.getLocation().getColumnNr()
                : "it is malformed";
    }
}
