package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.Async.delay;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Events;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.TriggerEvent;

/** Errors with suppression switched off: the error after them is not lost, wherever two come together. */
@Tag("F51")
@Tag("D17")
class UncarryingErrorsTest {
    private static final class BareException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BareException() {
            super("bare", null, false, true);
        }
    }

    private final RuntimeException bare = new BareException();
    private final RuntimeException other = new IllegalStateException("other");

    private void assertBoth(Throwable seen) {
        assertThat(seen).hasCause(bare).hasSuppressedException(other);
    }

    @Test
    void strategyFailsAfterAGuardedCall_bothArrive() {
        var calls = new GuardedCalls("odd", new CircuitBreakerStrategy() {
            @Override
            public void reportSuccess(CircuitBreaker source) {}

            @Override
            public boolean shouldRecover() {
                return false;
            }

            @Override
            public void reportFailure(CircuitBreaker source, Throwable error) {
                throw other;
            }
        });
        assertBoth(catchThrowable(() -> calls.call(() -> {
            throw bare;
        })));
    }

    @Test
    void twoActionsOfAnIterationFail_bothArrive() {
        TestRuntime.run(() -> assertBoth(catchThrowable(() -> Async.iterate(List.of(1, 2), i -> {
            try {
                delay(10);
                return true;
            } finally {
                fail(i == 1 ? bare : other);
            }
        }))));
    }

    @Test
    void microtaskAndItsReleaseFail_bothEndTheRun() {
        assertBoth(new TestRuntime().failure(() -> {
            new Microtask() {
                @Override
                protected void run() {
                    throw bare;
                }

                @Override
                protected void release() {
                    throw other;
                }
            }.enqueue();
            delay(3_600_000);
        }));
    }

    @Test
    void twoCallbacksOfAnEventFail_bothEndTheRun() {
        assertBoth(new TestRuntime().failure(() -> {
            TriggerEvent event = Events.trigger();
            event.addCallback(failing(bare));
            event.addCallback(failing(other));
            event.start();
            event.trigger();
            delay(3_600_000);
        }));
    }

    private static EventCallback failing(RuntimeException error) {
        return new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable cause) {
                fail(error);
            }
        };
    }

    private static void fail(RuntimeException error) {
        throw error;
    }
}
