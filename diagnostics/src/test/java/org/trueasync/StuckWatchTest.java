package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.watchdog.StuckWatch;

/** Searches for stuck coroutines that a system property asks for. */
class StuckWatchTest {
    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();

    @AfterEach
    void clear() {
        System.clearProperty(StuckWatch.PROPERTY);
    }

    private void run(String every, Body main) {
        System.setProperty(StuckWatch.PROPERTY, every);
        new TestRuntime(builder -> builder.deadlockAfter(Duration.ofMillis(40)).diagnostics(reports::add)).start(main);
    }

    /** The next report. The thread that waits is not the loop's. */
    private String next() {
        return blocking(() -> reports.poll(60, TimeUnit.SECONDS));
    }

    private static void hang(String name) {
        spawn(name, () -> new FutureState<String>().future().await());
        suspend();
    }

    @Test
    void stuckCoroutine_isReportedOnce() {
        run("0.001", () -> {
            hang("first");
            assertThat(next()).startsWith("1 coroutine is stuck: ").contains("'first'");
            hang("second");
            assertThat(next())
                    .startsWith("1 coroutine is stuck: ")
                    .contains("'second'")
                    .doesNotContain("'first'");
            Async.gracefulShutdown();
        });
        assertThat(reports).isEmpty();
    }

    @Test
    void valueThatIsNoTime_isReported() {
        for (String wrong : List.of("0", "-1", "often"))
            run(wrong, () -> assertThat(next())
                    .isEqualTo("org.trueasync.findStuckEvery must be a number of seconds > 0, got '" + wrong
                            + "'; nothing is searched for"));
    }
}
