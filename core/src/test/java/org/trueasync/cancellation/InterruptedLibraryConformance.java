package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.Scope;
import org.trueasync.testkit.TestRun;

/**
 * A coroutine is cancelled in the middle of a library's call: whatever the library makes of the interrupt, and however
 * the coroutine cleans up, it ends as cancelled.
 */
public abstract class InterruptedLibraryConformance {
    private static final class LibraryException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LibraryException(String message) {
            super(message);
        }
    }

    /** What libraries do with an interrupt. Apart from the tests, as their code is. */
    private static final class Library {
        static void rethrows() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        static void wraps() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("wrapped", e);
            }
        }

        static void wrapsTwice() {
            try {
                wraps();
            } catch (IllegalStateException e) {
                var outer = new LibraryException("outer");
                outer.initCause(e);
                throw outer;
            }
        }

        static void setsTheStatusAgainAndWraps() {
            try {
                new CompletableFuture<>().get();
            } catch (Exception e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("wrapped", e);
            }
        }

        static void throwsItsOwn() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new LibraryException("gave up");
            }
        }

        static void throwsItsOwnWithTheStatusSet() {
            try {
                Thread.sleep(3_600_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw gaveUp();
            }
        }

        private static LibraryException gaveUp() {
            return new LibraryException("gave up");
        }

        static void throwsAnInterruptedIoException() throws IOException {
            try {
                new CountDownLatch(1).await(1, TimeUnit.HOURS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }

        static void readsASocket() {
            try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                    var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                client.getInputStream().read();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static void setsTheStatusAgainAndReturns() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        static void goesOnWaitingAndSetsTheStatusAtTheEnd(CountDownLatch latch) {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        latch.await();
                        return;
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) Thread.currentThread().interrupt();
            }
        }

        static void swallows() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // that is all
            }
        }
    }

    private static final Map<String, Body> BEHAVIOURS = new LinkedHashMap<>();
    private static final Map<String, Body> CLEAN_UPS = new LinkedHashMap<>();

    static {
        BEHAVIOURS.put("rethrows", Library::rethrows);
        BEHAVIOURS.put("wraps", Library::wraps);
        BEHAVIOURS.put("wraps twice", Library::wrapsTwice);
        BEHAVIOURS.put("sets the status again, wraps", Library::setsTheStatusAgainAndWraps);
        BEHAVIOURS.put("throws its own", Library::throwsItsOwn);
        BEHAVIOURS.put("throws its own, status set", Library::throwsItsOwnWithTheStatusSet);
        BEHAVIOURS.put("InterruptedIOException", Library::throwsAnInterruptedIoException);
        BEHAVIOURS.put("reads a socket", Library::readsASocket);
        BEHAVIOURS.put("sets the status again, returns", Library::setsTheStatusAgainAndReturns);
        CLEAN_UPS.put("no wait", () -> {});
        CLEAN_UPS.put("our wait", () -> {
            delay(1);
            suspend();
        });
        CLEAN_UPS.put("a wait of the JDK's", () -> Thread.sleep(1));
        CLEAN_UPS.put(
                "a protected section",
                () -> protect(() -> {
                    delay(1);
                    Thread.sleep(1);
                }));
    }

    /** What became of a coroutine that was cancelled in a call, and of its neighbour. */
    private static final class Outcome {
        final AsyncCancellation reason = new AsyncCancellation("given reason");
        final List<String> log = new ArrayList<>();
        boolean cancelled;
        Throwable thrown;
        final TestRun run = new TestRun(PendingCancellationConformance::reactor);

        Outcome of(Body body) {
            run.run(() -> {
                try (var scope = new Scope()) {
                    var gate = new CompletableFuture<Boolean>();
                    boolean[] begun = new boolean[1];
                    Coroutine<?> worker = scope.spawn(() -> {
                        begun[0] = true;
                        body.run();
                    });
                    Coroutine<?> neighbour = scope.spawn(() -> {
                        await(gate);
                        log.add("neighbour");
                    });
                    worker.onFinally(ended -> {
                        cancelled = ended.isCancelled();
                        thrown = ended.exception();
                    });
                    Waits.until(worker, () -> begun[0]);
                    worker.cancel(reason);
                    while (!worker.isCompleted()) delay(1);
                    suspend();
                    gate.complete(true);
                    await(neighbour, timeout(60_000));
                    assertThat(scope.isCancelled()).isFalse();
                }
            });
            return this;
        }
    }

    @TestFactory
    @Tag("D14")
    Stream<DynamicTest> interruptedCall_endsTheCoroutineAsCancelled() {
        return BEHAVIOURS.entrySet().stream().flatMap(behaviour -> CLEAN_UPS.entrySet().stream()
                .map(cleanUp ->
                        DynamicTest.dynamicTest(behaviour.getKey() + "; cleans up with " + cleanUp.getKey(), () -> {
                            var outcome = new Outcome();
                            outcome.of(() -> {
                                try {
                                    behaviour.getValue().run();
                                } finally {
                                    clean(outcome.log, cleanUp.getValue());
                                }
                            });
                            assertThat(outcome.thrown).isSameAs(outcome.reason);
                            assertThat(outcome.cancelled).isTrue();
                            // With the status set, the JDK's waits end at once, as everywhere.
                            boolean cut = cleanUp.getKey().equals("a wait of the JDK's")
                                    && leavesStatusSet(behaviour.getKey());
                            if (cut) assertThat(outcome.log).containsExactly("neighbour");
                            else assertThat(outcome.log).containsExactly("cleaned up", "neighbour");
                        })));
    }

    private static boolean leavesStatusSet(String behaviour) {
        return behaviour.contains("status") || behaviour.contains("Interrupted") || behaviour.contains("socket");
    }

    private static void clean(List<String> log, Body cleanUp) throws Exception {
        try {
            cleanUp.run();
        } catch (Exception e) {
            throw e;
        } catch (Throwable e) {
            throw (Error) e;
        }
        log.add("cleaned up");
    }

    @TestFactory
    @Tag("D14")
    @Tag("C7")
    Stream<DynamicTest> interruptThatIsSwallowed_theCoroutineGoesOnToItsValue() {
        return CLEAN_UPS.entrySet().stream()
                .map(after -> DynamicTest.dynamicTest("then " + after.getKey(), () -> {
                    var outcome = new Outcome();
                    outcome.of(() -> {
                        Library.swallows();
                        after.getValue().run();
                        outcome.log.add("went on");
                    });
                    assertThat(outcome.cancelled).isFalse();
                    assertThat(outcome.thrown).isNull();
                    assertThat(outcome.log).containsExactly("went on", "neighbour");
                }));
    }

    /** As Guava's uninterruptible waits do: the status at the end says that the interrupt stands. */
    @Test
    @Tag("D13")
    void interruptThatIsPutOff_isThrownAtTheNextWaitOfOurs() {
        var outcome = new Outcome();
        var latch = new CountDownLatch(1);
        outcome.of(() -> {
            Coroutine<?> self = org.trueasync.Async.currentCoroutine();
            Coroutine<?> opener = org.trueasync.Async.spawn(() -> {
                Waits.until(self, self::isCancellationRequested);
                latch.countDown();
            });
            Library.goesOnWaitingAndSetsTheStatusAtTheEnd(latch);
            outcome.log.add("waited to the end");
            assertThat(opener.isCompleted()).isTrue();
            delay(3_600_000);
        });
        assertThat(outcome.cancelled).isTrue();
        assertThat(outcome.log).containsExactly("waited to the end", "neighbour");
    }

    /** Nothing tells an error of the clean-up from one that the library makes of the interrupt. */
    @Test
    @Tag("D27")
    void errorInFinally_isAttachedAndReported() {
        var outcome = new Outcome().of(() -> {
            try {
                Library.wraps();
            } finally {
                delay(1);
                full();
            }
        });
        assertThat(outcome.thrown).isSameAs(outcome.reason);
        assertThat(outcome.reason.getSuppressed()).singleElement().asString().endsWith("the disk is full");
        assertThat(outcome.run.reports()).singleElement().asString().contains("IOException: the disk is full");
    }

    private static void full() throws IOException {
        throw new IOException("the disk is full");
    }

    /**
     * It may be what the library makes of the interrupt, or an error of the library's: so it is told, and no failure.
     */
    @Test
    @Tag("D14")
    @Tag("C11")
    void errorThatDoesNotSayWhy_isAttachedAndReported() {
        var outcome = new Outcome().of(() -> Library.throwsItsOwn());
        assertThat(outcome.reason.getSuppressed()).hasAtLeastOneElementOfType(LibraryException.class);
        assertThat(outcome.run.reports())
                .singleElement()
                .asString()
                .contains("has ended as cancelled", "LibraryException: gave up");
        assertThat(new Outcome().of(() -> Library.wraps()).run.reports()).isEmpty();
    }
}
