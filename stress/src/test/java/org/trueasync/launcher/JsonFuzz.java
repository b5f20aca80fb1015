package org.trueasync.launcher;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.trueasync.internal.inspect.JsonWriter;
import org.trueasync.stress.fuzz.Inputs;

/** JSON: what was read is the same when it is written and read again. */
public final class JsonFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "{\"a\":[1,-2.5e3,true,false,null],\"b\":{\"c\":\"\\u00e4\\n\\\\\"}}",
            "[[[]],{},\"\u00f0\u009f\u0098\u0080\",9223372036854775808,-0]");

    private JsonFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        Object value;
        try {
            value = Json.parse(new String(input, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            return;
        }
        String text = written(value);
        Inputs.same(text, written(Json.parse(text)), "written again");
    }

    private static String written(Object value) throws IOException {
        var text = new StringWriter();
        write(value, new JsonWriter(text));
        return text.toString();
    }

    private static void write(Object value, JsonWriter json) throws IOException {
        switch (value) {
            case Map<?, ?> object -> {
                json.beginObject();
                for (var member : object.entrySet()) {
                    json.name((String) member.getKey());
                    write(member.getValue(), json);
                }
                json.endObject();
            }
            case List<?> array -> {
                json.beginArray();
                for (Object element : array) write(element, json);
                json.endArray();
            }
            case String text -> json.value(text);
            case Long number -> json.value(number);
            case Boolean truth -> json.value(truth);
            case null -> json.value((String) null);
            default -> json.value(0L); // one that is not whole has no exact form
        }
    }
}
