package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** The names of the threads that stay a while after a run; that they end is shown by {@code LeftThreadsConformance}. */
@Tag("D26")
class LeftThreadsTest {
    private static final String LISTED =
            "trueasync-(deadlock-watch|handles|pinned-waits|(blocking|device|file|lock|name|process|resolver|tls)-\\d+)";

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    @Test
    void threadsAfterARun_areDaemonsThatTheGuideLists() {
        Set<Thread> before = threads();
        TestRuntime.run(() -> {
            Async.blocking(() -> {});
            Async.await(Async.spawnThread(() -> 1));
            new ThreadPool(1).submit(() -> 1).ignore();
            Thread.sleep(1);
        });
        Set<Thread> left = threads();
        left.removeAll(before);
        left.removeIf(
                thread -> thread.getName().equals("test") || !thread.getName().contains("async"));
        assertThat(left)
                .allMatch(thread -> thread.isDaemon() && thread.getName().matches(LISTED));
        assertThat(threads()).anyMatch(thread -> thread.getName().equals("trueasync-deadlock-watch"));
    }
}
