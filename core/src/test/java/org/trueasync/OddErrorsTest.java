package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.Waker;

/** Exceptions that are unlike others: cyclic causes, one object thrown twice, messages that throw. */
class OddErrorsTest {
    private static IllegalStateException cyclic() {
        var one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("two", one));
        return one;
    }

    @Test
    @Tag("F51")
    void cyclicCauses_ofACancelledCoroutine_itEndsWithThem() {
        IllegalStateException error = cyclic();
        TestRuntime.run(() -> {
            Coroutine<?> cancelled = spawn(() -> {
                try {
                    delay(1_000);
                } catch (AsyncCancellation e) {
                    throw error;
                }
            });
            suspend();
            cancelled.cancel();
            assertThatThrownBy(() -> await(cancelled)).isSameAs(error);
        });
    }

    @Test
    @Tag("F51")
    void cyclicCauses_twiceUnhandled_runThrowsOneWithTheOther() {
        IllegalStateException first = cyclic();
        IllegalStateException second = cyclic();
        Throwable thrown = TestRuntime.failureOf(() -> {
            executor().execute(() -> {
                throw first;
            });
            executor().execute(() -> {
                throw second;
            });
            delay(10);
        });
        assertThat(thrown).isSameAs(second);
        assertThat(thrown.getSuppressed()).contains(first);
    }

    @Test
    @Tag("K54")
    void bodyAndHandlerThrowTheSame_coroutineEndsWithIt() {
        var error = new IllegalStateException("twice");
        TestRuntime.run(() -> {
            Coroutine<?> failing = spawn(() -> {
                throw error;
            });
            SwitchHandlers.add(failing, (c, entering, finishing) -> {
                if (finishing) throw error;
                return true;
            });
            assertThatThrownBy(() -> await(failing)).isSameAs(error);
        });
    }

    @Test
    @Tag("K54")
    void handlersThrowTheSameAtLeaveAndEnter_waitThrowsIt() {
        var error = new IllegalStateException("twice");
        TestRuntime.run(() -> {
            Coroutine<?> failing = spawn(() -> {
                SwitchHandlers.add((c, entering, finishing) -> {
                    if (!finishing) throw error;
                    return true;
                });
                delay(1);
            });
            assertThatThrownBy(() -> await(failing)).isSameAs(error);
        });
    }

    @Test
    @Tag("E9")
    void callbacksThrowTheSame_theOthersAreStillTold() {
        var error = new IllegalStateException("twice");
        TestRuntime.run(() -> {
            var door = new ManualEvent("door");
            for (int i = 0; i < 2; i++) {
                door.addCallback(new EventCallback() {
                    @Override
                    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable thrown) {
                        throw error;
                    }
                });
            }
            Coroutine<Object> waiter = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(door, ResumeCallback.RESOLVE);
                return waker.await();
            });
            suspend();
            assertThatThrownBy(() -> door.fire(5)).isSameAs(error);
            assertThat(await(waiter)).isEqualTo(5);
        });
    }

    @Test
    @Tag("F51")
    void messageThatThrows_runEndsPromptlyWithTheError() {
        var nasty = new IllegalStateException() {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new UnsupportedOperationException("no message");
            }
        };
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            executor().execute(() -> {
                throw nasty;
            });
            delay(3_600_000);
        });
        assertThat(thrown == nasty).isTrue();
        assertThat(runtime.reactor().nanoTime()).as("waited for no deadline").isLessThan(1_000_000_000);
    }

    @Test
    @Tag("F52")
    void microtaskAndItsReleaseThrow_neitherIsLost() {
        var first = new IllegalStateException("run");
        var second = new IllegalStateException("release");
        Throwable thrown = TestRuntime.failureOf(() -> {
            new Microtask() {
                @Override
                protected void run() {
                    throw first;
                }

                @Override
                protected void release() {
                    throw second;
                }
            }.enqueue();
            suspend();
            delay(1);
        });
        assertThat(thrown).isSameAs(first);
        assertThat(thrown.getSuppressed()).contains(second);
    }

    // ---- events that fail where they must not

    /** Throws from wherever it is asked to. */
    private static final class BadEvent extends Event {
        private final boolean inDisarm;
        private final boolean inInfo;

        BadEvent(boolean inDisarm, boolean inInfo) {
            this.inDisarm = inDisarm;
            this.inInfo = inInfo;
        }

        void fire() {
            notifyCallbacks("fired", null);
        }

        @Override
        protected void disarm() {
            if (inDisarm) throw new IllegalStateException("can't disarm");
        }

        @Override
        public String info() {
            if (inInfo) throw new IllegalStateException("can't tell");
            return "bad event";
        }
    }

    @Test
    @Tag("F52")
    void disarmThrows_wakeIsNotLostAndTheOtherSubscriptionsAreGone() {
        var woken = new ArrayList<Object>();
        var other = new ManualEvent("other");
        Throwable thrown = TestRuntime.failureOf(() -> {
            var bad = new BadEvent(true, false);
            Coroutine<?> waiter = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(bad, ResumeCallback.RESOLVE);
                waker.resumeWhen(other, ResumeCallback.RESOLVE);
                try {
                    waker.await();
                } finally {
                    woken.add("woken"); // with its value, or by the shutdown that the error brings
                }
            });
            suspend();
            bad.fire();
            assertThat(waiter.isQueued()).isTrue();
            assertThat(other.hasCallbacks()).isFalse();
            assertThat(other.isActive()).isFalse();
            suspend();
        });
        assertThat(woken).containsExactly("woken");
        assertThat(thrown).hasMessage("can't disarm");
    }

    @Test
    @Tag("K58")
    @Tag("K61")
    @Tag("F24")
    void infoThrows_deadlockIsReportedAllTheSame() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            Waker waker = Waker.current();
            waker.resumeWhen(new BadEvent(false, true), ResumeCallback.RESOLVE);
            waker.await();
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("BadEvent")
                .contains("can't tell");
    }
}
