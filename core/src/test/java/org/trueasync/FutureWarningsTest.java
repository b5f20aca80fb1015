package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Cleanup;

/** Values that nobody used and errors that nobody caught: one warning each, and none otherwise. */
class FutureWarningsTest {
    private static List<String> reportsOf(Body main) {
        return TestRuntime.run(main).reports();
    }

    private static IllegalStateException error() {
        return new IllegalStateException("nobody's");
    }

    @Test
    @Tag("A34")
    void neverUsed_isReportedAtTheEnd_withBothSites() {
        var sites = new ArrayList<String>();
        List<String> reports = reportsOf(() -> {
            var state = new FutureState<Integer>();
            state.complete(1);
            sites.add(state.future().createdLocation());
            sites.add(state.future().completedLocation());
        });
        assertThat(reports).singleElement().asString().contains("never used").contains(sites);
    }

    @Test
    @Tag("A34")
    @Tag("F51")
    void errorNobodyCaught_isReportedOnce_withItsStackAndBothSites() {
        var sites = new ArrayList<String>();
        List<String> reports = reportsOf(() -> {
            var state = new FutureState<Integer>();
            state.error(error());
            sites.add(state.future().createdLocation());
            sites.add(state.future().completedLocation());
        });
        assertThat(reports)
                .singleElement()
                .asString()
                .contains("Nobody caught", "IllegalStateException: nobody's", "at org.trueasync.FutureWarningsTest")
                .contains(sites);
    }

    @Test
    @Tag("A34")
    void errorNobodyCaught_doesNotFailTheRun() {
        assertThat(new TestRuntime().<String>call(() -> {
                    Future.failed(error());
                    return "fine";
                }))
                .isEqualTo("fine");
    }

    @Test
    @Tag("A34")
    void pending_isNotReported() {
        assertThat(reportsOf(() -> new FutureState<Integer>().future().map(n -> n)))
                .isEmpty();
    }

    @Test
    @Tag("A34")
    void ignoredOnEitherSide_beforeOrAfterItsEnd_isNotReported() {
        assertThat(reportsOf(() -> {
                    Future.completed(1).ignore();
                    Future.failed(error()).ignore();
                    var early = new FutureState<Integer>().ignore();
                    early.error(error());
                    var late = new FutureState<Integer>();
                    late.error(error());
                    late.ignore();
                    var reader = new FutureState<Integer>();
                    reader.future().ignore();
                    reader.complete(1);
                }))
                .isEmpty();
    }

    @Test
    @Tag("A34")
    @Tag("F50")
    void awaited_beforeOrAfterItsEnd_isNotReported() {
        assertThat(reportsOf(() -> {
                    Future<Integer> late = Future.failed(error());
                    suspend();
                    assertThatThrownBy(late::await).isInstanceOf(IllegalStateException.class);
                    Future<Integer> lateToo = Future.failed(error());
                    assertThatThrownBy(() -> await(lateToo)).isInstanceOf(IllegalStateException.class);
                    var state = new FutureState<Integer>();
                    spawn(() -> state.error(error()));
                    assertThatThrownBy(() -> state.future().await()).isInstanceOf(IllegalStateException.class);
                    Future.completed(1).await();
                }))
                .isEmpty();
    }

    @Test
    @Tag("A12")
    @Tag("F37")
    void tokenThatWasNeverConsulted_isNotReported() {
        assertThat(reportsOf(() -> {
                    Future<Integer> token = Future.failed(error());
                    Future.completed(1).await(token);
                }))
                .isEmpty();
    }

    @Test
    @Tag("A34")
    void toCompletableFuture_counts() {
        assertThat(reportsOf(() -> {
                    Future.completed(1).toCompletableFuture();
                    Future.failed(error()).toCompletableFuture();
                }))
                .isEmpty();
    }

    @Test
    @Tag("A34")
    void shownToTheJdkWhilePending_itsErrorIsNotReported() {
        assertThat(reportsOf(() -> {
                    var state = new FutureState<Integer>();
                    state.future().toCompletableFuture();
                    state.error(error());
                    delay(1);
                }))
                .isEmpty();
    }

    @Test
    @Tag("A34")
    void cancelled_isNotReported() {
        assertThat(reportsOf(() -> {
                    var state = new FutureState<Integer>();
                    state.future().cancel();
                    var other = new FutureState<Integer>();
                    Future<Integer> derived = other.future().map(n -> n);
                    other.future().cancel();
                    suspend();
                    assertThat(derived.isCancelled()).isTrue();
                }))
                .isEmpty();
    }

    private static TaskGroup<Integer> groupOf(int tasks) {
        var group = new TaskGroup<Integer>();
        for (int i = 0; i < tasks; i++) {
            group.spawn(() -> {
                delay(1_000);
                return 1;
            });
        }
        return group;
    }

    @Test
    @Tag("A34")
    void tasksOfAGroupThatTheEndCancels_areNotReported() {
        assertThat(reportsOf(() -> {
                    groupOf(2).all();
                    suspend();
                    Async.gracefulShutdown();
                }))
                .isEmpty();
    }

    @Test
    @Tag("A34")
    void failureBesideCancelledTasks_isReported() {
        assertThat(reportsOf(() -> {
                    var group = groupOf(1);
                    group.spawn(() -> {
                        throw error();
                    });
                    group.all();
                    suspend();
                    Async.gracefulShutdown();
                }))
                .singleElement()
                .asString()
                .contains("Nobody caught", "nobody's");
    }

    @Test
    void cancellationsOfSeveral_endNoRunThatEnds() {
        assertThat(reportsOf(() -> {
                    var group = groupOf(2);
                    Cleanup.atEnd(() -> group.all().await());
                    spawn(() -> {
                        suspend();
                        Async.gracefulShutdown();
                    });
                    try {
                        delay(5_000);
                    } finally {
                        group.all().await();
                    }
                }))
                .isEmpty();
    }

    @Test
    @Tag("A34")
    void map_countsAsUseOfTheSource_itsOwnResultIsReported() {
        List<String> reports = reportsOf(() -> {
            Future<Integer> source = Future.completed(1);
            source.map(n -> n);
        });
        assertThat(reports).singleElement().asString().contains("never used");
    }

    @Test
    @Tag("A34")
    @Tag("F51")
    void errorPassedDownAChain_isReportedOnce() {
        List<String> reports = reportsOf(() -> {
            var state = new FutureState<Integer>();
            state.future().map(n -> n + 1).map(n -> n + 1).onFinally(() -> {});
            state.future().map(n -> n + 2);
            state.error(error());
        });
        assertThat(reports).singleElement().asString().contains("nobody's");
    }

    @Test
    @Tag("A34")
    void onFinally_countsAsUse_notAsCatching() {
        assertThat(reportsOf(() -> Future.completed(1).onFinally(() -> {}))).isEmpty();
        assertThat(reportsOf(() -> Future.failed(error()).onFinally(() -> {})))
                .singleElement()
                .asString()
                .contains("nobody's");
    }

    @Test
    @Tag("A34")
    @Tag("F50")
    void errorCaughtSomewhereInTheTree_isNotReported() {
        assertThat(reportsOf(() -> {
                    // at the source, while others follow from it
                    var state = new FutureState<Integer>();
                    state.future().onFinally(() -> {});
                    state.future().map(n -> n);
                    spawn(() -> state.error(error()));
                    assertThatThrownBy(() -> state.future().await()).isInstanceOf(IllegalStateException.class);
                    // at the end of a chain
                    Future<Integer> source = Future.failed(error());
                    source.map(n -> n).onFinally(() -> {}).recover(e -> 0).await();
                    // at the source, later
                    Future<Integer> late = Future.failed(error());
                    late.onFinally(() -> {});
                    suspend();
                    assertThatThrownBy(late::await).isInstanceOf(IllegalStateException.class);
                }))
                .isEmpty();
    }

    @Test
    @Tag("A30")
    @Tag("F51")
    void handlersErrorTakesTheSourcesWithIt_oneReport() {
        List<String> reports = reportsOf(() -> Future.failed(error()).onFinally(() -> {
            throw new IllegalArgumentException("in the handler");
        }));
        assertThat(reports).singleElement().asString().contains("in the handler", "nobody's");
    }

    @Test
    @Tag("A34")
    void manyAlike_areOneWarningWithTheirNumber() {
        List<String> reports = reportsOf(() -> {
            var all = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 1_000; i++) all.add(Future.completed(i));
            Reference.reachabilityFence(all); // a collection between them would make it two warnings
        });
        assertThat(reports).singleElement().asString().startsWith("1000 times: ");
    }

    @Test
    @Tag("F52")
    void errorWhoseTextFails_isReportedAndCostsTheOthersNothing() {
        List<String> reports = reportsOf(() -> {
            Future.failed(new IllegalStateException() {
                private static final long serialVersionUID = 1;

                @Override
                public String getMessage() {
                    throw new IllegalArgumentException("no message");
                }
            });
            Future.failed(error());
        });
        assertThat(reports).hasSize(2).anyMatch(r -> r.contains("nobody's"));
    }

    @Test
    @Tag("A34")
    void shutdown_stillReports() {
        List<String> reports = reportsOf(() -> {
            Future.failed(error());
            Async.gracefulShutdown();
        });
        assertThat(reports).singleElement().asString().contains("nobody's");
    }

    // ---- unreachable ones

    @Test
    @Tag("A34")
    void unreachable_isReportedWhileTheRunGoesOn() {
        TestRuntime.run(runtime -> {
            forget();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (runtime.reports().size() < 2 && System.nanoTime() < end) {
                Garbage.collect();
                suspend();
            }
            assertThat(runtime.reports()).hasSize(2).anyMatch(r -> r.contains("nobody's"));
        });
    }

    private static void forget() {
        Future.completed(1);
        Future.failed(error());
    }

    @Test
    @Tag("F79")
    @Tag("deep")
    void millionFutures_leaveNothingBehind() {
        var reports = new AtomicInteger();
        var samples = new ArrayList<WeakReference<Object>>();
        Async.runtime()
                .reactor(VirtualReactor::new)
                .diagnostics(r -> reports.incrementAndGet())
                .run(() -> {
                    for (int i = 0; i < 1_000_000; i++) {
                        Object used = oneOfEachKind(i);
                        if (i % 1_000 < 20) samples.add(new WeakReference<>(used));
                    }
                    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
                    while (anyAlive(samples) && System.nanoTime() < end) {
                        Garbage.collect();
                        suspend();
                    }
                    assertThat(anyAlive(samples)).isFalse();
                });
        assertThat(reports).hasValue(0);
    }

    private static boolean anyAlive(List<WeakReference<Object>> samples) {
        return samples.stream().anyMatch(s -> s.get() != null);
    }

    /** Returns what the handlers knew: it is kept by whatever keeps the future, its value or a handler. */
    private static Object oneOfEachKind(int i) {
        Object token = new Object();
        assertThat(Future.completed(token).await()).isSameAs(token);
        var state = new FutureState<Object>();
        if (i % 2 == 0) state.complete(token);
        else spawn(() -> state.complete(token));
        state.future().await();
        if (i % 20 == 0)
            state.future().map(n -> token.hashCode()).onFinally(token::hashCode).await();
        if (i % 20 == 1)
            Future.<Integer>failed(new AsyncException("expected"))
                    .map(n -> n)
                    .recover(e -> token.hashCode())
                    .await();
        return token;
    }
}
