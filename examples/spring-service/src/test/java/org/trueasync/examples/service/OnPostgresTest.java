package org.trueasync.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The service on a real database, whose driver waits on a socket. */
@Tag("deep")
class OnPostgresTest {
    private static final int ORDERS = 60;

    @Test
    void ordersAtTheSameTime_areEachWrittenOnce() throws Exception {
        try (EmbeddedPostgres database = EmbeddedPostgres.builder().start();
                RunningService service = RunningService.asProgram(
                        Service.class,
                        "--spring.datasource.url=" + database.getJdbcUrl("postgres", "postgres"),
                        "--spring.datasource.username=postgres")) {
            List<CompletableFuture<HttpResponse<String>>> orders = new ArrayList<>();
            for (int i = 0; i < ORDERS; i++)
                orders.add(service.begin(service.requestOf("bob", "builder", "/orders?item=1&count=2")
                        .POST(BodyPublishers.noBody())));
            List<Integer> statuses =
                    orders.stream().map(order -> order.join().statusCode()).toList();
            // there are a hundred lamps
            assertThat(statuses).containsOnly(201, 409);
            assertThat(statuses.stream().filter(status -> status == 201)).hasSize(50);
            assertThat(service.send(service.request("/items/1")).body()).contains("\"stock\":0");
            assertThat(service.send(service.requestOf("ada", "lovelace", "/orders"))
                            .body())
                    .isEqualTo("50");
        }
    }
}
