package org.trueasync.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://h/d?user=u&password=secret&ssl=true | jdbc:postgresql://h/d?user=u&password=***&ssl=true",
                "jdbc:postgresql://u:secret@h:1/d | jdbc:postgresql://u:***@h:1/d",
                "jdbc:h2:mem:x;USER=u;PASSWORD=secret;MODE=y | jdbc:h2:mem:x;USER=u;PASSWORD=***;MODE=y",
                "jdbc:sqlserver://h;user=u;password=secret | jdbc:sqlserver://h;user=u;password=***",
                "jdbc:oracle:thin:scott/secret@//h:1521/s | jdbc:oracle:thin:scott/***@//h:1521/s",
                "jdbc:mysql://h/d?sslKey=secret&x=1 | jdbc:mysql://h/d?sslKey=***&x=1",
                "jdbc:postgresql://h:5432/d | jdbc:postgresql://h:5432/d",
            })
    void secretsAreNotShown(String url, String shown) {
        assertThat(Urls.masked(url)).isEqualTo(shown);
    }

    @ParameterizedTest
    @Tag("P30")
    @ValueSource(
            strings = {
                "jdbc:h2:mem:",
                "JDBC:H2:MEM:;DB_CLOSE_DELAY=-1",
                "jdbc:sqlite::memory:",
                "jdbc:sqlite:",
                "jdbc:sqlite:file::memory:",
                "jdbc:duckdb:"
            })
    void privateMemory(String url) {
        assertThat(Urls.isPrivateMemory(url)).isTrue();
    }

    @ParameterizedTest
    @Tag("P30")
    @ValueSource(
            strings = {
                "jdbc:h2:mem:demo;DB_CLOSE_DELAY=-1",
                "jdbc:h2:./file",
                "jdbc:sqlite:file.db",
                "jdbc:sqlite:file::memory:?cache=shared",
                "jdbc:duckdb:file.db",
                "jdbc:postgresql://h/mem"
            })
    void databasesThatAllConnectionsSee(String url) {
        assertThat(Urls.isPrivateMemory(url)).isFalse();
    }
}
