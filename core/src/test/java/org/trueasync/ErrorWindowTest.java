package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.SwitchHandlers;

/** A mode that one coroutine sets for a while and that is kept in a place which all of them share. */
class ErrorWindowTest {
    private boolean strict;

    /** As a library would do it that has one global mode: its own coroutine's value is put back on each ENTER. */
    private void strictly(Body body) throws Throwable {
        boolean before = strict;
        boolean[] open = {true};
        strict = true;
        SwitchHandlers.add((coroutine, entering, finishing) -> {
            strict = entering && open[0] ? true : before;
            return open[0];
        });
        try {
            body.run();
        } finally {
            open[0] = false;
            strict = before;
        }
    }

    @Test
    @Tag("U3")
    @Tag("F78")
    void window_isInvisibleToOthersThatRunInsideIt() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Coroutine<?> other = spawn(() -> {
                for (int i = 0; i < 5; i++) {
                    log.add("other " + strict);
                    delay(2);
                }
            });
            Coroutine<?> windowed = spawn(() -> strictly(() -> {
                for (int i = 0; i < 3; i++) {
                    log.add("windowed " + strict);
                    delay(3);
                }
            }));
            await(windowed);
            await(other);
            assertThat(log).contains("windowed true", "other false").doesNotContain("windowed false", "other true");
            assertThat(strict).isFalse();
        });
    }
}
