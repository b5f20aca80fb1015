package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Ordinary blocking JDK code suspends the coroutine that calls it, never the loop. */
class ForeignBlockingTest {
    @Test
    void sleep_letsTheOthersRun() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> sleeper = spawn(() -> {
                log.add("sleeps");
                Thread.sleep(20);
                log.add("woke up");
            });
            suspend();
            log.add("main");
            await(sleeper);
        });
        assertThat(log).containsExactly("sleeps", "main", "woke up");
    }

    @Test
    void manySleepers_sleepAtTheSameTime() {
        TestRuntime.run(() -> {
            var woken = new int[1];
            var sleepers = new ArrayList<Thread>();
            for (int i = 0; i < 200; i++) {
                spawn(() -> {
                    sleepers.add(Thread.currentThread());
                    assertThatThrownBy(() -> Thread.sleep(3_600_000)).isInstanceOf(InterruptedException.class);
                    woken[0]++;
                });
            }
            suspend();
            assertThat(sleepers).hasSize(200);
            for (Thread sleeper : sleepers) sleeper.interrupt();
            while (woken[0] < 200) suspend();
        });
    }

    @Test
    void lockHeldByAnotherCoroutine_isWaitedFor() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var lock = new ReentrantLock();
            spawn(() -> {
                lock.lock();
                try {
                    log.add("first in");
                    delay(5);
                    suspend();
                    log.add("first out");
                } finally {
                    lock.unlock();
                }
            });
            spawn(() -> {
                lock.lock();
                log.add("second in");
                lock.unlock();
            });
        });
        assertThat(log).containsExactly("first in", "first out", "second in");
    }

    @Test
    void monitorHeldByAnotherCoroutine_isWaitedFor() {
        var log = new ArrayList<String>();
        var monitor = new Object();
        TestRuntime.run(() -> {
            spawn(() -> {
                synchronized (monitor) {
                    log.add("first in");
                    delay(5);
                    suspend();
                    Thread.sleep(1);
                    log.add("first out");
                }
            });
            spawn(() -> {
                synchronized (monitor) {
                    log.add("second in");
                }
            });
            spawn(() -> log.add("peer"));
        });
        assertThat(log).containsExactly("first in", "peer", "first out", "second in");
    }

    @Test
    void waitAndNotify_workBetweenCoroutines() {
        var log = new ArrayList<String>();
        var monitor = new Object();
        TestRuntime.run(() -> {
            var ready = new boolean[1];
            spawn(() -> {
                synchronized (monitor) {
                    while (!ready[0]) monitor.wait();
                    log.add("notified");
                }
            });
            spawn(() -> {
                synchronized (monitor) {
                    ready[0] = true;
                    monitor.notifyAll();
                    log.add("notifies");
                }
            });
        });
        assertThat(log).containsExactly("notifies", "notified");
    }

    @Test
    void queuesBetweenCoroutines_handOver() {
        TestRuntime.run(() -> {
            var queue = new ArrayBlockingQueue<Integer>(2);
            var direct = new SynchronousQueue<Integer>();
            Coroutine<?> producer = spawn(() -> {
                for (int i = 0; i < 100; i++) queue.put(i);
                for (int i = 0; i < 100; i++) direct.put(i);
            });
            var taken = new ArrayList<Integer>();
            for (int i = 0; i < 100; i++) taken.add(queue.take());
            assertThat(taken).hasSize(100).isSorted();
            for (int i = 0; i < 100; i++) assertThat(direct.take()).isEqualTo(i);
            assertThat(queue.poll(2, TimeUnit.MILLISECONDS)).isNull();
            await(producer);
        });
    }

    @Test
    void queueFilledByAnotherThread_wakesTheCoroutine() {
        TestRuntime.run(() -> {
            var queue = new ArrayBlockingQueue<Integer>(1);
            new Thread(() -> {
                        try {
                            for (int i = 0; i < 1_000; i++) queue.put(i);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .start();
            for (int i = 0; i < 1_000; i++) assertThat(queue.take()).isEqualTo(i);
        });
    }

    @Test
    void synchronisers_workBetweenCoroutines() {
        TestRuntime.run(() -> {
            var latch = new CountDownLatch(3);
            var semaphore = new Semaphore(0);
            var barrier = new CyclicBarrier(2);
            var exchanger = new Exchanger<String>();
            var log = new ArrayList<String>();
            spawn(() -> {
                latch.await();
                log.add("latch");
                semaphore.acquire(2);
                log.add("semaphore");
                barrier.await();
                log.add("exchanged " + exchanger.exchange("a"));
            });
            spawn(() -> {
                for (int i = 0; i < 3; i++) latch.countDown();
                semaphore.release(2);
                barrier.await();
                assertThat(exchanger.exchange("b")).isEqualTo("a");
            });
            delay(1);
            while (log.size() < 3) Thread.sleep(1);
            assertThat(log).containsExactly("latch", "semaphore", "exchanged b");
        });
    }

    @Test
    void parkAndUnpark_wakeTheRightCoroutine() {
        TestRuntime.run(() -> {
            var parked = new ArrayList<Thread>();
            var log = new ArrayList<String>();
            Coroutine<?> c = spawn(() -> {
                parked.add(Thread.currentThread());
                LockSupport.park();
                log.add("unparked");
            });
            suspend();
            assertThat(runtimeStats().blocked()).isEqualTo(1);
            LockSupport.unpark(parked.getFirst());
            assertThat(log).isEmpty();
            await(c);
            assertThat(log).containsExactly("unparked");
        });
    }

    @Test
    @Tag("K38")
    void strayUnparkOfACoroutineThatWaitsForUs_wakesNobody() {
        TestRuntime.run(runtime -> {
            var threads = new ArrayList<Thread>();
            Coroutine<?> c = spawn(() -> {
                threads.add(Thread.currentThread());
                delay(50);
                assertThat(runtime.reactor().nanoTime()).isEqualTo(50_000_000);
            });
            suspend();
            LockSupport.unpark(threads.getFirst());
            suspend();
            assertThat(c.isQueued()).isFalse();
            assertThat(c.isCompleted()).isFalse();
            await(c);
        });
    }

    @Test
    @Tag("K38")
    void interruptOfACoroutineThatWaitsForUs_endsItsWaitAndNobodyElses() {
        TestRuntime.run(runtime -> {
            var threads = new ArrayList<Thread>();
            Coroutine<?> other = spawn(() -> {
                delay(50);
                assertThat(runtime.reactor().nanoTime()).isEqualTo(50_000_000);
                assertThat(Thread.interrupted()).isFalse();
            });
            Coroutine<?> c = spawn(() -> {
                threads.add(Thread.currentThread());
                delay(50);
            });
            suspend();
            threads.getFirst().interrupt();
            assertThatThrownBy(() -> await(c)).hasMessageContaining("Thread.interrupt()");
            assertThat(runtime.reactor().nanoTime()).isZero();
            await(other);
        });
    }

    @Test
    void threadDumpWhileCoroutinesWait_disturbsNobody() {
        TestRuntime.run(runtime -> {
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 5; i++) {
                spawn(() -> {
                    threads.add(Thread.currentThread());
                    delay(50);
                    assertThat(runtime.reactor().nanoTime()).isEqualTo(50_000_000);
                });
            }
            suspend();
            var looked = new Thread(() -> {
                for (int i = 0; i < 20; i++)
                    for (Thread thread : threads)
                        assertThat(thread.getStackTrace()).isNotNull();
            });
            looked.start();
            looked.join();
            suspend();
        });
    }

    @Test
    void futureOfAnotherThread_canBeJoined() {
        TestRuntime.run(() -> {
            assertThat(CompletableFuture.supplyAsync(() -> 5).get()).isEqualTo(5);
            assertThat(CompletableFuture.supplyAsync(() -> 6).join()).isEqualTo(6);
            var error = new IllegalStateException("expected");
            try {
                CompletableFuture.supplyAsync(() -> {
                            throw error;
                        })
                        .get();
            } catch (ExecutionException e) {
                assertThat(e).hasCause(error);
            }
        });
    }

    @Test
    void threadYield_requeuesTheCoroutine() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                log.add("a1");
                Thread.yield();
                log.add("a2");
            });
            spawn(() -> {
                log.add("b1");
                Thread.yield();
                log.add("b2");
            });
        });
        assertThat(log).containsExactly("a1", "b1", "a2", "b2");
    }

    @Test
    void socketsOnLoopback_serveManyClientsOnOneThread() throws IOException {
        var replies = new ArrayList<String>();
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            TestRuntime.run(() -> {
                Coroutine<?> accepting = spawn(() -> {
                    for (int i = 0; i < 10; i++) {
                        Socket socket = server.accept();
                        spawn(() -> {
                            try (socket) {
                                var in = new BufferedReader(
                                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                                var out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                                for (String line = in.readLine(); line != null; line = in.readLine())
                                    out.println("echo " + line);
                            }
                        });
                    }
                });
                for (int i = 0; i < 10; i++) {
                    int number = i;
                    spawn(() -> {
                        try (var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                            var in = new BufferedReader(
                                    new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                            var out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                            for (int k = 0; k < 3; k++) {
                                out.println(number + "." + k);
                                replies.add(in.readLine());
                            }
                        }
                    });
                }
                await(accepting);
            });
        }
        assertThat(replies).hasSize(30).doesNotHaveDuplicates().allMatch(reply -> reply.startsWith("echo "));
    }

    @Test
    @Tag("K5")
    void blockedCoroutine_keepsTheRunAlive() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                Thread.sleep(5);
                log.add("done");
            });
        });
        assertThat(log).containsExactly("done");
    }

    @Test
    @Tag("U13")
    void blocked_isCountedAndGoesBackToZero() {
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<Void>();
            List<Coroutine<Void>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) waiting.add(spawn(() -> gate.get()));
            suspend();
            assertThat(runtimeStats().blocked()).isEqualTo(5);
            gate.complete(null);
            assertThat(runtimeStats().blocked()).isZero();
            for (Coroutine<Void> c : waiting) await(c);
        });
    }

    @Test
    void blockingBetweenOurWaits_keepsBothApart() {
        TestRuntime.run(() -> {
            for (int i = 0; i < 20; i++) {
                spawn(() -> {
                    for (int k = 0; k < 5; k++) {
                        delay(1);
                        LockSupport.parkNanos(50_000);
                        suspend();
                        Thread.yield();
                    }
                });
            }
            delay(1);
        });
    }
}
