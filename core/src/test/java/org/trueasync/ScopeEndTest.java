package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

/** cancel, dispose and its variants, zombies, close. */
class ScopeEndTest {
    private final List<String> log = new ArrayList<>();

    private Coroutine<?> sleeper(Scope scope, String name) {
        return scope.spawn(() -> {
            try {
                delay(100);
                log.add(name + " ended");
            } catch (AsyncCancellation e) {
                log.add(name + " " + e.getMessage());
                throw e;
            }
        });
    }

    @Test
    @Tag("C17")
    @Tag("C43")
    void cancel_goesDownwardsFromTheInnermost() {
        TestRuntime.run(() -> {
            var top = new Scope();
            Scope scope = Scope.inherit(top);
            Scope below = Scope.inherit(scope);
            Scope beside = Scope.inherit(top);
            sleeper(top, "above");
            sleeper(scope, "first");
            sleeper(scope, "second");
            sleeper(below, "below");
            sleeper(beside, "beside");
            suspend();
            scope.cancel(new AsyncCancellation("why"));
            assertThat(scope.isCancelled()).isTrue();
            assertThat(below.isCancelled()).isTrue();
            assertThat(top.isCancelled()).isFalse();
            assertThat(beside.isCancelled()).isFalse();
            scope.awaitAfterCancellation();
            assertThat(log).containsExactly("below why", "first why", "second why");
            top.awaitCompletion(timeout(1_000));
            assertThat(log).endsWith("above ended", "beside ended");
            top.dispose();
        });
    }

    @Test
    @Tag("C17")
    void branchThatIsCancelledAlready_isLeftAlone() {
        TestRuntime.run(() -> {
            var top = new Scope();
            Scope below = Scope.inherit(top);
            sleeper(below, "below");
            suspend();
            below.cancel(new AsyncCancellation("first"));
            top.cancel(new AsyncCancellation("second"));
            top.awaitAfterCancellation();
            assertThat(log).containsExactly("below first");
        });
    }

    @Test
    @Tag("C43")
    void queuedCoroutine_keepsItsPlaceWhenCancelled() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            sleeper(scope, "parked first");
            Coroutine<?> yielding = scope.spawn(() -> {
                try {
                    suspend();
                } finally {
                    log.add("queued");
                }
            });
            suspend();
            assertThat(yielding.isQueued()).isTrue();
            scope.onFinally(s -> log.add("finally"));
            scope.cancel();
            scope.awaitAfterCancellation();
            assertThat(log).containsExactly("queued", "parked first scope cancelled", "finally");
        });
    }

    @Test
    @Tag("C18")
    void emptyScope_closesAtOnceAndRepeatsAreNothing() {
        TestRuntime.run(() -> {
            for (boolean dispose : new boolean[] {true, false}) {
                var scope = new Scope();
                scope.onFinally(s -> log.add("finally"));
                for (int i = 0; i < 3; i++) {
                    if (dispose) scope.dispose();
                    else scope.cancel();
                    assertThat(scope.isClosed()).isTrue();
                }
                suspend();
                assertThat(log).containsExactly("finally");
                log.clear();
            }
        });
    }

    @Test
    @Tag("C19")
    @Tag("C23")
    void safeScope_letsGoOnWhatHasBegunAndDropsTheRest() {
        TestRuntime.run(() -> {
            Scope scope = new Scope().allowZombies();
            Coroutine<?> begun = sleeper(scope, "begun");
            suspend();
            Coroutine<?> dropped = sleeper(scope, "dropped");
            scope.cancel();
            assertThatThrownBy(() -> await(dropped)).isInstanceOf(AsyncCancellation.class);
            assertThat(scope.isFinished()).isTrue();
            assertThat(scope.isClosed()).isFalse();
            assertThat(Async.coroutines()).contains(begun);
            await(begun);
            suspend();
            assertThat(scope.isClosed()).isTrue();
            assertThat(log).containsExactly("begun ended");
        });
    }

    @Test
    @Tag("C19")
    void safety_isCopiedByChildrenAndFlippedInPlace() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            assertThat(scope.allowZombies()).isSameAs(scope);
            Scope safeChild = Scope.inherit(scope);
            assertThat(scope.asNotSafely()).isSameAs(scope);
            Scope otherChild = Scope.inherit(scope);
            sleeper(safeChild, "zombie");
            sleeper(otherChild, "other");
            suspend();
            scope.cancel(new AsyncCancellation("now"));
            scope.awaitAfterCancellation();
            assertThat(log).containsExactly("other now", "zombie ended");
        });
    }

    @Test
    @Tag("D12")
    void everyKindOfScope_interruptsOnCancelDisposeAndClose() {
        TestRuntime.run(() -> {
            var top = new Scope();
            List<Supplier<Scope>> kinds = List.of(Scope::new, Scope::inherit, () -> Scope.inherit(top));
            List<Consumer<Scope>> ends = List.of(Scope::cancel, Scope::dispose, Scope::close);
            for (Supplier<Scope> kind : kinds) {
                for (Consumer<Scope> end : ends) {
                    Scope scope = kind.get();
                    Coroutine<?> begun = scope.spawn(() -> delay(60_000));
                    suspend();
                    end.accept(scope);
                    if (!scope.isClosed()) scope.awaitAfterCancellation();
                    assertThat(begun.isCancelled()).isTrue();
                    assertThat(scope.isClosed()).isTrue();
                }
            }
        });
    }

    @Test
    @Tag("D12")
    void mainScopeThatIsCancelled_interruptsEverythingMainIncluded() {
        TestRuntime.run(() -> {
            sleeper(Scope.global(), "other");
            Scope child = Scope.inherit();
            sleeper(child, "below");
            suspend();
            Scope.global().cancel(new AsyncCancellation("all"));
            log.add("main goes on to its next wait");
            assertThatThrownBy(() -> delay(1)).hasMessage("all");
        });
        assertThat(log).containsExactly("main goes on to its next wait", "below all", "other all");
    }

    @Test
    @Tag("D12")
    @Tag("K5")
    void mainThatReturns_cancelsNobody() {
        TestRuntime.run(() -> {
            sleeper(Scope.global(), "other");
            sleeper(Scope.inherit(), "below");
        });
        assertThat(log).containsExactly("other ended", "below ended");
    }

    @Test
    @Tag("D12")
    void scopeOfACallback_doesAsTheOneAround() {
        TestRuntime.run(() -> {
            Coroutine<?> ends = spawn(() -> {});
            ends.onFinally(c -> {
                Scope scope = Scope.inherit();
                sleeper(scope, "in a callback");
                suspend();
                scope.cancel(new AsyncCancellation("told to end"));
            });
            delay(1);
        });
        assertThat(log).containsExactly("in a callback told to end");
    }

    @Test
    @Tag("D12")
    void letRunOn_isCopiedByChildrenAndSaidByToString() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            assertThat(scope.toString()).contains("cancel interrupts");
            assertThat(scope.letRunOn()).isSameAs(scope);
            Scope child = Scope.inherit(scope);
            assertThat(scope.toString()).contains("cancel lets run on");
            assertThat(child.toString()).contains("cancel lets run on");
            assertThat(scope.asNotSafely().toString()).contains("cancel interrupts");
            assertThat(child.toString()).contains("cancel lets run on");
            sleeper(child, "child's");
            suspend();
            scope.cancel();
            assertThat(child.toString()).contains("cancelled, lets run on what had begun");
            scope.awaitAfterCancellation();
            assertThat(log).containsExactly("child's ended");
        });
    }

    @Test
    @Tag("C20")
    void disposeSafely_makesZombiesWhateverTheScopesSay() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            sleeper(scope, "own");
            sleeper(Scope.inherit(scope), "below");
            suspend();
            scope.disposeSafely();
            assertThatThrownBy(() -> scope.spawn(() -> 1)).isInstanceOf(AsyncException.class);
            scope.awaitAfterCancellation();
            assertThat(log).containsExactly("own ended", "below ended");
        });
    }

    @Test
    @Tag("C20")
    @Tag("F38")
    void disposeAfterTimeout_cancelsWhatIsLeft() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            assertThatThrownBy(() -> scope.disposeAfterTimeout(Duration.ofMillis(-250)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("got -250");
            scope.disposeAfterTimeout(Duration.ofMillis(1));
            delay(10);
            assertThat(scope.isCancelled()).as("empty: nothing to dispose of").isFalse();
            Coroutine<?> late = scope.spawn(() -> delay(1_000));
            scope.disposeAfterTimeout(Duration.ofMillis(50));
            delay(49);
            assertThat(scope.isCancelled()).isFalse();
            assertThatThrownBy(() -> await(late))
                    .isInstanceOf(AsyncCancellation.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(scope.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("F38")
    @Tag("F21")
    void delayedDisposal_doesNotKeepTheRunAlive() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.spawn(() -> delay(5));
            scope.disposeAfterTimeout(Duration.ofDays(1));
            scope.onFinally(s -> log.add("closed at the end of the run"));
        });
        assertThat(log).containsExactly("closed at the end of the run");
    }

    @Test
    @Tag("C21")
    void coroutineThatCancelsItsOwnScope_runsToItsNextWait() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> self = scope.spawn(() -> {
                scope.cancel(new AsyncCancellation("myself"));
                log.add("still here");
                suspend();
                log.add("not reached");
            });
            assertThatThrownBy(() -> await(self)).hasMessage("myself");
            assertThat(log).containsExactly("still here");
            assertThat(scope.isClosed()).isTrue();
        });
    }

    @Test
    @Tag("C22")
    void close_waitsUntilAllHaveUnwound() {
        TestRuntime.run(() -> {
            try (var scope = new Scope()) {
                scope.spawn(() -> {
                    try {
                        delay(10_000);
                    } finally {
                        delay(20);
                        log.add("unwound");
                    }
                });
                suspend();
            }
            log.add("after");
            assertThat(log).containsExactly("unwound", "after");
        });
    }

    @Test
    @Tag("C22")
    void close_isNotShortenedByACancellation() {
        TestRuntime.run(() -> {
            Coroutine<?> closer = spawn(() -> {
                try (var scope = new Scope()) {
                    scope.spawn(() -> {
                        try {
                            delay(10_000);
                        } finally {
                            delay(20);
                            log.add("unwound");
                        }
                    });
                    suspend();
                }
                log.add("after");
                suspend();
                log.add("not reached");
            });
            suspend();
            suspend();
            closer.cancel();
            assertThatThrownBy(() -> await(closer)).isInstanceOf(AsyncCancellation.class);
            assertThat(log).containsExactly("unwound", "after");
        });
    }

    @Test
    @Tag("C22")
    @Tag("F53")
    void close_addsAnErrorToTheOneOnItsWay() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> {
                        try (var scope = new Scope()) {
                            scope.spawn(() -> {
                                try {
                                    delay(1_000);
                                } catch (AsyncCancellation e) {
                                    throw new IllegalStateException("while closing", e);
                                }
                            });
                            suspend();
                            throw new IllegalArgumentException("in the block");
                        }
                    })
                    .isInstanceOf(IllegalArgumentException.class)
                    .satisfies(e -> assertThat(e.getSuppressed())
                            .anySatisfy(s -> assertThat(s).hasMessage("while closing")));
        });
    }

    @Test
    @Tag("C22")
    void closeFromInside_doesNotWaitForItself() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<?> inside = scope.spawn(() -> {
                scope.close();
                log.add("went on");
            });
            assertThatThrownBy(() -> await(inside)).isInstanceOf(AsyncCancellation.class);
            assertThat(log).containsExactly("went on");
        });
    }

    @Test
    @Tag("C24")
    void zombies_areWaitedForByTheRunAndKeepTheirHandlers() {
        TestRuntime.run(() -> {
            Scope scope = new Scope().allowZombies();
            scope.setExceptionHandler((s, coroutine, error) -> log.add("handled " + error.getMessage()));
            scope.spawn(() -> {
                delay(50);
                throw new IllegalStateException("late");
            });
            suspend();
            scope.dispose();
        });
        assertThat(log).containsExactly("handled late");
    }

    @Test
    @Tag("C22")
    void lostScopeWithCoroutines_isReportedAndDisposedOf() {
        TestRuntime run = TestRuntime.run(() -> {
            Coroutine<?> member = leak();
            suspend();
            for (int i = 0; i < 50 && !member.isCompleted(); i++) {
                Garbage.collect();
                delay(1);
            }
            assertThat(member.isCancelled()).isTrue();
        });
        assertThat(run.reports())
                .singleElement()
                .asString()
                .contains("ScopeEndTest.java")
                .contains("without close");
    }

    private static Coroutine<?> leak() {
        return new Scope().spawn(() -> await(new CompletableFuture<>()));
    }

    @Test
    @Tag("C22")
    void lostScopeThatATimerEnds_goesOnUntilThen() {
        TestRuntime run = TestRuntime.run(() -> {
            Coroutine<?> member = leakWithADeadline();
            suspend();
            collectSeveralTimes();
            assertThat(member.isCancelled()).isFalse();
            delay(60);
            assertThat(member.isCancelled()).isTrue();
        });
        assertThat(run.reports()).isEmpty();
    }

    private static void collectSeveralTimes() {
        for (int i = 0; i < 5; i++) {
            Garbage.collect();
            delay(1);
        }
    }

    private static Coroutine<?> leakWithADeadline() {
        var scope = new Scope();
        Coroutine<?> member = scope.spawn(() -> await(new CompletableFuture<>()));
        scope.disposeAfterTimeout(Duration.ofMillis(50));
        return member;
    }

    @Test
    @Tag("C22")
    void scopeAboveOneThatIsHeld_isNotLost() {
        TestRuntime run = TestRuntime.run(() -> {
            var members = new ArrayList<Coroutine<?>>();
            Scope below = belowALeak(members);
            suspend();
            collectSeveralTimes();
            assertThat(members).noneMatch(Coroutine::isCancelled);
            members.getFirst().cancel();
            suspend();
            below.close();
        });
        assertThat(run.reports()).isEmpty();
    }

    private static Scope belowALeak(List<Coroutine<?>> members) {
        var above = new Scope();
        members.add(above.spawn(() -> await(new CompletableFuture<>())));
        return Scope.inherit(above);
    }

    @Tag("sized")
    @Test
    void lostChildScope_isItsParentsToEnd() {
        TestRuntime.run(() -> {
            var parent = new Scope();
            Coroutine<?> member = Scope.inherit(parent).spawn(() -> delay(100));
            suspend();
            for (int i = 0; i < Depth.of(3, 20); i++) System.gc();
            await(member);
            parent.dispose();
            assertThat(parent.isClosed()).isTrue();
        });
    }

    @Test
    void lostChildScope_closesAsSoonAsItIsEmpty() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            var parent = new Scope();
            leakIn(parent, log);
            for (int i = 0; i < 50 && log.isEmpty(); i++) {
                Garbage.collect();
                delay(1);
            }
            assertThat(log).containsExactly("closed");
            assertThat(parent.isClosed()).isFalse();
        });
    }

    @Test
    void lostChildScopeThatNeverHadACoroutine_closesAtOnce() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            var parent = new Scope();
            leakEmptyIn(parent, log);
            for (int i = 0; i < 50 && log.isEmpty(); i++) {
                Garbage.collect();
                delay(1);
            }
            assertThat(log).containsExactly("closed");
            assertThat(parent.childScopes()).isEmpty();
        });
    }

    private static void leakEmptyIn(Scope parent, List<String> log) {
        Scope.inherit(parent).onFinally(scope -> log.add("closed"));
    }

    private static void leakIn(Scope parent, List<String> log) {
        var child = Scope.inherit(parent);
        child.onFinally(scope -> log.add("closed"));
        child.spawn(() -> {});
    }

    @Test
    void closedThoughItLetsRunOn_throwsWhatItsCoroutinesFailWith() {
        TestRuntime.run(() -> {
            var scope = new Scope().letRunOn();
            Coroutine<?> member = scope.spawn(() -> {
                delay(10);
                throw new IllegalStateException("late");
            });
            suspend();
            assertThatThrownBy(scope::close).hasMessage("late");
            assertThat(member.isCompleted()).isTrue();
        });
    }
}
