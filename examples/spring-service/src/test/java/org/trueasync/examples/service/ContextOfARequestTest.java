package org.trueasync.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.client.RestClient;

/** A test as Spring has them: its requests are coroutines as those of the service are. */
@Tag("deep")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ContextOfARequestTest {
    @Test
    void user_isKnownInEachPlace(@LocalServerPort int port) {
        String body = RestClient.create("http://localhost:" + port)
                .get()
                .uri("/context")
                .headers(headers -> headers.setBasicAuth("ada", "lovelace"))
                .retrieve()
                .body(String.class);
        assertThat(body.split("\"user\":\"ada\"", -1)).as(body).hasSize(6);
    }
}
