package org.trueasync.examples.service;

import java.net.http.HttpClient;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.trueasync.GuardedCalls;
import org.trueasync.RecoveryStrategy;
import org.trueasync.ServiceUnavailableException;

/** How long a delivery takes, as another service says. While that one fails, the shop answers with what is usual. */
@RestController
class Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final Days USUAL = new Days(7, true);

    private final RestClient carrier;
    private final GuardedCalls guard;

    Delivery(
            @Value("${carrier.url}") String url,
            @Value("${carrier.timeout}") Duration timeout,
            @Value("${carrier.retry-after}") Duration retryAfter) {
        var http = new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build());
        // the client's own limit, so that it also closes the connection
        http.setReadTimeout(timeout);
        carrier = RestClient.builder().baseUrl(url).requestFactory(http).build();
        guard = new GuardedCalls(
                "carrier", RecoveryStrategy.consecutiveFailures(3).recoverAfter(retryAfter, 1));
        guard.onStateChange(state -> LOG.info("calls of the carrier are {}", state));
    }

    @GetMapping("/delivery/{item}")
    Days delivery(@PathVariable int item) {
        try {
            return guard.call(() -> {
                LOG.info("asks the carrier about item {}", item);
                Integer days =
                        carrier.get().uri("/days/{item}", item).retrieve().body(Integer.class);
                return days == null ? USUAL : new Days(days, false);
            });
        } catch (ServiceUnavailableException e) {
            return USUAL;
        } catch (RestClientException e) {
            LOG.info("the carrier does not answer: {}", e.getMessage());
            return USUAL;
        }
    }

    /**
     * How long it takes.
     *
     * @param estimated whether the shop says so, and not the carrier
     */
    record Days(int days, boolean estimated) {}
}
