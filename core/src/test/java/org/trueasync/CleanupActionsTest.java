package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * The actions for the end of a run: when nobody is left, the last one registered first, one after another unless one
 * waits.
 */
class CleanupActionsTest {
    private final List<String> log = new ArrayList<>();

    private static Loop loop() {
        return Runtimes.here("the test");
    }

    private Body logs(String what) {
        return () -> log.add(what);
    }

    @Test
    void lastRegistered_isRunFirstWhenAllHaveEnded() {
        TestRuntime.run(() -> {
            loop().atEnd(logs("first"));
            Body twice = logs("twice");
            loop().atEnd(twice);
            loop().atEnd(twice);
            loop().atEnd(logs("last"));
            spawn(() -> {
                delay(10);
                log.add("coroutine");
            });
        });
        assertThat(log).containsExactly("coroutine", "last", "twice", "twice", "first");
    }

    @Test
    void takenBack_isNotRunAndItsTwinIs() {
        TestRuntime.run(() -> {
            Body action = logs("action");
            Object one = loop().atEnd(action);
            loop().atEnd(action);
            loop().notAtEnd(one);
            loop().notAtEnd(one);
        });
        assertThat(log).containsExactly("action");
    }

    @Test
    void shutdownWithAnErrorThatNobodyHasAskedFor_actionsMayWaitAllTheSame() {
        var held = new ArrayList<Coroutine<?>>();
        var error = new IllegalStateException("nobody asks");
        assertThatThrownBy(() -> TestRuntime.run(() -> {
                    loop().atEnd(() -> {
                        delay(5);
                        log.add("has waited");
                    });
                    held.add(spawn(() -> {
                        throw error;
                    }));
                    delay(1);
                    gracefulShutdown();
                }))
                .isSameAs(error);
        assertThat(log).containsExactly("has waited");
        assertThat(held).hasSize(1);
    }

    @Test
    void actionThatWaits_theOthersGoOnAndItIsWaitedFor() {
        TestRuntime.run(() -> {
            loop().atEnd(logs("third"));
            loop().atEnd(() -> {
                log.add("second waits");
                delay(5);
                log.add("second goes on");
            });
            loop().atEnd(() -> {
                log.add("first waits");
                delay(10);
                log.add("first goes on");
                delay(10);
                log.add("first ends");
            });
        });
        assertThat(log)
                .containsExactly(
                        "first waits", "second waits", "third", "second goes on", "first goes on", "first ends");
    }

    @Test
    void actionThatFails_itsErrorIsTheRunsAndTheOthersAreRun() {
        var error = new IllegalStateException("clean-up");
        assertThat(TestRuntime.failureOf(() -> {
                    loop().atEnd(logs("other"));
                    loop().atEnd(() -> {
                        throw error;
                    });
                    loop().atEnd(() -> {
                        throw new AsyncCancellation("is no error");
                    });
                }))
                .isSameAs(error);
        assertThat(log).containsExactly("other");
    }

    @Test
    void actionThatRegistersAnother_thatIsRunNext() {
        TestRuntime.run(() -> {
            loop().atEnd(logs("second"));
            loop().atEnd(() -> {
                log.add("first");
                loop().atEnd(logs("added"));
            });
        });
        assertThat(log).containsExactly("first", "added", "second");
    }

    @Test
    void afterAShutdown_areRunAllTheSame() {
        TestRuntime.run(() -> {
            loop().atEnd(logs("action"));
            spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    log.add("coroutine");
                }
            });
            Async.suspend();
            gracefulShutdown();
        });
        assertThat(log).containsExactly("coroutine", "action");
    }
}
