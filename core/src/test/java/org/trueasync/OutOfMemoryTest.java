package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class OutOfMemoryTest {
    /** What a request for more than there can be throws; the heap itself is not filled, as other tests live in it. */
    private static long[] tooMuch() {
        return new long[Integer.MAX_VALUE];
    }

    @Test
    @Tag("K67")
    void exhausted_skipsUserHandlersAndReachesTheAwaiter() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<long[]> c = spawn(OutOfMemoryTest::tooMuch);
            c.onFinally(ended -> log.add("user handler"));
            assertThatThrownBy(() -> await(c)).isInstanceOf(OutOfMemoryError.class);
            delay(1);
            assertThat(Async.coroutines()).hasSize(1);
        });
        assertThat(log).isEmpty();
    }

    @Test
    @Tag("K67")
    void exhaustedAndUnhandled_theOthersUnwindAndThereIsOneReport() {
        var log = new ArrayList<String>();
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            spawn(() -> {
                try {
                    delay(1_000_000);
                } finally {
                    log.add("unwound");
                }
            });
            Async.executor().execute(OutOfMemoryTest::tooMuch);
            delay(1_000_000);
        });
        assertThat(thrown).isInstanceOf(OutOfMemoryError.class).hasNoCause();
        assertThat(log).containsExactly("unwound");
        assertThat(runtime.reports()).isEmpty();
    }
}
