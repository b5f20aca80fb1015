package org.trueasync.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The service while another one, which it asks, is down, hangs, and is back. */
@Tag("deep")
class BrokenCarrierTest {
    private static final String TOLD = "{\"days\":3,\"estimated\":false}";
    private static final String USUAL = "{\"days\":7,\"estimated\":true}";
    private static final Duration FOREVER = Duration.ofHours(1);

    private static RunningService shopOf(int port, String timeout, String retryAfter) throws Exception {
        return RunningService.asProgram(
                Service.class,
                "--carrier.url=http://localhost:" + port,
                "--carrier.timeout=" + timeout,
                "--carrier.retry-after=" + retryAfter);
    }

    private static String ask(RunningService shop) throws Exception {
        HttpResponse<String> answer = shop.send(shop.request("/delivery/1"));
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void carrierThatIsDown_isLeftAlone_andAskedAgainWhenItIsBack() throws Exception {
        var carrier = new Carrier(0, Duration.ZERO);
        int port = carrier.port();
        try (RunningService shop = shopOf(port, "30s", "1s")) {
            assertThat(ask(shop)).isEqualTo(TOLD);
            carrier.close();
            for (int i = 0; i < 3; i++) assertThat(ask(shop)).isEqualTo(USUAL);
            shop.awaitLog("calls of the carrier are INACTIVE");
            carrier = new Carrier(port, Duration.ZERO);
            while (!ask(shop).equals(TOLD)) Thread.sleep(20);
            shop.awaitLog("calls of the carrier are ACTIVE");
            assertThat(ask(shop)).isEqualTo(TOLD);
        } finally {
            carrier.close();
        }
    }

    @Test
    void carrierThatHangs_isLeftAlone_andHoldsNoOtherRequest() throws Exception {
        try (var carrier = new Carrier(0, FOREVER);
                RunningService shop = shopOf(carrier.port(), "2s", "1h")) {
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) waiting.add(shop.begin(shop.request("/delivery/1")));
            while (carrier.asked() < 3) Thread.sleep(5);
            assertThat(shop.send(shop.request("/items/1")).statusCode()).isEqualTo(200);
            for (var answer : waiting) assertThat(answer.get().body()).isEqualTo(USUAL);
            shop.awaitLog("calls of the carrier are INACTIVE");
            for (int i = 0; i < 10; i++) assertThat(ask(shop)).isEqualTo(USUAL);
            assertThat(carrier.asked()).as("none of the ten").isEqualTo(3);
        }
    }

    @Test
    void trialThatHangs_leavesItAloneAgain() throws Exception {
        try (var carrier = new Carrier(0, FOREVER);
                RunningService shop = shopOf(carrier.port(), "200ms", "300ms")) {
            while (carrier.asked() < 5) assertThat(ask(shop)).isEqualTo(USUAL);
            shop.awaitLog("calls of the carrier are RECOVERING");
            carrier.setDelay(Duration.ZERO);
            while (!ask(shop).equals(TOLD)) Thread.sleep(20);
        }
    }
}
