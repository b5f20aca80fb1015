package org.trueasync.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.examples.service.Clients.Outcome;

/** SIGTERM while many clients are served, some order and some wait for another service, in each way to run this one. */
@Tag("deep")
@Tag("D24")
class ShutdownUnderLoadTest {
    private static final int KEPT = 16;
    private static final int NEW = 16;
    private static final int BUYERS = 4;
    private static final int ASKING = 8;
    private static final Duration DRAIN = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private interface Start {
        RunningService with(String... arguments) throws Exception;
    }

    private enum Way {
        PROGRAM(arguments -> RunningService.asProgram(Service.class, arguments)),
        PROGRAM_ON_NIO(arguments -> RunningService.asProgramOnNio(Service.class, arguments)),
        COMMAND(arguments -> RunningService.underTheCommand(Service.class, arguments)),
        PROGRAM_WITH_SPRINGS_HOOK(arguments -> RunningService.asProgram(WithSpringsHook.class, arguments)),
        COMMAND_WITH_SPRINGS_HOOK(
                arguments -> RunningService.underTheCommand(WithSpringsHook.Coroutine.class, arguments)),
        /** What Boot does by itself, to compare. */
        VIRTUAL_THREADS(arguments -> RunningService.asProgram(OnVirtualThreads.class, arguments));

        private final Start start;

        Way(Start start) {
            this.start = start;
        }
    }

    @ParameterizedTest
    @EnumSource
    void sigterm_whatHasBegunIsAnswered(Way way) throws Exception {
        String database = "jdbc:h2:file:" + folder.resolve("shop") + ";DB_CLOSE_ON_EXIT=FALSE";
        try (var carrier = new Carrier(0, Duration.ofSeconds(3));
                RunningService service = way.start.with(
                        "--spring.datasource.url=" + database,
                        "--carrier.url=http://localhost:" + carrier.port(),
                        "--carrier.timeout=8s",
                        "--server.tomcat.basedir=" + folder,
                        "--server.tomcat.accesslog.enabled=true",
                        "--server.tomcat.accesslog.pattern=%s %U")) {
            var clients = new Clients(service.port(), "/items/1");
            clients.begin(KEPT, true);
            clients.begin(NEW, false);
            clients.awaitAnswers(1_000);
            var acknowledged = new AtomicInteger();
            for (int i = 0; i < BUYERS; i++) buy(service, acknowledged);
            while (acknowledged.get() < BUYERS) Thread.sleep(5);
            var slow = service.begin(service.request("/slow?millis=3000"));
            service.awaitLog("works for 3000 ms");
            List<CompletableFuture<HttpResponse<String>>> deliveries = new ArrayList<>();
            // its breaker belongs to the loop, and is not for many threads
            int asking = way == Way.VIRTUAL_THREADS ? 0 : ASKING;
            for (int i = 0; i < asking; i++) deliveries.add(service.begin(service.request("/delivery/1")));
            while (carrier.asked() < asking) Thread.sleep(5);
            long begin = System.nanoTime();
            service.sendSigterm();
            int status = service.awaitExit();
            Duration taken = Duration.ofNanos(System.nanoTime() - begin);
            clients.close();
            System.out.println(way + ": " + clients + ", ended after " + taken.toMillis() + " ms");
            assertThat(status).isEqualTo(143);
            assertThat(slow.get().statusCode()).isEqualTo(200);
            for (var delivery : deliveries)
                assertThat(delivery.get().body()).isEqualTo("{\"days\":3,\"estimated\":false}");
            assertThat(ordersIn(database)).as("orders that were acknowledged").isEqualTo(acknowledged.get());
            assertThat(clients.count(Outcome.FAILED)).as(clients::toString).isZero();
            assertThat(taken).isLessThan(DRAIN);
            assertThat(service.log()).doesNotContain(" ERROR ", " WARN ");
            List<String> served = accessLog();
            assertThat(served).allMatch(line -> line.matches("(200|201|400|503) .*"));
            assertThat(served.stream().filter("200 /items/1"::equals).count())
                    .as("answers that were sent, and those that came")
                    .isEqualTo(clients.count(Outcome.ANSWERED));
        }
    }

    /** Orders, one after the other, until the service lets nobody in any more. */
    private static void buy(RunningService service, AtomicInteger acknowledged) {
        service.begin(service.requestOf("bob", "builder", "/orders?item=1&count=0")
                        .POST(BodyPublishers.noBody()))
                .thenAccept(answer -> {
                    if (answer.statusCode() != 201) return;
                    acknowledged.incrementAndGet();
                    buy(service, acknowledged);
                });
    }

    private static int ordersIn(String database) throws Exception {
        try (var connection = DriverManager.getConnection(database);
                var statement = connection.createStatement();
                var orders = statement.executeQuery("select count(*) from orders")) {
            orders.next();
            return orders.getInt(1);
        }
    }

    private List<String> accessLog() throws Exception {
        try (Stream<Path> logs = Files.list(folder.resolve("logs"))) {
            return Files.readAllLines(logs.findFirst().orElseThrow());
        }
    }
}
