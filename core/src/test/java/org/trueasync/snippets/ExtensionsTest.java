package org.trueasync.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Events;
import org.trueasync.spi.ForeignCall;
import org.trueasync.spi.ForeignCalls;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** The examples in the javadoc of {@link org.trueasync.spi}, which holds copies of these regions, run as tests. */
class ExtensionsTest {
    private interface Statement {
        String executeQuery(String sql) throws Exception;
    }

    @Test
    void waker_resumesWhenTheEventFires() {
        TestRuntime.run(() -> {
            var event = Events.trigger();
            Async.spawn(event::trigger);
            // @start region="wait" :
            Waker waker = Waker.current(); // reset, ready for a new wait
            waker.resumeWhen(event, ResumeCallback.RESOLVE); // prepared: nothing is armed yet
            Object result = waker.await(); // arms all, suspends, disarms all
            // @end
            assertThat(result).isNull();
        });
    }

    @Test
    void foreignCall_returnsOrThrows() {
        TestRuntime.run(() -> {
            assertThat(query(sql -> "row of " + sql)).isEqualTo("row of select");
            assertThatThrownBy(() -> query(sql -> {
                        throw new IllegalStateException("no such table");
                    }))
                    .hasMessage("no such table");
        });
    }

    private static String query(Statement statement) throws Throwable {
        ForeignCall call = () -> {};
        String sql = "select";
        String result = null;
        // @start region="foreign" :
        ForeignCalls.begin(call);
        Throwable thrown = null;
        try {
            result = statement.executeQuery(sql);
        } catch (Throwable e) {
            thrown = e;
        }
        thrown = ForeignCalls.end(thrown);
        // @end
        if (thrown != null) throw thrown;
        return result;
    }
}
