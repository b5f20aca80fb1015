package org.trueasync.examples.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The service as a program, one for all tests: its start is what costs here. The last test ends it. */
@Tag("deep")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServiceTest {
    private static RunningService service;

    @BeforeAll
    static void start() throws Exception {
        service = RunningService.asProgram(
                Service.class, "--logging.level.org.springframework.beans.factory.support.DisposableBeanAdapter=TRACE");
    }

    @AfterAll
    static void end() throws Exception {
        service.close();
    }

    @Test
    void contextOfARequest_arrivesWhereverItsWorkRuns() throws Exception {
        assertContextArrives(service);
    }

    /** There the module that carries contexts is on the program's class loader, below TrueAsync's own. */
    @Test
    void contextOfARequest_arrivesUnderTheCommandToo() throws Exception {
        try (RunningService command = RunningService.underTheCommand(Service.class)) {
            assertContextArrives(command);
        }
    }

    @Test
    void failedStart_isReportedOnce_underTheCommandToo() {
        assertThatThrownBy(() -> RunningService.underTheCommand(Service.class, "--carrier.timeout=abc")
                        .close())
                .hasMessageContaining("'abc' is not a valid duration")
                .hasMessageNotContaining("Unhandled");
    }

    private static void assertContextArrives(RunningService service) throws Exception {
        HttpRequest.Builder request =
                service.requestOf("ada", "lovelace", "/context").header("X-Tenant", "north");
        String body = service.send(request).body();
        Matcher seen = Pattern.compile("\"(\\w+)\":(\\{[^}]*})").matcher(body);
        List<String> all =
                seen.results().map(place -> place.group(2)).distinct().toList();
        assertThat(body).contains("\"request\":", "\"spawn\":", "\"blocking\":", "\"executor\":", "\"taskExecutor\":");
        assertThat(all).as(body).hasSize(1);
        assertThat(all.getFirst())
                .contains("\"user\":\"ada\"", "\"tenant\":\"north\"")
                .containsPattern("\"trace\":\"(\\w{32})\",\"span\":\"\\1\"")
                .containsPattern("\"number\":[1-9]")
                .doesNotContain("0000000000000000");
    }

    @Test
    void orderThatIsRefused_leavesNothingInTheDatabase() throws Exception {
        assertThat(orders()).isZero();
        assertThat(order("item=2&count=9").statusCode()).isEqualTo(409);
        assertThat(orders()).isZero();
        assertThat(order("item=2&count=2").body()).isEqualTo("{\"id\":2,\"name\":\"chair\",\"stock\":1}");
        assertThat(orders()).isOne();
    }

    private static HttpResponse<String> order(String parameters) throws Exception {
        return service.send(
                service.requestOf("bob", "builder", "/orders?" + parameters).POST(BodyPublishers.noBody()));
    }

    private static int orders() throws Exception {
        return Integer.parseInt(
                service.send(service.requestOf("ada", "lovelace", "/orders")).body());
    }

    @Test
    void whoMayNot_isRefused() throws Exception {
        assertThat(service.send(service.request("/orders")).statusCode()).isEqualTo(401);
        assertThat(service.send(service.requestOf("bob", "lovelace", "/orders")).statusCode())
                .isEqualTo(401);
        assertThat(service.send(service.requestOf("bob", "builder", "/orders")).statusCode())
                .isEqualTo(403);
    }

    @Test
    void linesOfOneRequest_haveItsTrace() throws Exception {
        service.send(service.request("/slow?millis=1"));
        service.awaitLog("worked for 1 ms");
        assertThat(service.log())
                .containsPattern("\\[(?!0{32})(\\w{32})].*works for 1 ms(?s:.*)\\[\\1].*worked for 1 ms");
    }

    @Test
    @Tag("D24")
    @Order(Integer.MAX_VALUE)
    void sigterm_requestUnderWayIsAnswered_thenSpringEnds() throws Exception {
        var slow = service.begin(service.request("/slow?millis=1000"));
        service.awaitLog("works for 1000 ms");
        service.sendSigterm();
        assertThat(service.awaitExit()).isEqualTo(143);
        assertThat(slow.get().statusCode()).isEqualTo(200);
        assertThat(service.log())
                .containsSubsequence(
                        "Commencing graceful shutdown",
                        "worked for 1000 ms",
                        "Graceful shutdown complete",
                        "Invoking close() on bean with name 'dataSource'")
                .doesNotContain(" ERROR ", " WARN ", "Exception");
    }
}
