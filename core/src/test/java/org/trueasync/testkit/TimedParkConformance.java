package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;

/** The JDK's waits with a limit, timed by a loop on real time. */
public abstract class TimedParkConformance {
    private static final int MILLIS = 30;

    private final TestRun run;

    protected TimedParkConformance(ReactorKit kit) {
        this.run = new TestRun(kit::create);
    }

    private record Wait(String name, Body body) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Wait> waits() {
        return List.of(
                new Wait("Thread.sleep", () -> Thread.sleep(MILLIS)),
                new Wait("Object.wait", () -> {
                    var monitor = new Object();
                    synchronized (monitor) {
                        monitor.wait(MILLIS);
                    }
                }),
                new Wait("CountDownLatch.await", () -> assertThat(
                                new CountDownLatch(1).await(MILLIS, TimeUnit.MILLISECONDS))
                        .isFalse()),
                new Wait("BlockingQueue.poll", () -> assertThat(
                                new LinkedBlockingQueue<>().poll(MILLIS, TimeUnit.MILLISECONDS))
                        .isNull()),
                new Wait("Future.get", () -> assertThatThrownBy(
                                () -> new CompletableFuture<>().get(MILLIS, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class)),
                new Wait("Lock.tryLock", () -> {
                    var lock = new ReentrantLock();
                    var holder = Thread.ofPlatform().unstarted(lock::lock); // ends without giving it back
                    holder.start();
                    holder.join();
                    assertThat(lock.tryLock(MILLIS, TimeUnit.MILLISECONDS)).isFalse();
                }),
                new Wait("Socket.read", () -> {
                    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                            var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                        socket.setSoTimeout(MILLIS);
                        assertThatThrownBy(() -> socket.getInputStream().read())
                                .isInstanceOf(SocketTimeoutException.class);
                    }
                }));
    }

    @ParameterizedTest
    @MethodSource("waits")
    void limit_endsTheWaitNotBeforeItsTime(Wait wait) {
        run.run(() -> {
            long begin = System.nanoTime();
            Coroutine<?> waiter = Async.spawn(wait.body());
            Async.await(waiter);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(MILLIS * 1_000_000L);
            assertThat(Async.runtimeStats().timers()).isZero();
        });
        assertThat(run.complaints()).isEmpty();
    }

    @Test
    void whileItLasts_theLoopHasATimerAndDoesNotSpin() {
        run.run(() -> {
            Coroutine<?> sleeper = Async.spawn(() -> Thread.sleep(3_600_000));
            Async.suspend();
            assertThat(Async.runtimeStats().timers()).isOne();
            long turns = Async.runtimeStats().reactorTurns();
            Async.delay(200);
            assertThat(Async.runtimeStats().reactorTurns() - turns).isLessThan(20);
            sleeper.cancel();
        });
        assertThat(run.complaints()).isEmpty();
    }
}
