package jdktime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Body;
import org.trueasync.testkit.simulation.Host;
import org.trueasync.testkit.simulation.Simulation;
import org.trueasync.testkit.simulation.SimulationFailure;

/** Threads that hosts start run on the loops of their hosts; in a package that the agent takes for a program's. */
@Timeout(60)
class HostThreadsTest {
    /** What a program that logs has logged, with times; asserts that a second run logs the same. */
    private static List<String> logged(long seed, Logging program) {
        List<String> first = once(seed, program);
        assertThat(once(seed, program)).isEqualTo(first);
        return first;
    }

    private interface Logging {
        void run(Log log) throws Throwable;
    }

    private interface Log {
        void add(Object what);
    }

    private static List<String> once(long seed, Logging program) {
        List<String> log = new ArrayList<>(); // not safe for several threads, as all are one
        Simulation.replay(seed, sim -> {
            sim.timeLimit(Duration.ofDays(2));
            sim.client(() -> program.run(what -> log.add(sim.elapsed().toNanos() / 1_000_000.0 + " " + what)));
        });
        return log;
    }

    private static void client(Body main) {
        Simulation.replay(1, sim -> sim.client(main));
    }

    // ---- threads

    @Test
    void thread_hasItsLife_inVirtualTime() {
        assertThat(logged(1, log -> {
                    var thread = new Thread(
                            () -> {
                                try {
                                    Thread.sleep(60_000);
                                } catch (InterruptedException e) {
                                    log.add("interrupted");
                                }
                            },
                            "mine");
                    log.add(thread.getState() + " " + thread.isAlive());
                    thread.start();
                    assertThatThrownBy(thread::start).isInstanceOf(IllegalThreadStateException.class);
                    log.add(thread.isAlive() + " " + thread.isVirtual());
                    delay(1);
                    log.add(thread.getState());
                    thread.join(10_000);
                    log.add(thread.getStackTrace().length > 0);
                    thread.join();
                    log.add(thread.getState() + " " + thread.isAlive() + " " + thread.getStackTrace().length);
                }))
                .containsExactly(
                        "0.0 NEW false",
                        "0.0 true false",
                        "1.0 TIMED_WAITING",
                        "10001.0 true",
                        "60000.0 TERMINATED false 0");
    }

    @Test
    void currentThread_isTheOneThatWasStarted() {
        client(() -> {
            List<Object> seen = new ArrayList<>();
            var local = new InheritableThreadLocal<String>();
            local.set("handed down");
            var thread = new Thread("mine") {
                @Override
                public void run() {
                    seen.add(Thread.currentThread() == this);
                    seen.add(Thread.currentThread().getName());
                    seen.add(Thread.currentThread().isVirtual());
                    seen.add(local.get());
                    seen.add(Thread.currentThread().getStackTrace().length > 0);
                    seen.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                    seen.add(isInterrupted());
                    seen.add(Thread.interrupted());
                    seen.add(isInterrupted());
                    Thread.currentThread().setContextClassLoader(null);
                    seen.add(new Thread(() -> {}).isDaemon());
                }
            };
            thread.setDaemon(false);
            thread.start();
            thread.join();
            assertThat(seen).containsExactly(true, "mine", false, "handed down", true, false, true, true, false, false);
        });
    }

    @Test
    void interrupt_endsEachWait() {
        List<String> log = logged(1, out -> {
            var lock = new ReentrantLock();
            var monitor = new Object();
            lock.lock();
            for (Body wait : List.<Body>of(
                    () -> Thread.sleep(60_000), lock::lockInterruptibly, () -> new CountDownLatch(1).await(), () -> {
                        synchronized (monitor) {
                            monitor.wait();
                        }
                    })) {
                var thread = new Thread(() -> {
                    try {
                        wait.run();
                    } catch (Throwable e) {
                        out.add(e.getClass().getSimpleName());
                    }
                });
                thread.start();
                delay(1_000);
                thread.interrupt();
                thread.join();
            }
            var early = new Thread(() -> out.add(Thread.interrupted()));
            early.interrupt();
            early.start();
            early.join();
        });
        assertThat(log)
                .containsExactly(
                        "1000.0 InterruptedException",
                        "2000.0 InterruptedException",
                        "3000.0 InterruptedException",
                        "4000.0 InterruptedException",
                        "4000.0 true");
    }

    @Test
    void unpark_ofTheStartedThread_isHeard() {
        client(() -> {
            var done = new AtomicBoolean();
            var thread = new Thread(() -> {
                while (!done.get()) LockSupport.park();
            });
            thread.start();
            delay(10);
            done.set(true);
            LockSupport.unpark(thread);
            thread.join();
        });
    }

    @Test
    void uncaughtException_goesToTheHandler_andTheHostGoesOn() {
        List<String> seen = new ArrayList<>();
        client(() -> {
            var thread = new Thread(() -> {
                throw new IllegalStateException("thrown");
            });
            thread.setUncaughtExceptionHandler(
                    (where, thrown) -> seen.add((where == thread) + " " + thrown.getMessage() + " " + where.isAlive()));
            thread.start();
            thread.join();
            seen.add("joined");
        });
        assertThat(seen).containsExactly("true thrown true", "joined");
    }

    @Test
    void spinning_letsTheOthersRun() {
        client(() -> {
            var done = new AtomicBoolean();
            var thread = new Thread(() -> {
                while (!done.get()) Thread.onSpinWait();
            });
            thread.start();
            delay(1);
            done.set(true);
            thread.join();
        });
    }

    // ---- monitors

    @Test
    void monitors_areHandedOnInOrder_andAtOnce() {
        List<String> log = logged(1, out -> {
            var monitor = new Object();
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int me = i;
                all.add(new Thread(() -> {
                    for (int round = 0; round < 3; round++) {
                        synchronized (monitor) {
                            out.add("thread " + me);
                            sleep(10); // holds it
                        }
                    }
                }));
            }
            all.forEach(Thread::start);
            for (Thread one : all) one.join();
        });
        assertThat(log).hasSize(15);
        assertThat(log.getLast()).startsWith("140.0");
    }

    @Test
    void waitAndNotify_takeNoTime() {
        List<String> log = logged(1, out -> {
            var queue = new ArrayList<Integer>();
            var consumer = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    synchronized (queue) {
                        while (queue.isEmpty()) waitFor(queue);
                        int got = queue.removeFirst();
                        if (got % 20 == 0) out.add(got);
                        queue.notifyAll();
                    }
                }
            });
            consumer.start();
            for (int i = 0; i < 100; i++) {
                synchronized (queue) {
                    while (!queue.isEmpty()) waitFor(queue);
                    queue.add(i);
                    queue.notifyAll();
                }
                if (i % 10 == 0) delay(1);
            }
            consumer.join();
        });
        assertThat(log).containsExactly("0.0 0", "2.0 20", "4.0 40", "6.0 60", "8.0 80");
    }

    private static void waitFor(Object monitor) {
        try {
            monitor.wait();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---- pools

    @Test
    void fixedPool_isDeterministic() {
        List<String> log = logged(7, out -> {
            ExecutorService pool = Executors.newFixedThreadPool(3);
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                int me = i;
                all.add(pool.submit(() -> {
                    sleep(ThreadLocalRandom.current().nextInt(1_000));
                    out.add("task " + me);
                    return me;
                }));
            }
            int sum = 0;
            for (Future<Integer> one : all) sum += one.get();
            out.add(sum);
            pool.shutdown();
            out.add(pool.awaitTermination(1, TimeUnit.HOURS));
        });
        assertThat(log).hasSize(12).anyMatch(line -> line.endsWith(" 45"));
    }

    @Test
    void scheduledPool_runsInVirtualTime() {
        assertThat(logged(1, out -> {
                    try (var pool = Executors.newScheduledThreadPool(2)) {
                        var tick = pool.scheduleAtFixedRate(() -> out.add("tick"), 1, 2, TimeUnit.HOURS);
                        pool.scheduleWithFixedDelay(
                                () -> {
                                    sleep(1_200_000);
                                    out.add("slow");
                                },
                                1,
                                1,
                                TimeUnit.HOURS);
                        out.add(pool.schedule(() -> "late", 90, TimeUnit.MINUTES)
                                .get());
                        sleep(Duration.ofHours(2).toMillis());
                        tick.cancel(false);
                    }
                }))
                .containsExactly("3600000.0 tick", "4800000.0 slow", "5400000.0 late", "9600000.0 slow", "1.08E7 tick");
    }

    @Test
    void timer_runsInVirtualTime() {
        assertThat(logged(1, out -> {
                    var timer = new Timer("ticks", true);
                    timer.schedule(
                            new TimerTask() {
                                @Override
                                public void run() {
                                    out.add("tick on " + Thread.currentThread().getName());
                                }
                            },
                            1_000,
                            10_000);
                    delay(12_000);
                    timer.cancel();
                    delay(100_000);
                }))
                .containsExactly("1000.0 tick on ticks", "11000.0 tick on ticks");
    }

    private static final class Sum extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;
        private final int from;
        private final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (!inForkJoinPool()) throw new AssertionError("not on a worker: " + Thread.currentThread());
            if (to - from < 10) {
                sleep(1);
                int sum = 0;
                for (int i = from; i < to; i++) sum += i;
                return sum;
            }
            var left = new Sum(from, (from + to) / 2);
            left.fork();
            return new Sum((from + to) / 2, to).compute() + left.join();
        }
    }

    @Test
    void forkJoinPool_isDeterministic() {
        List<String> log = logged(1, out -> {
            var pool = new ForkJoinPool(4);
            out.add(pool.invoke(new Sum(0, 1_000)));
            pool.shutdown();
            out.add(pool.awaitTermination(1, TimeUnit.MINUTES));
        });
        assertThat(log).hasSize(2);
        assertThat(log.getFirst()).endsWith(" 499500");
    }

    @Test
    void threadPerTask_endsWithItsThreads() {
        assertThat(logged(1, out -> {
                    try (var pool = Executors.newThreadPerTaskExecutor(
                            Thread.ofPlatform().name("task-", 1).factory())) {
                        for (int i = 1; i <= 2; i++) {
                            int seconds = i;
                            pool.submit(() -> {
                                sleep(seconds * 1_000L);
                                out.add(Thread.currentThread().getName());
                            });
                        }
                    }
                    out.add("closed");
                }))
                .containsExactly("1000.0 task-1", "2000.0 task-2", "2000.0 closed");
    }

    // ---- hosts

    @Test
    void host_livesAsLongAsItsThreads_thatAreNoDaemons() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            for (boolean daemon : new boolean[] {true, false}) {
                Host host = sim.host("daemon=" + daemon, () -> {
                    var thread = new Thread(() -> {
                        sleep(60_000);
                        log.add("daemon=" + daemon + " is done");
                    });
                    thread.setDaemon(daemon);
                    thread.start();
                });
                sim.client(() -> {
                    delay(10_000);
                    log.add(host + " is up: " + host.isUp());
                    delay(60_000);
                    log.add(host + " is up: " + host.isUp());
                });
            }
        });
        assertThat(log)
                .containsExactly(
                        "daemon=true is up: false",
                        "daemon=false is up: true",
                        "daemon=false is done",
                        "daemon=true is up: false",
                        "daemon=false is up: false");
    }

    @Test
    void killedHost_itsThreadsNeverRunAgain() throws InterruptedException {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host host = sim.host("host", () -> {
                long begin = sim.elapsed().toMillis();
                try (var pool = Executors.newScheduledThreadPool(1)) {
                    pool.scheduleAtFixedRate(() -> log.add("since " + begin), 100, 100, TimeUnit.MILLISECONDS);
                    try {
                        delay(100_000);
                    } finally {
                        log.add("finally");
                    }
                }
            });
            sim.client(() -> {
                delay(250);
                host.kill();
                delay(250);
                host.restart();
                delay(150);
            });
        });
        Thread.sleep(200); // in real time: nothing is left
        assertThat(log).containsExactly("since 0", "since 0", "since 500");
    }

    @Test
    void hostThatHasEnded_itsDaemonsNeverRunAgain() throws InterruptedException {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            sim.host("host", () -> {
                var monitor = new Object();
                for (Body wait : List.<Body>of(
                        () -> Thread.sleep(50),
                        () -> {
                            synchronized (monitor) {
                                monitor.wait(50);
                            }
                        },
                        () -> new ServerSocket(7000).accept())) { // closed by the end of the program
                    var thread = new Thread(() -> {
                        try {
                            wait.run();
                        } catch (Throwable e) {
                            log.add(e.toString());
                        }
                        log.add("runs");
                    });
                    thread.setDaemon(true);
                    thread.start();
                }
                delay(1);
            });
            sim.client(() -> delay(1_000));
        });
        Thread.sleep(200); // in real time, which the JDK would count
        assertThat(log).isEmpty();
    }

    @Test
    void poolThatOutlivesItsHost_isNamed() {
        ExecutorService[] shared = {null};
        client(() -> {
            shared[0] = Executors.newFixedThreadPool(1, work -> {
                var thread = new Thread(work, "shared");
                thread.setDaemon(true);
                return thread;
            });
            shared[0].submit(() -> 1).get();
        });
        assertThatThrownBy(() -> client(() -> shared[0].submit(() -> 2).get(1, TimeUnit.MINUTES)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("woke the thread 'shared' of another host or run, which never runs again");
    }

    @Test
    void clientWhoseThreadsDontEnd_isNamed() {
        assertThatThrownBy(() -> client(() -> Executors.newFixedThreadPool(1, work -> new Thread(work, "idle") {
                            {
                                setDaemon(false);
                            }
                        })
                        .submit(() -> 1)
                        .get()))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("had not ended")
                .hasMessageContaining("idle");
    }

    @Test
    void coroutinesAndThreads_shareTheLoop() {
        List<String> log = logged(3, out -> {
            var lock = new ReentrantLock();
            var both = new ArrayList<Object>();
            Thread thread = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 3; i++) {
                    lock.lock();
                    sleep(10);
                    out.add("thread");
                    lock.unlock();
                    Thread.yield();
                }
            });
            both.add(thread);
            spawn(() -> {
                for (int i = 0; i < 3; i++) {
                    lock.lock();
                    delay(5);
                    out.add("coroutine");
                    lock.unlock();
                    delay(1);
                }
            });
            thread.join();
        });
        assertThat(log).hasSizeBetween(3, 6);
    }
}
