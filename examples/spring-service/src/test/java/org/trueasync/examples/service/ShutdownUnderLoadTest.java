package org.trueasync.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.examples.service.Clients.Outcome;

/** SIGTERM while many clients are served and one waits for something slow, with each way to run the service. */
@Tag("deep")
@Tag("D24")
class ShutdownUnderLoadTest {
    private static final int KEPT = 16;
    private static final int NEW = 16;
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
        try (RunningService service = way.start.with(
                "--server.tomcat.basedir=" + folder,
                "--server.tomcat.accesslog.enabled=true",
                "--server.tomcat.accesslog.pattern=%s %U")) {
            var clients = new Clients(service.port(), "/items/1");
            clients.begin(KEPT, true);
            clients.begin(NEW, false);
            clients.awaitAnswers(1_000);
            var slow = service.begin(service.request("/slow?millis=3000"));
            service.awaitLog("works for 3000 ms");
            long begin = System.nanoTime();
            service.sendSigterm();
            int status = service.awaitExit();
            Duration taken = Duration.ofNanos(System.nanoTime() - begin);
            clients.close();
            System.out.println(way + ": " + clients + ", ended after " + taken.toMillis() + " ms");
            assertThat(status).isEqualTo(143);
            assertThat(slow.get().statusCode()).isEqualTo(200);
            assertThat(clients.count(Outcome.FAILED)).as(clients::toString).isZero();
            assertThat(taken).isLessThan(DRAIN);
            assertThat(service.log()).doesNotContain(" ERROR ", " WARN ");
            List<String> served = accessLog();
            assertThat(served).allMatch(line -> line.matches("(200|400|503) .*"));
            assertThat(served.stream().filter("200 /items/1"::equals).count())
                    .as("answers that were sent, and those that came")
                    .isEqualTo(clients.count(Outcome.ANSWERED));
        }
    }

    private List<String> accessLog() throws Exception {
        try (Stream<Path> logs = Files.list(folder.resolve("logs"))) {
            return Files.readAllLines(logs.findFirst().orElseThrow());
        }
    }
}
