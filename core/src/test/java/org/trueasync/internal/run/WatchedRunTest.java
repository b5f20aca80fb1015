package org.trueasync.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.task.Settings;

class WatchedRunTest {
    private static Settings settings() {
        return new Settings(
                "test",
                () -> {
                    throw new AssertionError("no reactor is needed");
                },
                0,
                false,
                0,
                0,
                Duration.ZERO,
                Duration.ZERO,
                false,
                Duration.ZERO,
                Duration.ZERO,
                false,
                null,
                null,
                report -> {});
    }

    @Test
    void whatComesFirstFails_theRunHasEndedForEverybody() throws Exception {
        var ran = new ArrayList<String>();
        var run = new WatchedRun(settings(), true);
        run.handle().execute(() -> ran.add("handed over before"), "test");
        var failure = new IllegalStateException("no such signal");
        assertThatThrownBy(() -> run.run(
                        () -> {
                            throw failure;
                        },
                        () -> "main"))
                .isSameAs(failure);
        assertThat(run.awaitEnd(Duration.ZERO)).isTrue();
        assertThat(ran).as("told of its end, as tasks are that come too late").containsExactly("handed over before");
        assertThatThrownBy(() -> run.handle().execute(() -> ran.add("after"), "test"))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(run.handle().loop()).isNull();
    }
}
