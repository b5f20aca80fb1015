package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.DeadlockError;

class VirtualTimeRunTest {
    @Test
    void hoursOfDelays_areJumpedOverExactly() {
        var log = new ArrayList<String>();
        Duration end = VirtualTime.run(() -> {
            Async.spawn(() -> {
                Async.delay(Duration.ofHours(2));
                log.add("two hours");
            });
            Async.delay(Duration.ofHours(1));
            log.add("one hour");
            Async.delay(Duration.ofHours(5));
            return VirtualTime.elapsed();
        });
        assertThat(end).isEqualTo(Duration.ofHours(6));
        assertThat(log).containsExactly("one hour", "two hours");
    }

    @Test
    void clockAndNow_showTheVirtualDate() {
        VirtualTime.run(() -> {
            Instant begin = VirtualTime.now();
            Clock clock = VirtualTime.clock();
            Async.delay(Duration.ofDays(366));
            assertThat(VirtualTime.now()).isEqualTo(begin.plus(Duration.ofDays(366)));
            assertThat(clock.instant()).isEqualTo(VirtualTime.now());
            assertThat(clock.withZone(ZoneId.of("Europe/Paris")).instant()).isEqualTo(clock.instant());
            assertThat(clock.millis() % 1_000).isZero();
        });
    }

    @Test
    void advance_isALongComputation() {
        VirtualTime.run(() -> {
            var late = Async.spawn(() -> {
                Async.delay(10);
                return VirtualTime.elapsed();
            });
            Async.suspend();
            VirtualTime.advance(Duration.ofSeconds(1));
            assertThat(late.isCompleted()).isFalse();
            assertThat(Async.await(late)).isEqualTo(Duration.ofSeconds(1));
            assertThatThrownBy(() -> VirtualTime.advance(Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    @Tag("F24")
    void deadlock_isReportedAtOnceWithWhereAndWhat() {
        assertThatThrownBy(() -> VirtualTime.run(() -> {
                    Async.await(Async.spawn(() -> {
                        new NeverEvent().await();
                    }));
                }))
                .isInstanceOf(DeadlockError.class)
                .hasMessageContaining("2 coroutines wait")
                .hasMessageContaining("VirtualTimeRunTest.java")
                .hasMessageContaining("never");
    }

    @Test
    void whatMainThrows_isThrownAsItIs() {
        var checked = new IOException("checked");
        assertThatThrownBy(() -> VirtualTime.run((Body) () -> {
                    throw checked;
                }))
                .isSameAs(checked);
        var error = new AssertionError("assertion");
        assertThatThrownBy(() -> VirtualTime.run((Body) () -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void errorOfACoroutineNobodyAwaits_failsTheRun() {
        assertThatThrownBy(() -> VirtualTime.run(() -> {
                    Async.spawn(() -> {
                        throw new IllegalStateException("nobody looks");
                    });
                }))
                .hasMessage("nobody looks");
    }

    @Test
    void endlessInVirtualTime_failsInRealTime() {
        assertThatThrownBy(() -> VirtualTime.settings()
                        .realTimeLimit(Duration.ofMillis(200))
                        .run((Body) () -> {
                            while (true) Async.delay(1_000);
                        }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("did not end within PT0.2S")
                .hasMessageContaining("virtual time is")
                .hasMessageContaining("awaits timer 1000 ms");
    }

    @Test
    void futureThatNobodyCompletes_failsInRealTimeAndSaysWhoWaits() {
        assertThatThrownBy(() -> VirtualTime.settings()
                        .realTimeLimit(Duration.ofMillis(100))
                        .run((Body) () -> Async.await(new CompletableFuture<>())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("suspended VirtualTimeRunTest.java")
                .hasMessageContaining("awaits completion stage CompletableFuture, pending");
    }

    @Test
    void coroutineThatHoldsTheLoop_failsInRealTimeAndSaysSo() {
        boolean[] stop = {false};
        assertThatThrownBy(() -> VirtualTime.settings()
                        .realTimeLimit(Duration.ofMillis(100))
                        .runtime(builder -> builder.diagnostics(report -> {}))
                        .run((Body) () -> {
                            while (!stop[0]) Thread.onSpinWait();
                        }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("one coroutine holds it");
        stop[0] = true;
    }

    @Test
    void insideARuntime_runsOneMore() {
        VirtualTime.run(() -> {
            Async.delay(1_000);
            Duration inner = VirtualTime.run(() -> {
                Async.delay(1);
                return VirtualTime.elapsed();
            });
            assertThat(inner).isEqualTo(Duration.ofMillis(1));
            assertThat(VirtualTime.elapsed()).isEqualTo(Duration.ofSeconds(1));
        });
    }

    @Test
    void outsideOfVirtualTime_saysWhatIsNeeded() {
        assertThatThrownBy(VirtualTime::elapsed).isInstanceOf(AsyncException.class);
    }

    @Test
    void stageCompletedByAnotherThread_isWaitedForInRealTime() {
        VirtualTime.run(() -> {
            var future = new CompletableFuture<String>();
            Thread.ofPlatform().daemon().start(() -> future.complete("other thread"));
            assertThat(Async.await(future)).isEqualTo("other thread");
            assertThat(VirtualTime.elapsed()).isZero();
        });
    }
}
