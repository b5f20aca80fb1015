package org.trueasync.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsSettingsTest {
    private static TlsSettings of(String name) {
        return TlsSettings.of(true, null).withServerName(name);
    }

    @Test
    void nameEndsWithADot_isUsedWithoutIt() {
        TlsSettings settings = of("example.org.");
        assertThat(settings.serverName()).isEqualTo("example.org");
        assertThat(settings.parameters().getServerNames())
                .isEqualTo(List.<SNIServerName>of(new SNIHostName("example.org")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_service", "a..b", ".", "-a", "127.0.0.1", "127.0.0.1.", "::1"})
    void nameThatSniCantCarry_isCheckedButNotSent(String name) {
        TlsSettings settings = of(name);
        assertThat(settings.parameters().getServerNames()).isNullOrEmpty();
        assertThat(settings.parameters().getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS");
        assertThat(name).startsWith(String.valueOf(settings.serverName()));
    }
}
