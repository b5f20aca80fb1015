package org.trueasync.internal.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void nestedValues_areJson() throws IOException {
        var out = new StringWriter();
        var json = new JsonWriter(out);
        json.beginObject().name("a").value(1).name("b").beginArray().newLine().value("x");
        json.newLine()
                .value((String) null)
                .endArray()
                .name("c")
                .value(0.25)
                .name("d")
                .beginObject()
                .endObject();
        json.newLine().name("e").values(List.of()).newLine().endObject();
        assertThat(Json.parse(out.toString()))
                .isEqualTo(Map.of("a", 1.0, "b", Arrays.asList("x", null), "c", 0.25, "d", Map.of(), "e", List.of()));
    }

    @Test
    void strangeText_comesBackAsItWas() throws IOException {
        String strange = "\"quoted\\\" \n\t\u0000 \u00e4 \ud83d\ude00 half \ud83d";
        var out = new StringWriter();
        new JsonWriter(out).value(strange);
        assertThat(out.toString()).doesNotContain("\n", "\ud83d");
        assertThat(Json.parse(out.toString())).isEqualTo(strange);
    }
}
