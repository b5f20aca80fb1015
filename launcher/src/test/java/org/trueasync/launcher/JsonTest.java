package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void values_areRead() {
        assertThat(Json.parse(" {\"a\" : [1, -2.5e3, true, false, null, \"\"], \"b\":{}}\r\n"))
                .isEqualTo(Map.of("a", Arrays.asList(1L, -2500.0, true, false, null, ""), "b", Map.of()));
        assertThat(Json.parse("[[],[[0]]]")).isEqualTo(List.of(List.of(), List.of(List.of(0L))));
        assertThat(Json.parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uD83D\\ude00\u00fc\""))
                .isEqualTo("\"\\/\b\f\n\r\tä😀ü");
        assertThat(Json.parse("9223372036854775808")).isEqualTo(9.223372036854775808e18);
        assertThat(Json.parse("{\"a\":1,\"a\":2}")).isEqualTo(Map.of("a", 2L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1",
                "[1,",
                "[1,]",
                "{,}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "\"",
                "\"\\",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\\u\u0661\u0661\u0661\u0661\"",
                "\"\n\"",
                "01",
                "1.",
                ".5",
                "+1",
                "-",
                "1e",
                "--1",
                "1 2",
                "nul",
                "truex",
                "[1}",
                "{\"a\":1]",
                "NaN",
                "'a'",
                "\u0000"
            })
    void malformedText_isRefusedWithItsPlace(String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("malformed JSON at character \\d+");
    }

    @Test
    void deepText_doesNotExhaustTheStack() {
        assertThat(Json.parse("[".repeat(100) + "]".repeat(100))).isNotNull();
        assertThatThrownBy(() -> Json.parse("[".repeat(1_000_000))).hasMessage("malformed JSON at character 100");
    }
}
