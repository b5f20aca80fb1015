package org.trueasync.testkit;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Programs on what the JDK promises of threads, locks and waits. Each tells what it saw, without times; an error that
 * it does not catch ends its story.
 */
final class ThreadPrograms {
    private final List<Program> programs = new ArrayList<>();

    private ThreadPrograms() {}

    static Stream<Program> all() {
        var all = new ThreadPrograms();
        all.properties();
        all.locals();
        all.interrupts();
        all.parking();
        all.sleeping();
        all.ends();
        all.monitors();
        all.locks();
        all.handOvers();
        all.executors();
        all.stacks();
        return all.programs.stream();
    }

    /** A program and its name. */
    record Program(String name, Script script) {
        String tell() {
            var story = new Story();
            try {
                script.run(story);
            } catch (Throwable e) {
                story.tell(e.toString());
            }
            Thread.interrupted();
            return story.text.toString();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    interface Script {
        void run(Story story) throws Exception;
    }

    /** What a program saw. Its own thread, or others that it has joined. */
    static final class Story {
        private final StringBuilder text = new StringBuilder();

        synchronized void tell(Object what) {
            text.append(what).append('\n');
        }

        void fails(Callable<?> call) {
            try {
                tell(call.call());
            } catch (Throwable e) {
                tell(e.toString());
            }
        }
    }

    private void add(String name, Script script) {
        programs.add(new Program(name, script));
    }

    private static Thread start(Action action) {
        return Thread.startVirtualThread(() -> {
            try {
                action.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) Thread.sleep(1);
    }

    private static void untilIn(Thread thread, Thread.State state) throws InterruptedException {
        until(() -> thread.getState() == state);
    }

    private void properties() {
        add("kind, daemon, priority, group", story -> {
            Thread self = Thread.currentThread();
            self.setPriority(Thread.MAX_PRIORITY);
            story.tell(self.isVirtual() + " " + self.isDaemon() + " " + self.getPriority() + " " + self.isAlive());
            story.tell(self.getThreadGroup().getName() + " " + self.getState());
            story.fails(() -> {
                self.setDaemon(false);
                return "taken";
            });
            self.setDaemon(true);
        });
        add("name", story -> {
            Thread self = Thread.currentThread();
            String before = self.getName();
            self.setName("renamed");
            story.tell(self.getName() + " " + self.toString().contains("renamed"));
            self.setName(before);
            story.fails(() -> {
                self.setName(null);
                return "taken";
            });
        });
        add("identity stays over waits", story -> {
            Thread self = Thread.currentThread();
            long id = self.threadId();
            Thread.yield();
            Thread.sleep(1);
            story.tell(Thread.currentThread() == self && self.threadId() == id && id > 0);
            var other = new CompletableFuture<Long>();
            start(() -> other.complete(Thread.currentThread().threadId()));
            story.tell(other.get() == id);
        });
        add("started once", story -> {
            story.fails(() -> {
                Thread.currentThread().start();
                return "started";
            });
            Thread made = Thread.ofVirtual().name("made-", 7).unstarted(() -> {});
            story.tell(made.getName() + " " + made.getState() + " " + made.isAlive());
            made.start();
            made.join();
            story.tell(made.getState() + " " + made.isAlive());
        });
        add(
                "not among the platform's threads",
                story -> story.tell(Thread.getAllStackTraces().containsKey(Thread.currentThread())));
        add("uncaught errors go to the handler", story -> {
            var seen = new CompletableFuture<String>();
            Thread failing = Thread.ofVirtual()
                    .name("failing")
                    .uncaughtExceptionHandler((thread, error) -> seen.complete(thread.getName() + " " + error))
                    .start(() -> {
                        throw new IllegalStateException("on purpose");
                    });
            failing.join();
            story.tell(seen.get());
        });
    }

    private void locals() {
        add("thread locals", story -> {
            var local = ThreadLocal.withInitial(() -> "first");
            story.tell(local.get());
            local.set("second");
            Thread.sleep(1);
            story.tell(local.get());
            start(() -> story.tell(local.get())).join();
            local.remove();
            story.tell(local.get());
        });
        add("inheritable thread locals", story -> {
            var local = new InheritableThreadLocal<String>() {
                @Override
                protected String childValue(String value) {
                    return value + "'s child";
                }
            };
            local.set("parent");
            start(() -> story.tell(local.get())).join();
            Thread without =
                    Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(() -> story.tell(local.get()));
            without.start();
            without.join();
            local.remove();
        });
        add("scoped values", story -> {
            ScopedValue<String> value = ScopedValue.newInstance();
            ScopedValue.where(value, "outer").run(() -> {
                story.tell(value.get());
                ScopedValue.where(value, "inner").run(() -> {
                    Thread.yield();
                    story.tell(value.get());
                });
                story.tell(value.get());
            });
            story.tell(value.isBound());
            story.fails(value::get);
        });
        add("context class loader", story -> {
            Thread self = Thread.currentThread();
            ClassLoader before = self.getContextClassLoader();
            var loader = new ClassLoader("mine", before) {};
            self.setContextClassLoader(loader);
            start(() -> story.tell(
                            Thread.currentThread().getContextClassLoader().getName()))
                    .join();
            Thread.sleep(1);
            story.tell(self.getContextClassLoader() == loader);
            self.setContextClassLoader(before);
        });
    }

    private void interrupts() {
        add("interrupt before a sleep", story -> {
            Thread.currentThread().interrupt();
            story.tell(Thread.currentThread().isInterrupted());
            story.fails(() -> {
                Thread.sleep(10_000);
                return "slept";
            });
            story.tell(Thread.currentThread().isInterrupted());
        });
        add("interrupted() clears", story -> {
            Thread.currentThread().interrupt();
            story.tell(Thread.interrupted() + " " + Thread.interrupted());
        });
        add("interrupt of who sleeps, waits, parks, joins", story -> {
            for (Action wait : List.<Action>of(
                    () -> Thread.sleep(100_000),
                    () -> {
                        var monitor = new Object();
                        synchronized (monitor) {
                            monitor.wait();
                        }
                    },
                    () -> new CountDownLatch(1).await(),
                    () -> new SynchronousQueue<>().take(),
                    () -> new CompletableFuture<>().get(),
                    () -> Thread.currentThread().join())) {
                var how = new CompletableFuture<String>();
                Thread waiting = start(() -> {
                    try {
                        wait.run();
                        how.complete("ended");
                    } catch (InterruptedException e) {
                        how.complete(e + " " + Thread.currentThread().isInterrupted());
                    }
                });
                until(() ->
                        waiting.getState() == Thread.State.WAITING || waiting.getState() == Thread.State.TIMED_WAITING);
                waiting.interrupt();
                story.tell(how.get());
            }
        });
        add("interrupt does not end an uninterruptible wait", story -> {
            var lock = new ReentrantLock();
            lock.lock();
            var how = new CompletableFuture<String>();
            Thread waiting = start(() -> {
                lock.lock();
                how.complete("locked, interrupted: " + Thread.currentThread().isInterrupted());
                lock.unlock();
            });
            untilIn(waiting, Thread.State.WAITING);
            waiting.interrupt();
            Thread.sleep(2);
            story.tell(how.isDone());
            lock.unlock();
            story.tell(how.get());
        });
        add("interrupt after the end", story -> {
            Thread ended = start(() -> {});
            ended.join();
            ended.interrupt();
            story.tell(ended.isInterrupted());
        });
    }

    private void parking() {
        add("a permit is kept, and only one", story -> {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.unpark(Thread.currentThread());
            LockSupport.park();
            story.tell("first park is over");
            var parked = start(LockSupport::park);
            untilIn(parked, Thread.State.WAITING);
            story.tell(parked.join(Duration.ofMillis(2)));
            LockSupport.unpark(parked);
            parked.join();
            story.tell(parked.getState());
        });
        add("parks that end at once", story -> {
            LockSupport.parkNanos(0);
            LockSupport.parkNanos(-1);
            LockSupport.parkUntil(0);
            LockSupport.parkNanos(1);
            Thread.currentThread().interrupt();
            LockSupport.park();
            story.tell(Thread.interrupted());
        });
        add("the blocker is told", story -> {
            var blocker = new Object();
            var parked = start(() -> LockSupport.park(blocker));
            until(() -> LockSupport.getBlocker(parked) == blocker);
            untilIn(parked, Thread.State.WAITING);
            LockSupport.unpark(parked);
            parked.join();
            story.tell(LockSupport.getBlocker(parked));
        });
        add("states of waits", story -> {
            var timed = start(() -> LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1)));
            untilIn(timed, Thread.State.TIMED_WAITING);
            LockSupport.unpark(timed);
            timed.join();
            var monitor = new Object();
            Thread blocked;
            synchronized (monitor) {
                blocked = start(() -> {
                    synchronized (monitor) {
                        story.tell("entered");
                    }
                });
                untilIn(blocked, Thread.State.BLOCKED);
            }
            blocked.join();
            story.tell(timed.getState() + " " + blocked.getState());
        });
    }

    private void sleeping() {
        add("sleeps of no time and of wrong times", story -> {
            Thread.sleep(0);
            Thread.sleep(Duration.ofSeconds(-1));
            Thread.sleep(0, 1);
            story.fails(() -> {
                Thread.sleep(-1);
                return "slept";
            });
            story.fails(() -> {
                Thread.sleep(1, 1_000_000);
                return "slept";
            });
        });
        add("a wait with a limit ends", story -> {
            story.tell(new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS));
            story.tell(new Semaphore(0).tryAcquire(1, TimeUnit.MILLISECONDS));
            story.tell(new LinkedTransferQueue<>().tryTransfer("x", 1, TimeUnit.MILLISECONDS));
            story.fails(() -> new CompletableFuture<>().get(1, TimeUnit.MILLISECONDS));
            story.fails(() -> new Exchanger<>().exchange("x", 1, TimeUnit.MILLISECONDS));
            story.fails(() -> new Phaser(1).awaitAdvanceInterruptibly(0, 1, TimeUnit.MILLISECONDS));
        });
    }

    private void ends() {
        add("join", story -> {
            var latch = new CountDownLatch(1);
            Thread other = start(latch::await);
            story.tell(other.join(Duration.ofMillis(1)));
            other.join(1);
            story.tell(other.isAlive());
            latch.countDown();
            other.join();
            story.tell(other.join(Duration.ZERO));
            story.fails(() -> {
                other.join(-1);
                return "joined";
            });
            story.fails(() -> Thread.ofVirtual().unstarted(() -> {}).join(Duration.ofMillis(1)));
        });
        add("what a thread wrote is seen by who joins it", story -> {
            var box = new int[1];
            start(() -> box[0] = 42).join();
            story.tell(box[0]);
        });
    }

    private void monitors() {
        add("monitors are re-entrant and kept over waits", story -> {
            var monitor = new Object();
            synchronized (monitor) {
                synchronized (monitor) {
                    Thread.sleep(1);
                    story.tell(Thread.holdsLock(monitor));
                    monitor.wait(1);
                    story.tell(Thread.holdsLock(monitor));
                }
                story.tell(Thread.holdsLock(monitor));
            }
            story.tell(Thread.holdsLock(monitor));
        });
        add("wait and notify hand over in turn", story -> {
            var monitor = new Object();
            var turn = new int[1];
            Thread other = start(() -> {
                for (int i = 0; i < 3; i++)
                    synchronized (monitor) {
                        while (turn[0] != 1) monitor.wait();
                        story.tell("pong " + i);
                        turn[0] = 0;
                        monitor.notifyAll();
                    }
            });
            for (int i = 0; i < 3; i++)
                synchronized (monitor) {
                    while (turn[0] != 0) monitor.wait();
                    story.tell("ping " + i);
                    turn[0] = 1;
                    monitor.notifyAll();
                }
            other.join();
        });
        add("notify wakes one, notifyAll all", story -> {
            var monitor = new Object();
            var woken = new int[1];
            var waiting = new ArrayList<Thread>();
            for (int i = 0; i < 3; i++) {
                Thread thread = start(() -> {
                    synchronized (monitor) {
                        monitor.wait();
                        woken[0]++;
                    }
                });
                untilIn(thread, Thread.State.WAITING);
                waiting.add(thread);
            }
            synchronized (monitor) {
                monitor.notify();
            }
            until(() -> {
                synchronized (monitor) {
                    return woken[0] > 0;
                }
            });
            Thread.sleep(2);
            synchronized (monitor) {
                story.tell(woken[0]);
                monitor.notifyAll();
            }
            for (Thread thread : waiting) thread.join();
            story.tell(woken[0]);
        });
        add("wrong use of monitors", story -> {
            var monitor = new Object();
            story.fails(() -> {
                monitor.notify();
                return "notified";
            });
            story.fails(() -> {
                monitor.wait();
                return "waited";
            });
            synchronized (monitor) {
                story.fails(() -> {
                    monitor.wait(-1);
                    return "waited";
                });
                Thread.currentThread().interrupt();
                story.fails(() -> {
                    monitor.wait(1_000);
                    return "waited";
                });
                story.tell(
                        Thread.holdsLock(monitor) + " " + Thread.currentThread().isInterrupted());
            }
        });
    }

    private void locks() {
        add("owner, count and queue of a lock", story -> {
            var lock = new ReentrantLock(true);
            lock.lock();
            lock.lock();
            Thread waiting = start(() -> {
                lock.lock();
                story.tell("other has it");
                lock.unlock();
            });
            until(() -> lock.hasQueuedThread(waiting));
            story.tell(lock.getHoldCount() + " " + lock.isHeldByCurrentThread() + " " + lock.getQueueLength());
            lock.unlock();
            story.tell(lock.isLocked());
            lock.unlock();
            waiting.join();
            story.fails(() -> {
                lock.unlock();
                return "unlocked";
            });
        });
        add("conditions", story -> {
            var lock = new ReentrantLock();
            var condition = lock.newCondition();
            lock.lock();
            story.tell(condition.await(1, TimeUnit.MILLISECONDS));
            story.tell(condition.awaitNanos(1) <= 0);
            Thread signaller = start(() -> {
                lock.lock();
                condition.signal();
                lock.unlock();
            });
            condition.await();
            story.tell("signalled " + lock.isHeldByCurrentThread());
            lock.unlock();
            signaller.join();
            story.fails(() -> {
                condition.signal();
                return "signalled";
            });
        });
        add("locks that an interrupt ends, and those with a limit", story -> {
            var lock = new ReentrantLock();
            Thread holder = start(() -> {
                lock.lock();
                try {
                    Thread.sleep(100_000);
                } catch (InterruptedException e) {
                    lock.unlock();
                }
            });
            untilIn(holder, Thread.State.TIMED_WAITING);
            story.tell(lock.tryLock() + " " + lock.tryLock(1, TimeUnit.MILLISECONDS));
            Thread.currentThread().interrupt();
            story.fails(() -> {
                lock.lockInterruptibly();
                return "locked";
            });
            story.tell(Thread.currentThread().isInterrupted());
            holder.interrupt();
            lock.lock();
            story.tell("locked");
            lock.unlock();
        });
        add("read and write locks", story -> {
            var lock = new ReentrantReadWriteLock();
            lock.readLock().lock();
            start(() -> story.tell(
                            lock.readLock().tryLock() + " " + lock.writeLock().tryLock()))
                    .join();
            story.tell(lock.getReadLockCount() + " " + lock.getReadHoldCount());
            var stamped = new StampedLock();
            long stamp = stamped.tryOptimisticRead();
            Thread writer = start(() -> stamped.unlockWrite(stamped.writeLock()));
            writer.join();
            story.tell(stamped.validate(stamp));
        });
    }

    private void handOvers() {
        add("values are handed over in order", story -> {
            var queue = new SynchronousQueue<Integer>(true);
            Thread sender = start(() -> {
                for (int i = 0; i < 5; i++) queue.put(i);
            });
            for (int i = 0; i < 5; i++) story.tell(queue.take());
            sender.join();
        });
        add("two exchange", story -> {
            var exchanger = new Exchanger<String>();
            var others = new CompletableFuture<String>();
            start(() -> others.complete(exchanger.exchange("from the other")));
            story.tell(exchanger.exchange("from me") + " " + others.get());
        });
        add("barriers trip, break and reset", story -> {
            var barrier = new CyclicBarrier(2, () -> story.tell("tripped"));
            var index = new CompletableFuture<Integer>();
            start(() -> index.complete(barrier.await()));
            int mine = barrier.await();
            story.tell(mine + index.get());
            var broken = new CompletableFuture<String>();
            Thread waiting = start(() -> {
                try {
                    barrier.await();
                } catch (BrokenBarrierException e) {
                    broken.complete(e.toString());
                }
            });
            untilIn(waiting, Thread.State.WAITING);
            barrier.reset();
            story.tell(broken.get() + " " + barrier.isBroken());
        });
        add("phases", story -> {
            var phaser = new Phaser(2);
            Thread other = start(() -> {
                phaser.arriveAndAwaitAdvance();
                phaser.arriveAndDeregister();
            });
            story.tell(phaser.arriveAndAwaitAdvance());
            other.join();
            story.tell(phaser.getRegisteredParties() + " " + phaser.getPhase());
        });
        add("pipes", story -> {
            var out = new PipedOutputStream();
            var in = new PipedInputStream(out, 4);
            Thread writer = start(() -> {
                out.write("more than four bytes".getBytes());
                out.close();
            });
            story.tell(new String(in.readAllBytes()));
            writer.join();
        });
        add("futures", story -> {
            var future = new CompletableFuture<String>();
            start(() -> future.complete("done"));
            story.tell(future.thenApply(text -> text + "!").join());
            var failed = new CompletableFuture<String>();
            start(() -> failed.completeExceptionally(new IllegalStateException("no")));
            story.fails(failed::join);
            story.fails(failed::get);
            var cancelled = new CompletableFuture<String>();
            cancelled.cancel(true);
            story.fails(cancelled::join);
        });
    }

    private void executors() {
        add("a thread for each task", story -> {
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                var calls = new ArrayList<Callable<Integer>>();
                for (int i = 0; i < 5; i++) {
                    int number = i;
                    calls.add(() -> {
                        Thread.sleep(5 - number);
                        return number;
                    });
                }
                for (var future : executor.invokeAll(calls)) story.tell(future.get());
                story.fails(() -> executor.submit(() -> {
                            throw new IllegalStateException("on purpose");
                        })
                        .get());
            }
        });
        add("shutdownNow interrupts", story -> {
            var executor = Executors.newVirtualThreadPerTaskExecutor();
            var begun = new CountDownLatch(1);
            var task = executor.submit(() -> {
                begun.countDown();
                Thread.sleep(100_000);
                return "slept";
            });
            begun.await();
            story.tell(executor.shutdownNow());
            story.fails(task::get);
            story.tell(executor.awaitTermination(10, TimeUnit.SECONDS));
            story.fails(() -> executor.submit(() -> "more"));
        });
        add("pools of platform threads", story -> {
            try (var executor = Executors.newFixedThreadPool(1)) {
                story.tell(executor.submit(() -> Thread.currentThread().isVirtual())
                        .get());
            }
            story.tell(ForkJoinPool.commonPool().submit(() -> 6 * 7).join());
            try (var timer = Executors.newSingleThreadScheduledExecutor()) {
                story.tell(
                        timer.schedule(() -> "later", 1, TimeUnit.MILLISECONDS).get());
            }
        });
    }

    private void stacks() {
        add("a deep stack waits and goes on", story -> story.tell(depth(1_000)));
        add("an overflow of the stack is an error like others", story -> {
            try {
                overflow(0);
            } catch (StackOverflowError e) {
                Thread.sleep(1);
                story.tell("caught");
            }
        });
        add("the stack of a parked thread", story -> {
            Thread parked = start(ThreadPrograms::parkHere);
            untilIn(parked, Thread.State.WAITING);
            story.tell(Stream.of(parked.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("parkHere")));
            LockSupport.unpark(parked);
            parked.join();
            story.tell(parked.getStackTrace().length);
        });
        add("a walk over the own stack", story -> {
            StackWalker walker = StackWalker.getInstance();
            long before = walker.walk(Stream::count);
            Thread.sleep(1);
            story.tell(walker.walk(Stream::count) - before);
            story.tell(walker.walk(
                    frames -> frames.findFirst().orElseThrow().getMethodName().startsWith("lambda")));
        });
        add("errors keep their stacks over waits", story -> {
            try {
                failBelow(3);
            } catch (IllegalStateException e) {
                story.tell(Stream.of(e.getStackTrace())
                        .filter(frame -> frame.getMethodName().equals("failBelow"))
                        .count());
            }
        });
        add("finally blocks run in order", story -> {
            Thread.currentThread().interrupt();
            try {
                try {
                    Thread.sleep(1_000);
                } finally {
                    story.tell("inner");
                    Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                story.tell("caught");
            } finally {
                story.tell("outer");
            }
        });
    }

    private static void parkHere() {
        LockSupport.park();
    }

    private static int depth(int calls) throws InterruptedException {
        if (calls == 0) {
            Thread.sleep(1);
            return 0;
        }
        return depth(calls - 1) + 1;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int overflow(int depth) {
        return overflow(depth + 1) + 1;
    }

    private static void failBelow(int calls) throws InterruptedException {
        Thread.sleep(0);
        if (calls == 1) throw new IllegalStateException("at the bottom");
        failBelow(calls - 1);
    }
}
