package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Body;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.queue.Inbox;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.testkit.TestRuntime;

/** What other threads bring, at a queue of the test's own: nothing happens but what the test calls. */
class RemoteQueueTest {
    private static final int PORTION = RemoteQueue.PORTION;
    private static final int FULL_QUEUE = RemoteQueue.FULL_QUEUE;
    private static final int TICKS_PER_TASK = 16;

    /** As the loop thread: another thread would wait for whoever holds this one. */
    private static Loop loop() {
        return Runtimes.here("test");
    }

    private static void submit(RemoteQueue queue, int tasks) {
        for (int i = 0; i < tasks; i++)
            queue.task(Tasks.task((Body) () -> {}), () -> {}, CoroutineKind.WORK, CodeSites.UNKNOWN, null);
    }

    /** So many coroutines that are ready. */
    private static void ready(int count) {
        for (int i = 0; i < count; i++) spawn(() -> {});
    }

    @Test
    void flood_isTakenInByPortionsInTheOrderOfComing() {
        TestRuntime.run(() -> {
            var queue = new RemoteQueue(loop());
            var seen = new ArrayList<Integer>();
            for (int i = 0; i < 2 * PORTION + 10; i++) {
                int number = i;
                queue.post(() -> seen.add(number), null);
            }
            assertThat(queue.isEmpty()).isFalse();
            queue.drain();
            assertThat(seen).hasSize(PORTION);
            assertThat(queue.isEmpty()).isFalse();
            queue.drain();
            assertThat(seen).hasSize(2 * PORTION);
            queue.drain();
            assertThat(seen).hasSize(2 * PORTION + 10).isSorted();
            assertThat(queue.isEmpty()).isTrue();
        });
    }

    /** The wake-up that must not be lost: jcstress tries it with threads, see RemoteQueueBeforeWaiting. */
    @Test
    @Tag("K29")
    void entryThatComesWhileTheLoopLooksForTheLastTime_keepsItAwakeOrWakesIt() {
        var reactor = new CountingReactor();
        new TestRuntime(b -> b.reactor(() -> reactor)).start(() -> {
            var comes = new Runnable[1];
            var queue = new RemoteQueue(loop(), new Inbox() {
                @Override
                public boolean isEmpty() {
                    boolean empty = super.isEmpty();
                    comes[0].run();
                    return empty;
                }
            });
            int before = reactor.triggers.get();
            comes[0] = () -> {
                comes[0] = () -> {};
                queue.post(() -> {}, null);
            };
            boolean mayWait = queue.beginPoll();
            assertThat(!mayWait || reactor.triggers.get() > before)
                    .as("awake, or woken")
                    .isTrue();
        });
    }

    @Test
    @Tag("K62")
    void onceTasksAreRefused_everythingIsTakenInAtOnce() {
        TestRuntime.run(() -> {
            var queue = new RemoteQueue(loop());
            var ran = new int[1];
            for (int i = 0; i < 3 * PORTION; i++) queue.post(() -> ran[0]++, null);
            assertThat(queue.isRefusing()).isFalse();
            queue.refuseTasks();
            assertThat(queue.isRefusing()).isTrue();
            assertThat(queue.isStopped()).isFalse();
            queue.drain();
            assertThat(ran[0]).isEqualTo(3 * PORTION);
        });
    }

    @Test
    void tasks_beginAsLongAsThereIsRoomAmongThoseWhoAreReady() {
        TestRuntime.run(() -> {
            Loop loop = loop();
            var queue = new RemoteQueue(loop);
            ready(FULL_QUEUE - 4 - loop.agenda.queue.size());
            submit(queue, 10);
            queue.drain();
            assertThat(loop.agenda.queue.size()).isEqualTo(FULL_QUEUE);
            assertThat(queue.isEmpty()).isFalse();
            while (loop.agenda.queue.size() > 0) suspend();
            queue.drain();
            assertThat(loop.agenda.queue.size()).isEqualTo(6);
            assertThat(queue.isEmpty()).isTrue();
        });
    }

    @Test
    void everybodyIsAlwaysReady_oneTaskInSoManyTicksBeginsNevertheless() {
        TestRuntime.run(() -> {
            Loop loop = loop();
            var queue = new RemoteQueue(loop);
            ready(FULL_QUEUE);
            submit(queue, 10);
            for (int task = 1; task <= 2; task++) {
                for (int tick = 1; tick < TICKS_PER_TASK; tick++) queue.drain();
                assertThat(loop.agenda.queue.size()).isEqualTo(FULL_QUEUE + task - 1);
                queue.drain();
                assertThat(loop.agenda.queue.size()).isEqualTo(FULL_QUEUE + task);
            }
            queue.refuseTasks();
            queue.drain();
        });
    }

    @Test
    @Tag("K62")
    void refusedTasks_runOnThreadsOfTheJdk() {
        TestRuntime.run(() -> {
            Loop loop = loop();
            var queue = new RemoteQueue(loop);
            var ran = new LinkedBlockingQueue<Thread>();
            var done = new CompletableFuture<Void>();
            for (int i = 0; i < 2; i++)
                queue.task(
                        Tasks.task((Body) () -> {
                            throw new AssertionError("begun");
                        }),
                        () -> {
                            ran.add(Thread.currentThread());
                            if (ran.size() == 2) done.complete(null);
                        },
                        CoroutineKind.WORK,
                        CodeSites.UNKNOWN,
                        null);
            queue.refuseTasks();
            queue.drain();
            assertThat(queue.isEmpty()).isTrue();
            await(done);
            assertThat(ran).doesNotContain(loop.loopThread);
        });
    }

    @Test
    @Tag("K62")
    void endOfTheLoop_whateverIsHereAndComesLaterGoesToTheJdk() {
        TestRuntime.run(() -> {
            Loop loop = loop();
            var queue = new RemoteQueue(loop);
            var ran = new LinkedBlockingQueue<String>();
            var done = new CountDownLatch(4);
            ready(FULL_QUEUE);
            queue.task(
                    Tasks.task((Body) () -> ran.add("begun")),
                    told(ran, done, "task in line"),
                    CoroutineKind.WORK,
                    CodeSites.UNKNOWN,
                    null);
            queue.drain(); // there is no room for it
            for (int i = 0; i < PORTION; i++) queue.post(() -> {}, null);
            queue.post(() -> ran.add("run"), told(ran, done, "taken in by half"));
            queue.drain();
            queue.post(() -> ran.add("run"), told(ran, done, "just come"));
            queue.post(() -> ran.add("run"), null);
            queue.stop();
            assertThat(queue.isStopped()).isTrue();
            assertThat(queue.isRefusing()).isTrue();
            while (done.getCount() > 1) Thread.onSpinWait();
            queue.post(() -> ran.add("run"), told(ran, done, "late"));
            while (done.getCount() > 0) Thread.onSpinWait();
            assertThat(ran).containsExactlyInAnyOrder("task in line", "taken in by half", "just come", "late");
            assertThat(queue.waiting()).isZero();
        });
    }

    private static Runnable told(LinkedBlockingQueue<String> ran, CountDownLatch done, String what) {
        return () -> {
            ran.add(what);
            done.countDown();
        };
    }

    @Test
    void whatArrivesAsTheLoopBeginsToWait_keepsItFromWaiting() {
        TestRuntime.run(() -> {
            var queue = new RemoteQueue(loop());
            assertThat(queue.isPolling()).isFalse();
            assertThat(queue.beginPoll()).isTrue();
            assertThat(queue.isPolling()).isTrue();
            queue.endPoll();
            assertThat(queue.isPolling()).isFalse();
            queue.post(() -> {}, null);
            assertThat(queue.beginPoll()).isFalse();
            queue.endPoll();
        });
    }

    /** An inbox that finds no memory so often. */
    private static Inbox fullInbox(AtomicInteger attempts, int failures) {
        return new Inbox() {
            @Override
            public int add(Object entry, @Nullable Runnable orphan) {
                if (attempts.incrementAndGet() <= failures) throw new OutOfMemoryError("planned");
                return super.add(entry, orphan);
            }
        };
    }

    private static @Nullable Throwable thrownElsewhere(Runnable action) {
        var thrown = new AtomicReference<@Nullable Throwable>();
        Thread other = Thread.ofPlatform()
                .uncaughtExceptionHandler((thread, error) -> thrown.set(error))
                .start(action);
        while (other.isAlive()) Thread.onSpinWait();
        return thrown.get();
    }

    @Test
    @Tag("K67")
    void heapIsFull_anotherThreadTriesUntilThereIsRoom() {
        TestRuntime.run(() -> {
            var attempts = new AtomicInteger();
            var queue = new RemoteQueue(loop(), fullInbox(attempts, 3)) {
                @Override
                long now() {
                    return 1; // however long the other thread is held up
                }
            };
            var ran = new int[1];
            assertThat(thrownElsewhere(() -> queue.post(() -> ran[0]++, null))).isNull();
            assertThat(attempts).hasValue(4);
            queue.drain();
            assertThat(ran).containsExactly(1);
        });
    }

    @Test
    @Tag("K67")
    void heapStaysFull_anotherThreadGivesUpAfterAWhile() {
        TestRuntime.run(() -> {
            var attempts = new AtomicInteger();
            long step = RemoteQueue.RETRY_NANOS / 10;
            var queue = new RemoteQueue(loop(), fullInbox(attempts, Integer.MAX_VALUE)) {
                private long now = 1;

                @Override
                long now() {
                    return now += step;
                }
            };
            assertThat(thrownElsewhere(() -> queue.post(() -> {}, null)))
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessage("planned");
            // ten while the limit is not past, the one at the limit, and the first
            assertThat(attempts).hasValue(11);
        });
    }

    /** Whatever frees memory runs on this thread. */
    @Test
    @Tag("K67")
    void heapIsFull_theLoopThreadDoesNotWaitForRoom() {
        TestRuntime.run(() -> {
            var attempts = new AtomicInteger();
            var queue = new RemoteQueue(loop(), fullInbox(attempts, 1));
            assertThatThrownBy(() -> queue.post(() -> {}, null)).isInstanceOf(OutOfMemoryError.class);
            assertThat(attempts).hasValue(1);
        });
    }

    @Test
    @Tag("K62")
    void waiting_isAllThatHasComeAndNotBegun() {
        TestRuntime.run(() -> {
            var queue = new RemoteQueue(loop());
            for (int i = 0; i < 4 * PORTION; i++) queue.post(() -> {}, null);
            assertThat(queue.waiting()).isEqualTo(4 * PORTION);
            queue.drain();
            assertThat(queue.waiting()).isEqualTo(3 * PORTION);
            queue.post(() -> {}, null);
            assertThat(queue.waiting()).isEqualTo(3 * PORTION + 1);
            while (!queue.isEmpty()) queue.drain();
            assertThat(queue.waiting()).isZero();

            ready(FULL_QUEUE);
            submit(queue, 2 * PORTION);
            while (queue.waiting() == 2 * PORTION) queue.drain();
            assertThat(queue.waiting()).as("tasks that wait for room").isEqualTo(2 * PORTION - 1);
            queue.refuseTasks();
            queue.drain();
            assertThat(queue.waiting()).isZero();
        });
    }

    @Test
    @Tag("K62")
    void theMoreAreReady_theFewerEntriesATickTakesIn() {
        TestRuntime.run(() -> {
            var queue = new RemoteQueue(loop());
            var ran = new int[1];
            for (int i = 0; i < 2 * PORTION; i++) queue.post(() -> ran[0]++, null);
            ready(100 - loop().agenda.queue.size());
            queue.drain();
            assertThat(ran[0]).isEqualTo(PORTION - 100);
            ready(FULL_QUEUE);
            queue.drain();
            assertThat(ran[0]).isEqualTo(PORTION - 100 + RemoteQueue.SMALL_PORTION);
            queue.refuseTasks();
            queue.drain();
        });
    }

    /** Otherwise each turn of a coroutine would put more before the others than it takes away. */
    @Test
    @Tag("K62")
    void enoughAreReady_entryThatMakesOneMoreReadyIsTheLastOfItsTick() {
        TestRuntime.run(() -> {
            Loop loop = loop();
            var queue = new RemoteQueue(loop);
            for (int i = 0; i < 10; i++) {
                queue.post(() -> {}, null);
                queue.post(() -> ready(1), null);
            }
            ready(FULL_QUEUE - 1 - loop.agenda.queue.size());
            queue.drain();
            assertThat(loop.agenda.queue.size()).isEqualTo(FULL_QUEUE + 1);
            queue.drain();
            assertThat(loop.agenda.queue.size()).isEqualTo(FULL_QUEUE + 2);
            queue.refuseTasks();
            queue.drain();
            assertThat(loop.agenda.queue.size()).isEqualTo(FULL_QUEUE + 9);
        });
    }

    @Test
    void actionThatFails_endsTheRunAndTheOthersRun() {
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            var queue = new RemoteQueue(loop());
            queue.post(
                    () -> {
                        throw new IllegalStateException("planned");
                    },
                    null);
            queue.post(() -> log.add("next"), null);
            queue.drain();
        });
        assertThat(thrown).hasMessage("planned");
        assertThat(log).isEqualTo(List.of("next"));
    }

    @Test
    void afterTheRun_whatIsPostedIsTheOrphans() throws Exception {
        Loop[] loop = new Loop[1];
        TestRuntime.run(() -> loop[0] = Runtimes.here("test"));
        var told = new CompletableFuture<String>();
        loop[0].post(() -> told.complete("action"), () -> told.complete("orphan"));
        assertThat(told.get()).isEqualTo("orphan");
    }

    @Test
    @Tag("K67")
    void noMemoryForALongerRunQueue_nothingThatArrivedIsLost() {
        var queued = new int[1];
        Throwable thrown = TestRuntime.failureOf(() -> {
            Loop loop = loop();
            var queue = new RemoteQueue(loop);
            thrownElsewhere(() -> {
                for (int i = 0; i < 200; i++) queue.libraryThreadRunnable(() -> {});
            });
            int before = loop.agenda.queue.size();
            FaultPoint.fault = () -> {
                FaultPoint.fault = null;
                throw new OutOfMemoryError("for the run queue");
            };
            try {
                queue.drain();
            } finally {
                FaultPoint.fault = null;
            }
            queued[0] = loop.agenda.queue.size() - before;
        });
        assertThat(thrown).isInstanceOf(OutOfMemoryError.class).hasMessageContaining("for the run queue");
        assertThat(queued[0]).isGreaterThanOrEqualTo(200);
    }
}
