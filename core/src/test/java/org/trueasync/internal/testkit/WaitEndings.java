package org.trueasync.internal.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.OperationCanceledException;
import org.trueasync.RuntimeStats;
import org.trueasync.Scope;
import org.trueasync.VoidSection;
import org.trueasync.internal.testkit.WaitCase.SetUp;
import org.trueasync.spi.Cleanup;

/**
 * Ends a wait in every way in which one can end. Each time the waiter gets what that way says, nothing is left of the
 * wait, what was brought for it is still there, and the same operation succeeds afterwards.
 */
public final class WaitEndings {
    private static final Duration LIMIT = Duration.ofMillis(50);

    private final AsyncCancellation reason = new AsyncCancellation("given reason");
    private final IllegalStateException planned = new IllegalStateException("planned");
    private final SetUp setUp;
    private boolean takesToken;
    private boolean isQueued;
    private boolean endsLater;
    private @Nullable Class<? extends Throwable> thrownIfInterrupted;

    private WaitEndings(SetUp setUp) {
        this.setUp = setUp;
    }

    /**
     * Checks all but the end of the run.
     *
     * @param run has not begun
     * @return what the run has reported, but for what was dropped: no row closes its pool, which the collector may see
     */
    public static List<String> check(SetUp setUp, TestRuntime run) {
        run.start(() -> {
            new WaitEndings(setUp).check();
            Async.gracefulShutdown();
        });
        return reports(run);
    }

    /** As {@link #check}, that a drain disturbs no wait, and the cancellation after it ends them. */
    public static List<String> checkShutdown(SetUp setUp, TestRuntime run) throws Throwable {
        var whatTheWaiterGot = new Body[1];
        run.start(() -> whatTheWaiterGot[0] = new WaitEndings(setUp).shutDown());
        whatTheWaiterGot[0].run();
        return reports(run);
    }

    private static List<String> reports(TestRuntime run) {
        return run.reports().stream()
                .filter(report -> !report.contains(" was dropped without being "))
                .toList();
    }

    private void check() throws Throwable {
        made().close();
        for (End end : ends()) ends(end);
        cancelledBefore();
        if (!isQueued) {
            cancelledBesideAFailure();
            cancelledWhileProtected();
        }
        if (takesToken) spentToken();
        for (End end : ends()) {
            if (end.limit != null) continue;
            servedAnd(end, true);
            servedAnd(end, false);
        }
    }

    // ---- who waits

    /** A coroutine in a scope of its own that calls the operation. */
    private static final class Waiter {
        final WaitCase of;
        final Scope scope = Scope.inherit();
        final FutureState<Object> token = new FutureState<>();
        final Coroutine<?> coroutine;

        @Nullable
        Thread thread;

        boolean served;

        @Nullable
        Throwable thrown;

        Waiter(WaitCase of, Way way) {
            this.of = of;
            token.ignore();
            coroutine = scope.spawn(() -> {
                thread = Thread.currentThread();
                try {
                    way.call(this);
                } catch (Throwable e) {
                    thrown = e;
                }
            });
        }

        void waits() throws Throwable {
            waits(token.future());
        }

        void waits(Completable<?> by) throws Throwable {
            of.call.with(by);
            served = true;
            // what the wait did not throw is due at the next one
            if (of.lastsToTheEnd) delay(1);
        }

        Waiter arrived() {
            await();
            assertThat(coroutine.isCompleted())
                    .as("it does not wait, but ended with %s", thrown)
                    .isFalse();
            return this;
        }

        /** Until it waits, or has ended. */
        void await() {
            if (of.arrivesInQueue) Async.suspend();
            else
                until(
                        () -> coroutine.isCompleted() || coroutine.isSuspended() && !coroutine.isQueued(),
                        () -> "it does not come to its wait: " + coroutine);
        }

        /** Until the reactor has woken it. It does not run before the caller waits again. */
        void isWoken() {
            Async.currentCoroutine().asHighPriority();
            for (int i = 0; i < 1_000 && !coroutine.isQueued() && !coroutine.isCompleted(); i++)
                delay(Duration.ofNanos(1_000));
        }

        /** What it has thrown, or null. */
        @Nullable
        Throwable outcome() {
            until(coroutine::isCompleted, () -> "it waits on: " + coroutine + " " + coroutine.awaitingInfo());
            return thrown;
        }
    }

    private interface Way {
        void call(Waiter waiter) throws Throwable;
    }

    /** Others run, and time passes, until something is so. Calls on other threads take real time. */
    private static void until(BooleanSupplier isSo, Supplier<String> otherwise) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() - end > 0) throw new AssertionError(otherwise.get());
            delay(1);
        }
    }

    private WaitCase made() throws Throwable {
        var made = new WaitCase();
        setUp.make(made);
        takesToken = made.takesToken;
        isQueued = made.arrivesInQueue;
        endsLater = made.lastsToTheEnd;
        thrownIfInterrupted = made.thrownIfInterrupted;
        return made;
    }

    /** What a wait must not leave behind. */
    private record Held(int coroutines, int events, int timers, int handles, int blocked) {
        static Held now() {
            RuntimeStats stats = Async.runtimeStats();
            return new Held(
                    stats.coroutines(), stats.activeEvents(), stats.timers(), stats.reactorHandles(), stats.blocked());
        }

        boolean isMoreThan(Held other) {
            return coroutines > other.coroutines
                    || events > other.events
                    || timers > other.timers
                    || handles > other.handles
                    || blocked > other.blocked;
        }

        void assertNoMore() {
            until(() -> !now().isMoreThan(this), () -> "left of the wait: " + now() + ", before it " + this);
        }
    }

    /** Another one waits, and is served. */
    private static void succeeds(WaitCase wait, boolean serve) throws Throwable {
        var again = new Waiter(wait, waiter -> waiter.waits());
        if (serve) {
            again.await();
            wait.serving.run();
        }
        assertThat(again.outcome()).as("used again").isNull();
        again.scope.close();
        wait.leftovers.run();
        wait.close();
    }

    // ---- the ends

    /**
     * An end of a wait.
     *
     * @param limit of the section that waits, or null
     */
    private record End(
            String name, @Nullable Duration limit, Way begin, Way way, Consumer<@Nullable Throwable> outcome) {
        boolean interrupts() {
            return name.equals("interrupted");
        }
    }

    private End end(String name, Way way, Consumer<@Nullable Throwable> outcome) {
        return new End(name, null, waiter -> waiter.waits(), way, outcome);
    }

    private End byToken(String name, Way way, Consumer<@Nullable Throwable> cause) {
        return new End(name, null, waiter -> waiter.waits(waiter.token.future()), way, thrown -> {
            assertThat(thrown).isInstanceOf(OperationCanceledException.class);
            cause.accept(thrown.getCause());
        });
    }

    private List<End> ends() throws Throwable {
        var ends = new ArrayList<End>();
        ends.add(end("coroutine cancelled", waiter -> waiter.coroutine.cancel(reason), this::isReason));
        ends.add(end("scope cancelled", waiter -> waiter.scope.cancel(reason), this::isReason));
        ends.add(end("scope disposed of", waiter -> waiter.scope.dispose(), thrown -> assertThat(thrown)
                .isInstanceOf(AsyncCancellation.class)));
        if (isQueued) return ends;
        ends.add(end(
                "interrupted", waiter -> Objects.requireNonNull(waiter.thread).interrupt(), this::isOfTheInterrupt));
        ends.add(new End(
                "over its limit",
                LIMIT,
                waiter -> withTimeout(LIMIT, (VoidSection<Throwable>) () -> waiter.waits()),
                waiter -> {},
                thrown -> assertThat(thrown)
                        .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> assertThat(e.after())
                                .isEqualTo(LIMIT))));
        if (!takesToken) return ends;
        ends.add(byToken("token with a value", waiter -> waiter.token.complete("value"), cause -> assertThat(cause)
                .isNull()));
        ends.add(byToken("token with an error", waiter -> waiter.token.error(planned), cause -> assertThat(cause)
                .isSameAs(planned)));
        ends.add(byToken("token cancelled", waiter -> waiter.token.future().cancel(reason), this::isReason));
        ends.add(new End(
                "token's time over", LIMIT, waiter -> waiter.waits(timeout(LIMIT)), waiter -> {}, thrown -> assertThat(
                                thrown)
                        .isInstanceOf(OperationCanceledException.class)
                        .hasCauseInstanceOf(AsyncTimeoutException.class)));
        return ends;
    }

    private void isOfTheInterrupt(@Nullable Throwable thrown) {
        boolean isLater = endsLater && thrown instanceof AsyncCancellation;
        if (thrownIfInterrupted != null && !isLater) assertThat(thrown).isInstanceOf(thrownIfInterrupted);
        else assertThat(thrown).isInstanceOf(AsyncCancellation.class).hasMessageStartingWith("interrupted: ");
    }

    private void isReason(@Nullable Throwable thrown) {
        assertThat(thrown).isSameAs(reason);
    }

    private void ends(End end) throws Throwable {
        step(end.name, () -> {
            WaitCase wait = made();
            Held before = Held.now();
            Waiter waiter = new Waiter(wait, end.begin).arrived();
            end.way.call(waiter);
            if (wait.lastsToTheEnd && !(end.interrupts() && thrownIfInterrupted != null)) {
                delay(100);
                assertThat(waiter.coroutine.isCompleted()).isFalse();
                wait.serving.run();
            }
            end.outcome.accept(waiter.outcome());
            waiter.scope.close();
            before.assertNoMore();
            succeeds(wait, true);
        });
    }

    /** Makes failures say which check it was. */
    private static void step(String name, Body check) throws Throwable {
        try {
            check.run();
        } catch (AssertionError e) {
            throw new AssertionError(name + ": " + e.getMessage(), e);
        } catch (Throwable e) {
            throw new AssertionError(name + ": " + e, e);
        }
    }

    private void cancelledBefore() throws Throwable {
        step("cancelled before", () -> {
            WaitCase wait = made();
            Held before = Held.now();
            var waiter = new Waiter(wait, self -> {
                self.coroutine.cancel(reason);
                if (wait.lastsToTheEnd) wait.serving.run();
                self.waits();
            });
            isReason(waiter.outcome());
            waiter.scope.close();
            before.assertNoMore();
            succeeds(wait, true);
        });
    }

    private void cancelledBesideAFailure() throws Throwable {
        step("failure beside it", () -> {
            WaitCase wait = made();
            Held before = Held.now();
            Waiter waiter = new Waiter(wait, self -> self.waits()).arrived();
            waiter.scope.launch(() -> {
                throw planned;
            });
            // somebody must wait for the scope when it fails
            spawn(() -> {
                delay(100);
                if (!wait.lastsToTheEnd) return;
                assertThat(waiter.coroutine.isCompleted()).isFalse();
                wait.serving.run();
            });
            assertThatThrownBy(waiter.scope::awaitCompletion).isSameAs(planned);
            assertThat(waiter.outcome())
                    .isInstanceOf(AsyncCancellation.class)
                    .isNotInstanceOf(OperationCanceledException.class);
            before.assertNoMore();
            succeeds(wait, true);
        });
    }

    private void cancelledWhileProtected() throws Throwable {
        step("protected", () -> {
            WaitCase wait = made();
            Waiter waiter = new Waiter(wait, self -> {
                        protect((VoidSection<Throwable>) self::waits);
                        delay(1);
                    })
                    .arrived();
            waiter.coroutine.cancel(reason);
            delay(100);
            assertThat(waiter.coroutine.isCompleted())
                    .as("ended with %s", waiter.thrown)
                    .isFalse();
            wait.serving.run();
            isReason(waiter.outcome());
            assertThat(waiter.served).isTrue();
            waiter.scope.close();
            succeeds(wait, true);
        });
    }

    private void spentToken() throws Throwable {
        step("spent token", () -> {
            WaitCase wait = made();
            Held before = Held.now();
            var waiter = new Waiter(wait, self -> {
                self.token.error(planned);
                self.waits(self.token.future());
            });
            assertThat(waiter.outcome())
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCause(planned);
            waiter.scope.close();
            before.assertNoMore();
            succeeds(wait, true);
        });
    }

    /** Both happen before the waiter runs: one of them has happened to it, and nothing is lost. */
    private void servedAnd(End end, boolean servedFirst) throws Throwable {
        step((servedFirst ? "served and " : "not served in time, ") + end.name, () -> {
            WaitCase wait = made();
            Held before = Held.now();
            Waiter waiter = new Waiter(wait, end.begin).arrived();
            if (servedFirst) wait.serving.run();
            if (servedFirst && wait.comesFromOutside) waiter.isWoken();
            end.way.call(waiter);
            if (!servedFirst) wait.serving.run();
            Throwable thrown = waiter.outcome();
            // an interrupt that comes too late for the call is a cancellation
            boolean isLater = end.interrupts() && thrown instanceof AsyncCancellation;
            if (thrown != null && !isLater) end.outcome.accept(thrown);
            waiter.scope.close();
            if (!wait.bringsWaiters) before.assertNoMore();
            succeeds(wait, waiter.served || wait.keepsNothing);
        });
    }

    private Body shutDown() throws Throwable {
        WaitCase wait = made();
        Waiter ended = new Waiter(wait, Waiter::waits).arrived();
        var drained = new FutureState<Integer>();
        Cleanup.onDrain(() -> await(drained.future()));
        Async.gracefulShutdown(reason);
        delay(100);
        if (!isQueued && !wait.endsInADrain) {
            assertThat(ended.coroutine.isCompleted())
                    .as("in the drain it ended with %s", ended.thrown)
                    .isFalse();
            // others are served as ever
            if (!wait.needsThreads && !wait.elapses && !wait.needsServer) succeeds(made(), true);
        }
        drained.complete(1);
        try {
            delay(Duration.ofDays(365));
        } catch (AsyncCancellation e) {
            // main's end
        }
        return () -> {
            if (wait.endsInADrain) assertThat(ended.thrown).isNull();
            else if (wait.needsThreads) assertThat(ended.thrown).isInstanceOf(AsyncCancellation.class);
            else if (!isQueued) isReason(ended.thrown);
        };
    }
}
