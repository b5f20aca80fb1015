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
                "jdbc:postgresql://h/d?password=se;c,r)et | jdbc:postgresql://h/d?password=***",
                "jdbc:postgresql://h/d?password=se;c,r)et&ssl=true | jdbc:postgresql://h/d?password=***&ssl=true",
                "jdbc:postgresql://h/d?sslpassword=secret&user=a@b.c | jdbc:postgresql://h/d?sslpassword=***&user=a@b.c",
                "jdbc:mysql://u:se@cr/et@h:1/d?x=1 | jdbc:mysql://u:***@h:1/d?x=1",
                "jdbc:mysql://u:secret@h1,u2:secret@h2/d | jdbc:mysql://u:***@h2/d",
                "jdbc:mysql://address=(host=h)(user=u)(password=secret)(x=1)/d | jdbc:mysql://address=(host=h)(user=u)(password=***)(x=1)/d",
                "jdbc:mysql://(host=h,password=secret,port=1)/d | jdbc:mysql://(host=h,password=***,port=1)/d",
                "jdbc:sqlserver://h;password={se;cr}et};encrypt=true | jdbc:sqlserver://h;password=***;encrypt=true",
                "jdbc:sqlserver://h; Password = secret ;encrypt=true | jdbc:sqlserver://h; Password =***;encrypt=true",
                "jdbc:oracle:oci8:scott/\"se@cret\"@h | jdbc:oracle:oci8:scott/***@h",
                "JDBC:ORACLE:thin:scott/secret@h | JDBC:ORACLE:thin:scott/***@h",
                "jdbc:redshift:iam://h/d?AccessKeyID=i&SecretAccessKey=secret | jdbc:redshift:iam://h/d?AccessKeyID=i&SecretAccessKey=***",
                "jdbc:x://h/d?passphrase=secret&passcode=secret | jdbc:x://h/d?passphrase=***&passcode=***",
                "jdbc:x://h/d?client_secret=secret&access_token=secret | jdbc:x://h/d?client_secret=***&access_token=***",
                "jdbc:x://h/d?api_key=secret | jdbc:x://h/d?api_key=***",
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
                "jdbc:duckdb:",
                "jdbc:duckdb::memory:",
                "jdbc:sqlite:file:x?mode=memory",
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
                "jdbc:duckdb::memory:named",
                "jdbc:sqlite:file:x?mode=memory&cache=shared",
                "jdbc:postgresql://h/mem"
            })
    void databasesThatAllConnectionsSee(String url) {
        assertThat(Urls.isPrivateMemory(url)).isFalse();
    }
}
