package org.trueasync.internal.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trueasync.internal.http.message.Fields;

class ClientRequestTest {
    @ParameterizedTest
    @CsvSource({
        "http://a/b/../c, http://a/c",
        "http://t/a/../b, http://t/b", // the host is a part of the scheme
        "http://http/./http/.., http://http/",
        "http://a/../../b?c=/../d#/./e, http://a/b?c=/../d#/./e",
        "https://[::1]:8443/a/./b/., https://[::1]:8443/a/b/",
        "http://a/.b/..c/d., http://a/.b/..c/d.",
    })
    void dotsOfThePath_areResolved(String given, String sent) {
        assertThat(request(given)).hasToString("GET " + sent);
    }

    @Test
    void uriWithoutHost_isNamed() {
        assertThatThrownBy(() -> request("http:/a/../b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a URI must have a host, got http:/a/../b");
        assertThatThrownBy(() -> request("a/../b")).hasMessage("a URI must begin with http:// or https://, got a/../b");
    }

    private static ClientRequest request(String uri) {
        return new ClientRequest("GET", URI.create(uri), new Fields(), RequestBody.NONE, false);
    }
}
