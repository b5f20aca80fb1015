package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.Scope;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ReactorProvider;
import org.trueasync.testkit.TestRun;

/**
 * Whatever a coroutine waits for, and however it comes that it is to be cancelled: the wait ends, and the coroutine as
 * cancelled.
 */
public abstract class PendingCancellationConformance {
    static Reactor reactor() {
        return ServiceLoader.load(ReactorProvider.class)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no reactor is on the class path"))
                .create();
    }

    /** One cell: a coroutine that comes to a wait, and what becomes of it. */
    private static final class Cell {
        final AsyncCancellation reason = new AsyncCancellation("given reason");
        final List<String> log = new ArrayList<>();
        final CompletableFuture<Boolean> gate = new CompletableFuture<>();
        final Waits.Kind kind;
        boolean waits;
        boolean cancelled;
        Throwable outcome;

        Cell(Waits.Kind kind) {
            this.kind = kind;
        }

        void begin(Waits.Wait wait) throws Throwable {
            waits = true;
            try {
                wait.begin();
                log.add("waited to the end");
            } catch (AsyncCancellation | InterruptedException | IOException e) {
                log.add("left");
                throw e;
            }
        }

        /** Where the worker can't be cancelled, and comes from when the gate opens. */
        void pass() {
            waits = true;
            await(gate);
            waits = false;
        }

        void watch(Coroutine<?> worker) {
            worker.onFinally(ended -> {
                cancelled = ended.isCancelled();
                outcome = ended.exception();
            });
        }

        void open() {
            gate.complete(true);
        }
    }

    /** A way in which a coroutine is told to end. */
    private interface Way {
        void run(Cell cell, Waits.Wait wait, Waits.Wait other) throws Throwable;
    }

    private static void end(Cell cell, Coroutine<?> worker) {
        try {
            await(worker, timeout(60_000));
        } catch (AsyncCancellation e) {
            assertThat(worker.isCompleted())
                    .as("the wait has ended, %s", worker)
                    .isTrue();
            assertThat(e).isSameAs(cell.reason);
        }
    }

    private static void whileItWaits(Cell cell, Waits.Wait wait, Waits.Wait other) {
        Coroutine<?> worker = spawn(() -> cell.begin(wait));
        cell.watch(worker);
        Waits.until(worker, () -> cell.waits);
        worker.cancel(cell.reason);
        end(cell, worker);
    }

    private static void insideOfProtect(Cell cell, Waits.Wait wait, Waits.Wait other) {
        Coroutine<?> worker = spawn(() -> {
            protect(cell::pass);
            cell.log.add("section kept");
            cell.begin(wait);
        });
        cell.watch(worker);
        Waits.until(worker, () -> cell.waits);
        worker.cancel(cell.reason);
        cell.open();
        end(cell, worker);
        assertThat(cell.log.removeFirst()).isEqualTo("section kept");
    }

    private static void insideOfProtectInJdkCode(Cell cell, Waits.Wait wait, Waits.Wait other) {
        Coroutine<?> worker = spawn(() -> {
            protect(() -> {
                cell.waits = true;
                cell.gate.get();
                cell.waits = false;
            });
            cell.log.add("section kept");
            cell.begin(wait);
        });
        cell.watch(worker);
        Waits.until(worker, () -> cell.waits);
        worker.cancel(cell.reason);
        cell.open();
        end(cell, worker);
        assertThat(cell.log.removeFirst()).isEqualTo("section kept");
    }

    private static void whileCloseWaits(Cell cell, Waits.Wait wait, Waits.Wait other) {
        Coroutine<?> worker = spawn(() -> {
            try (var scope = new Scope()) {
                Coroutine<?> child = scope.spawn(() -> protect(cell::pass));
                Waits.until(child, () -> cell.waits);
                cell.log.add("closing");
            }
            cell.log.add("closed");
            cell.begin(wait);
        });
        cell.watch(worker);
        Waits.until(worker, () -> !cell.log.isEmpty());
        worker.cancel(cell.reason);
        cell.open();
        end(cell, worker);
        assertThat(cell.log.removeFirst()).isEqualTo("closing");
        assertThat(cell.log.removeFirst()).isEqualTo("closed");
    }

    private static void ofItself(Cell cell, Waits.Wait wait, Waits.Wait other) {
        Coroutine<?> worker = spawn(() -> {
            currentCoroutine().cancel(cell.reason);
            cell.begin(wait);
        });
        cell.watch(worker);
        end(cell, worker);
    }

    private static void itsScopes(Cell cell, Waits.Wait wait, Waits.Wait other) {
        var scope = new Scope();
        Coroutine<?> worker = scope.spawn(() -> cell.begin(wait));
        cell.watch(worker);
        Waits.until(worker, () -> cell.waits);
        scope.cancel(cell.reason);
        end(cell, worker);
    }

    private static void secondOneAfterACaughtOne(Cell cell, Waits.Wait wait, Waits.Wait other) {
        Coroutine<?> worker = spawn(() -> {
            try {
                cell.waits = true;
                other.begin();
            } catch (AsyncCancellation | InterruptedException | IOException e) {
                cell.log.add("caught");
                cell.waits = false;
                Thread.interrupted(); // socket I/O leaves it set
            }
            cell.begin(wait);
        });
        cell.watch(worker);
        Waits.until(worker, () -> cell.waits);
        worker.cancel(cell.reason);
        Waits.until(worker, () -> cell.waits && !cell.log.isEmpty());
        worker.cancel(new AsyncCancellation("second"));
        end(cell, worker);
        assertThat(cell.log.removeFirst()).isEqualTo("caught");
    }

    private static void shutdown(Cell cell, Waits.Wait wait, Waits.Wait other) {
        Coroutine<?> worker = spawn(() -> cell.begin(wait));
        cell.watch(worker);
        Waits.until(worker, () -> cell.waits);
        gracefulShutdown(cell.reason);
    }

    private static void shutdownWhileProtected(Cell cell, Waits.Wait wait, Waits.Wait other) {
        Coroutine<?> worker = spawn(() -> protect(() -> cell.begin(wait)));
        cell.watch(worker);
        Waits.until(worker, () -> cell.waits);
        gracefulShutdown(cell.reason);
    }

    private static Stream<DynamicTest> against(Map<String, Waits.Kind> kinds, Way way) {
        return kinds.entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
                    var cell = new Cell(e.getValue());
                    var run = new TestRun(PendingCancellationConformance::reactor);
                    run.run(() -> {
                        Waits.Wait wait = cell.kind.make();
                        Waits.Wait other = cell.kind.make();
                        try {
                            way.run(cell, wait, other);
                        } finally {
                            org.trueasync.spi.Cleanup.atEnd(wait::close);
                            org.trueasync.spi.Cleanup.atEnd(other::close);
                        }
                    });
                    assertThat(cell.log).containsExactly("left");
                    assertThat(cell.outcome).isSameAs(cell.reason);
                    assertThat(cell.cancelled).isTrue();
                    assertThat(run.reports()).isEmpty();
                }));
    }

    @TestFactory
    @Tag("C2")
    Stream<DynamicTest> cancelledWhileItWaits_theWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::whileItWaits);
    }

    @TestFactory
    @Tag("D13")
    Stream<DynamicTest> cancelledInsideOfProtect_theNextWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::insideOfProtect);
    }

    @TestFactory
    @Tag("D13")
    Stream<DynamicTest> cancelledInJdkCodeInsideOfProtect_theNextWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::insideOfProtectInJdkCode);
    }

    @TestFactory
    @Tag("D13")
    Stream<DynamicTest> cancelledWhileCloseWaits_theNextWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::whileCloseWaits);
    }

    @TestFactory
    @Tag("D13")
    @Tag("C5")
    Stream<DynamicTest> cancelledByItself_theNextWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::ofItself);
    }

    @TestFactory
    @Tag("D12")
    Stream<DynamicTest> scopeCancelled_theWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::itsScopes);
    }

    @TestFactory
    @Tag("D14")
    @Tag("C7")
    Stream<DynamicTest> cancelledAgainAfterItWasCaught_theWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::secondOneAfterACaughtOne);
    }

    @TestFactory
    @Tag("D13")
    Stream<DynamicTest> shutdown_theWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::shutdown);
    }

    @TestFactory
    @Tag("D13")
    @Tag("C12")
    Stream<DynamicTest> shutdownWhileProtected_theWaitEnds() {
        return against(Waits.all(), PendingCancellationConformance::shutdownWhileProtected);
    }

    /** JDK code and time-outs may end by themselves, so they are no deadlock. */
    @TestFactory
    @Tag("D13")
    Stream<DynamicTest> deadlock_theWaitEndsAlsoInsideOfProtect() {
        return Stream.of("Channel.receive", "Async.await")
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    var cell = new Cell(Waits.all().get(name));
                    var run = new TestRun(PendingCancellationConformance::reactor);
                    try {
                        run.run(() -> {
                            Waits.Wait wait = cell.kind.make();
                            cell.watch(spawn(() -> protect(() -> cell.begin(wait))));
                        });
                        throw new AssertionError("the run was expected to end with the deadlock");
                    } catch (DeadlockError deadlock) {
                        assertThat(deadlock).hasMessageContaining("suspended Waits.java");
                    }
                    assertThat(cell.log).containsExactly("left");
                    assertThat(cell.cancelled).isTrue();
                }));
    }

    /** A wait that an interrupt can't end is not disturbed; the cancellation is due at the next one. */
    @TestFactory
    @Tag("D13")
    Stream<DynamicTest> cancelledInAnUninterruptibleWait_theWaitAfterItEnds() {
        return Waits.all().entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
                    var cell = new Cell(e.getValue());
                    new TestRun(PendingCancellationConformance::reactor).run(() -> {
                        var lock = new java.util.concurrent.locks.ReentrantLock();
                        var free = new CompletableFuture<Boolean>();
                        var monitor = new Object();
                        Coroutine<?> holder = spawn(() -> {
                            synchronized (monitor) {
                                lock.lock();
                                await(free);
                                lock.unlock();
                            }
                        });
                        Waits.until(holder, () -> true);
                        try (Waits.Wait wait = cell.kind.make()) {
                            Coroutine<?> worker = spawn(() -> {
                                lock.lock();
                                synchronized (monitor) {
                                    cell.log.add("both taken");
                                }
                                lock.unlock();
                                assertThat(Thread.currentThread().isInterrupted())
                                        .isFalse();
                                cell.begin(wait);
                            });
                            cell.watch(worker);
                            Waits.until(worker, () -> true);
                            worker.cancel(cell.reason);
                            delay(1);
                            free.complete(true);
                            end(cell, worker);
                        }
                    });
                    assertThat(cell.log).containsExactly("both taken", "left");
                    assertThat(cell.cancelled).isTrue();
                }));
    }
}
