package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.IllegalFormatException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

class CancellationTest {
    private static final AsyncCancellation REASON = new AsyncCancellation("given reason");

    @Test
    @Tag("C1")
    @Tag("F30")
    void notStarted_bodyNeverRunsAndAwaiterGetsTheReason() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> log.add("body"));
            Coroutine<?> awaiter = spawn(() -> {
                assertThatThrownBy(() -> await(c)).isSameAs(REASON);
                log.add("awaiter");
            });
            c.cancel(REASON);
            assertThat(c.isCompleted()).as("ends when its turn comes").isFalse();
            await(awaiter);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
        assertThat(log).containsExactly("awaiter");
    }

    @Test
    @Tag("C1")
    void notStartedAndAwaitedAlready_wakesTheAwaiter() {
        TestRuntime.run(() -> {
            var target = new ArrayList<Coroutine<?>>();
            spawn(() -> assertThatThrownBy(() -> await(target.getFirst())).isSameAs(REASON));
            spawn(() -> target.getFirst().cancel(REASON));
            target.add(spawn(() -> {}));
        });
    }

    @Test
    @Tag("F32")
    void cancelledByAMicrotaskWhileItSuspends_wakesAtOnce() {
        TestRuntime.run(() -> {
            for (boolean yields : new boolean[] {false, true}) {
                var self = new ArrayList<Coroutine<?>>();
                var never = new ManualEvent("never");
                Coroutine<?> c = spawn(() -> {
                    new Microtask() {
                        @Override
                        protected void run() {
                            self.getFirst().cancel(REASON);
                        }
                    }.enqueue();
                    if (yields) {
                        suspend();
                    } else {
                        Waker waker = Waker.current();
                        waker.resumeWhen(never, ResumeCallback.RESOLVE);
                        waker.await();
                    }
                });
                self.add(c);
                assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            }
        });
    }

    @Test
    @Tag("C2")
    void suspended_wakesWithTheCancellationAndFinallyMayWait() {
        var log = new ArrayList<String>();
        TestRuntime.run(runtime -> {
            Coroutine<?> c = spawn(() -> {
                try {
                    delay(1_000);
                } catch (AsyncCancellation e) {
                    assertThat(e).isSameAs(REASON);
                    throw e;
                } finally {
                    delay(20);
                    log.add("finally at " + runtime.reactor().nanoTime() / 1_000_000);
                }
            });
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
        assertThat(log).containsExactly("finally at 20");
    }

    @Test
    @Tag("C2")
    void suspended_isQueuedAtTheTail() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    log.add("cancelled");
                }
            });
            suspend();
            spawn(() -> log.add("queued earlier"));
            c.cancel();
            log.add("after cancel");
            spawn(() -> log.add("queued later"));
        });
        assertThat(log).containsExactly("after cancel", "queued earlier", "cancelled", "queued later");
    }

    @Test
    @Tag("C2")
    void suspended_timerIsReleasedAtOnce() {
        TestRuntime ended = TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(60_000));
            suspend();
            assertThat(Async.runtimeStats().timers()).isEqualTo(1);
            c.cancel();
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
        assertThat(ended.reactor().nanoTime()).isZero();
    }

    @Test
    @Tag("C3")
    void queuedWithAValue_keepsItsPlaceAndGetsTheCancellation() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            Coroutine<?> c = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
                try {
                    log.add("value " + waker.await());
                } finally {
                    log.add("woken");
                }
            });
            suspend();
            event.fire("value");
            spawn(() -> log.add("queued later"));
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
        assertThat(log).containsExactly("woken", "queued later");
    }

    @Test
    @Tag("C3")
    void queuedBySuspend_getsTheCancellationThere() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                assertThatThrownBy(Async::suspend).isSameAs(REASON);
                throw REASON;
            });
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
    }

    @Test
    @Tag("C3")
    @Tag("F32")
    void queuedWithAnError_theErrorIsDeliveredAndNothingLeaksIntoTheNextWait() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var event = new ManualEvent("door");
            Coroutine<?> c = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
                assertThatThrownBy(waker::await).isSameAs(error);
                delay(5);
            });
            suspend();
            event.fail(error);
            c.cancel(REASON);
            delay(10);
            assertThat(c.isCompleted()).isTrue();
            assertThat(c.isCancellationRequested()).isTrue();
        });
    }

    @Test
    @Tag("C4")
    void finished_isLeftAlone() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            Coroutine<Integer> returned = spawn(() -> 1);
            Coroutine<Integer> failed = spawn(() -> {
                throw error;
            });
            suspend();
            returned.cancel();
            failed.cancel();
            assertThat(await(returned)).isEqualTo(1);
            assertThatThrownBy(() -> await(failed)).isSameAs(error);
            assertThat(returned.isCancelled() || returned.isCancellationRequested())
                    .isFalse();
            assertThat(failed.isCancelled() || failed.isCancellationRequested()).isFalse();
        });
    }

    @Test
    @Tag("C5")
    void current_goesOnToItsNextSuspension() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                currentCoroutine().cancel(REASON);
                log.add("goes on");
                assertThat(currentCoroutine().isCancelled()).isFalse();
                try {
                    suspend();
                    log.add("not reached");
                } catch (AsyncCancellation e) {
                    assertThat(e).isSameAs(REASON);
                    log.add("interrupted");
                    throw e;
                }
            });
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
        assertThat(log).containsExactly("goes on", "interrupted");
    }

    @Test
    @Tag("C5")
    void currentThatReturnsAValue_endsCancelledNevertheless() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> {
                currentCoroutine().cancel(REASON);
                return 1;
            });
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(c.result()).isNull();
            assertThat(c.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("C5")
    void currentWithAnEventThatHappenedAlready_isInterruptedAtTheWaitWithoutArming() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            Coroutine<?> c = spawn(() -> {
                currentCoroutine().cancel(REASON);
                Waker waker = Waker.current();
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
                waker.await();
            });
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(event.armed()).isZero();
            assertThat(event.hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("C6")
    void twoReasons_theFirstWins() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(1_000));
            suspend();
            c.cancel(REASON);
            c.cancel(new AsyncCancellation("second"));
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
    }

    @Test
    @Tag("C6")
    void reasonInWords_isTheMessage() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(1_000));
            suspend();
            c.cancel("no longer wanted");
            assertThatThrownBy(() -> await(c))
                    .isExactlyInstanceOf(AsyncCancellation.class)
                    .hasMessage("no longer wanted");
            assertThatThrownBy(() -> c.cancel((String) null)).isInstanceOf(NullPointerException.class);
            Coroutine<?> other = spawn(() -> delay(1_000));
            suspend();
            assertThatThrownBy(() -> other.cancel("%d", "no number")).isInstanceOf(IllegalFormatException.class);
            other.cancel("no answer within %d s, %s", 5, null);
            assertThatThrownBy(() -> await(other)).hasMessage("no answer within 5 s, null");
            Coroutine<?> plain = spawn(() -> delay(1_000));
            suspend();
            plain.cancel("100% done");
            assertThatThrownBy(() -> await(plain)).hasMessage("100% done");
        });
    }

    @Test
    @Tag("C6")
    void noReason_thereIsADefault() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(1_000));
            suspend();
            c.cancel();
            assertThatThrownBy(() -> await(c))
                    .isExactlyInstanceOf(AsyncCancellation.class)
                    .hasMessageContaining("cancelled");
            assertThatThrownBy(() -> c.cancel(null)).isInstanceOf(NullPointerException.class);
        });
    }

    @Test
    @Tag("C7")
    void caught_goesOnAndTheRequestStays() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> {
                try {
                    delay(1_000);
                } catch (AsyncCancellation e) {
                    assertThat(currentCoroutine().isCancellationRequested()).isTrue();
                }
                delay(5);
                suspend();
                return 7;
            });
            suspend();
            c.cancel();
            assertThat(await(c)).isEqualTo(7);
            assertThat(c.isCancelled()).isFalse();
            assertThat(c.isCancellationRequested()).isTrue();
        });
    }

    @Test
    @Tag("C7")
    void caughtAndCancelledAgain_isInterruptedAgain() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                for (int i = 0; i < 3; i++) {
                    try {
                        delay(1_000);
                    } catch (AsyncCancellation e) {
                        log.add(e.getMessage());
                    }
                }
            });
            suspend();
            for (String reason : new String[] {"one", "two", "three"}) {
                c.cancel(new AsyncCancellation(reason));
                suspend();
            }
            assertThat(c.isCompleted()).isTrue();
            assertThat(c.isCancelled()).isFalse();
        });
        assertThat(log).containsExactly("one", "two", "three");
    }

    @Test
    @Tag("K48")
    void errorAfterACancellation_carriesIt() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            Coroutine<?> c = spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    throwIt(error);
                }
            });
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(error).hasCause(REASON);
            assertThat(c.isCancelled()).isFalse();
        });
    }

    private static void throwIt(RuntimeException error) {
        throw error;
    }

    @Test
    @Tag("K48")
    void otherCancellationLater_doesNotReplaceTheFirst() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                try {
                    delay(1_000);
                } catch (AsyncCancellation e) {
                    throw new OperationCanceledException("later", null);
                }
            });
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
    }

    @Test
    @Tag("U20")
    void catchException_doesNotSwallowIt() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                try {
                    delay(1_000);
                } catch (Exception e) {
                    throw new AssertionError("swallowed", e);
                }
            });
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
    }

    // ---- blocked in JDK code

    private static Coroutine<?> cancelledWhileBlocked(Body body) {
        var handle = new ArrayList<Coroutine<?>>();
        TestRuntime ended = TestRuntime.run(() -> {
            Coroutine<?> c = spawn(body);
            handle.add(c);
            suspend();
            assertThat(Async.runtimeStats().blocked()).isEqualTo(1);
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(c.isCancelled()).isTrue();
            assertThat(Async.runtimeStats().blocked()).isZero();
        });
        assertThat(ended.reports()).isEmpty();
        return handle.getFirst();
    }

    @Test
    @Tag("C8a")
    void blockedInSleep_endsCancelledWithTheInterruptAttached() {
        cancelledWhileBlocked(() -> Thread.sleep(60_000));
        var fresh = new AsyncCancellation("fresh");
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> Thread.sleep(60_000));
            suspend();
            c.cancel(fresh);
            suspend();
            delay(1);
        });
        assertThat(fresh.getSuppressed()).hasAtLeastOneElementOfType(InterruptedException.class);
    }

    @Test
    @Tag("C8a")
    void blockedInAQueue_endsCancelled() {
        cancelledWhileBlocked(() -> new LinkedBlockingQueue<String>().take());
    }

    @Test
    @Tag("C8a")
    void blockedInObjectWait_endsCancelled() {
        var monitor = new Object();
        cancelledWhileBlocked(() -> {
            synchronized (monitor) {
                monitor.wait();
            }
        });
    }

    @Test
    @Tag("C8a")
    void blockedInAnInterruptibleLock_endsCancelled() {
        TestRuntime.run(() -> {
            var lock = new ReentrantLock();
            lock.lock();
            Coroutine<?> c = spawn(lock::lockInterruptibly);
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            lock.unlock();
        });
    }

    @Test
    @Tag("C8a")
    void blockedInAnUninterruptibleLock_endsCancelledAtItsNextSuspension() {
        TestRuntime.run(() -> {
            var lock = new ReentrantLock();
            var log = new ArrayList<String>();
            lock.lock();
            Coroutine<?> c = spawn(() -> {
                lock.lock();
                log.add("locked");
                lock.unlock();
                delay(1);
                log.add("not reached");
            });
            suspend();
            c.cancel(REASON);
            lock.unlock();
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(log).containsExactly("locked");
        });
    }

    @Test
    @Tag("C8a")
    void blockedInASocketRead_endsCancelledWithTheSocketErrorAttached() throws IOException {
        var fresh = new AsyncCancellation("fresh");
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                var client = new Socket(server.getInetAddress(), server.getLocalPort());
                var accepted = server.accept()) {
            TestRuntime ended = TestRuntime.run(() -> {
                Coroutine<?> c = spawn(() -> client.getInputStream().read());
                suspend();
                c.cancel(fresh);
                assertThatThrownBy(() -> await(c)).isSameAs(fresh);
            });
            assertThat(accepted.isConnected()).isTrue();
            assertThat(ended.reports()).isEmpty();
        }
        assertThat(fresh.getSuppressed()).hasAtLeastOneElementOfType(SocketException.class);
    }

    @Test
    @Tag("C8a")
    void blockedInAChannelRead_endsCancelled() throws IOException {
        var fresh = new AsyncCancellation("fresh");
        try (var server = ServerSocketChannel.open()
                        .bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var client = SocketChannel.open(server.getLocalAddress());
                var accepted = server.accept()) {
            TestRuntime.run(() -> {
                Coroutine<?> c = spawn(() -> client.read(ByteBuffer.allocate(1)));
                suspend();
                c.cancel(fresh);
                assertThatThrownBy(() -> await(c)).isSameAs(fresh);
            });
            assertThat(accepted.isConnected()).isTrue();
        }
        assertThat(fresh.getSuppressed()).hasAtLeastOneElementOfType(ClosedByInterruptException.class);
    }

    @Test
    @Tag("D14")
    void cancelledAgainAfterAnInterruptWasCaught_isInterruptedAgain() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                for (int i = 0; i < 3; i++) {
                    try {
                        Thread.sleep(3_600_000);
                    } catch (InterruptedException e) {
                        log.add("interrupted " + i);
                    }
                }
            });
            suspend();
            for (int i = 0; i < 3; i++) {
                c.cancel(REASON);
                c.cancel(new AsyncCancellation("meanwhile"));
                suspend();
            }
            await(c);
            assertThat(c.isCancelled()).isFalse();
        });
        assertThat(log).containsExactly("interrupted 0", "interrupted 1", "interrupted 2");
    }

    @Test
    @Tag("D13")
    @Tag("C3")
    void wokenByJdkCodeAlready_keepsWhatItWasWokenForAndIsCancelledAtTheNextWait() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            for (Body next : new Body[] {() -> delay(3_600_000), () -> Thread.sleep(3_600_000)}) {
                var queue = new LinkedBlockingQueue<String>();
                Coroutine<?> c = spawn(() -> {
                    log.add(queue.take());
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    next.run();
                });
                suspend();
                queue.add("item");
                c.cancel(REASON);
                assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            }
        });
        assertThat(log).containsExactly("item", "item");
    }

    @Test
    @Tag("D13")
    void conditionThatTakesItsLockAgain_isNotInterrupted() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var lock = new ReentrantLock();
            var condition = lock.newCondition();
            Coroutine<?> c = spawn(() -> {
                lock.lock();
                condition.await();
                log.add("signalled");
                lock.unlock();
                delay(3_600_000);
            });
            suspend();
            lock.lock();
            condition.signal();
            lock.unlock();
            lock.lock(); // before it has run: it has to wait for the lock
            suspend();
            c.cancel(REASON);
            lock.unlock();
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
        assertThat(log).containsExactly("signalled");
    }

    @Test
    @Tag("C8a")
    void interruptIsSentOnce() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Coroutine<?> c = spawn(() -> {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException e) {
                    log.add("interrupted");
                }
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                Thread.sleep(2);
                delay(2);
                log.add("went on");
            });
            suspend();
            c.cancel(REASON);
            c.cancel(new AsyncCancellation("second"));
            await(c);
            assertThat(log).containsExactly("interrupted", "went on");
        });
    }

    @Test
    @Tag("C8a")
    void insideProtect_isNotInterrupted() {
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<String>();
            var log = new ArrayList<String>();
            Coroutine<?> c = spawn(() -> {
                Async.protect(() -> {
                    log.add(gate.get());
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                });
                delay(1);
                log.add("not reached");
            });
            suspend();
            c.cancel(REASON);
            spawn(() -> gate.complete("done"));
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(log).containsExactly("done");
        });
    }

    @Test
    @Tag("C8a")
    void contextOfAnInterruptedCoroutine_isReusedClean() {
        TestRuntime.run(() -> {
            var threads = new ArrayList<Thread>();
            Coroutine<?> c = spawn(() -> {
                threads.add(Thread.currentThread());
                var lock = new ReentrantLock();
                Thread.currentThread().interrupt();
                lock.lock();
                java.util.concurrent.locks.LockSupport.parkNanos(1);
            });
            suspend();
            c.cancel();
            await(spawn(() -> {
                threads.add(Thread.currentThread());
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                Thread.sleep(1);
            }));
            assertThat(threads.getFirst()).isSameAs(threads.getLast());
        });
    }

    @Test
    @Tag("C8a")
    void cancelledWhileItsWakeIsOnTheWay_endsOnce() {
        for (int i = 0; i < 50; i++) {
            TestRuntime.run(() -> {
                var gate = new CompletableFuture<String>();
                Coroutine<?> c = spawn(() -> gate.get());
                suspend();
                var other = new Thread(() -> gate.complete("done"));
                other.start();
                c.cancel(REASON);
                Throwable thrown = null;
                try {
                    assertThat(await(c)).isEqualTo("done");
                } catch (AsyncCancellation e) {
                    thrown = e;
                }
                if (thrown != null) assertThat(thrown).isSameAs(REASON);
                other.join();
                assertThat(Async.runtimeStats().blocked()).isZero();
            });
        }
    }

    /** The JDK keeps in mind that the thread was notified, until its next Object.wait. */
    @Test
    @Tag("K39")
    void notifiedBefore_aLaterWaitOfTheJdksIsStillInterrupted() {
        TestRuntime.run(() -> {
            var monitor = new Object();
            var log = new ArrayList<String>();
            Coroutine<?> waiter = spawn(() -> {
                synchronized (monitor) {
                    monitor.wait();
                }
                log.add("notified");
                Thread.sleep(3_600_000);
            });
            suspend();
            synchronized (monitor) {
                monitor.notifyAll();
            }
            while (log.isEmpty()) Thread.sleep(1);
            suspend();
            waiter.cancel();
            assertThatThrownBy(() -> await(waiter)).isInstanceOf(AsyncCancellation.class);
        });
    }
}
