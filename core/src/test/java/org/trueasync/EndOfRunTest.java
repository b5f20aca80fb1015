package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.Threads;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.EndOfRun;

/** What the end of a run ends is no failure, in whichever order it is ended. Errors of the program's own are. */
@Tag("D29")
class EndOfRunTest {
    /** What a thread or task does when the run that it belongs to ends. */
    private final CountDownLatch begun = new CountDownLatch(1);

    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    /** Receives from a channel that has ended: its own thread has not learned of its shutdown. */
    private Object receiveLate(ThreadChannel<Integer> channel) {
        begun.countDown();
        while (!channel.isClosed()) Thread.onSpinWait();
        return channel.receive();
    }

    /** A program that leaves something behind; returns when that has begun. */
    private enum Left {
        RECEIVING {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                spawnThread(() -> test.receiveLate(ended));
            }
        },
        SENDING {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                spawnThread(() -> {
                    test.begun.countDown();
                    while (!ended.isClosed()) Thread.onSpinWait();
                    ended.send(1);
                });
            }
        },
        ERROR_AROUND_IT {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                spawnThread(() -> {
                    try {
                        test.receiveLate(ended);
                    } catch (ThreadChannelException e) {
                        throw new IllegalStateException("wrapped", e);
                    }
                });
            }
        },
        COROUTINE_THAT_NOBODY_AWAITS {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                spawnThread(() -> {
                    spawn(() -> test.receiveLate(ended));
                    ended.receive();
                });
            }
        },
        COROUTINE_THAT_IS_AWAITED {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                spawnThread(() -> await(spawn(() -> test.receiveLate(ended))));
            }
        },
        SCOPE {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                spawnThread(() -> {
                    try (var scope = new Scope()) {
                        scope.spawn(() -> test.receiveLate(ended));
                        scope.awaitCompletion();
                    }
                });
            }
        },
        THREAD_OF_A_THREAD {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                spawnThread(() -> {
                    spawnThread(() -> test.receiveLate(ended));
                    ended.receive();
                });
            }
        },
        TASK_THAT_RECEIVES {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                new ThreadPool(1).submit(() -> test.receiveLate(ended));
            }
        },
        TASK_THAT_WAITS {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                new ThreadPool(1).submit(() -> {
                    test.begun.countDown();
                    return ended.receive();
                });
            }
        },
        TASK_IN_COROUTINE_MODE {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                var pool = ThreadPool.builder().workers(1).coroutineMode(true).build();
                pool.submit(() -> ended.receive());
                pool.submit(() -> test.receiveLate(ended));
            }
        },
        TASK_WITH_A_COROUTINE {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                new ThreadPool(1).submit(() -> {
                    spawn(() -> test.receiveLate(ended));
                    ended.receive();
                });
            }
        },
        TASK_THAT_SUBMITS {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                var other = new ThreadPool(1);
                new ThreadPool(1).submit(() -> {
                    test.begun.countDown();
                    while (!other.isClosed()) Thread.onSpinWait();
                    return other.submit(() -> 1);
                });
            }
        },
        BOOTLOADER {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                ThreadPool.builder()
                        .workers(1)
                        .bootloader(() -> test.receiveLate(ended))
                        .build();
            }
        },
        BOOTLOADER_IN_A_THREAD {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                spawnThread(() -> {
                    ThreadPool.builder()
                            .workers(1)
                            .bootloader(() -> test.receiveLate(ended))
                            .build();
                    ended.receive();
                });
            }
        },
        REMOTE_FUTURE {
            @Override
            void start(EndOfRunTest test, ThreadChannel<Integer> ended) {
                var state = new FutureState<Integer>();
                RemoteFuture<Integer> remote = state.handOver();
                state.future().map(value -> value + 1);
                spawnThread(() -> {
                    try (remote) {
                        test.begun.countDown();
                        ended.receive();
                    }
                });
            }
        };

        abstract void start(EndOfRunTest test, ThreadChannel<Integer> ended);
    }

    @ParameterizedTest
    @EnumSource(Left.class)
    void whatTheRunLeavesBehind_endsWithoutAReport(Left left) {
        TestRuntime runtime = Threads.run(() -> {
            left.start(this, new ThreadChannel<>(1));
            begun.await();
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void threadsThatWaitInAChannel_endWithoutAReport() {
        for (int i = 0; i < 20; i++) {
            TestRuntime runtime = Threads.run(() -> {
                var jobs = new ThreadChannel<Integer>(4);
                for (int worker = 0; worker < 3; worker++)
                    spawnThread(() -> {
                        int sum = 0;
                        for (int job : jobs) sum += job;
                        return sum;
                    });
                jobs.send(1);
            });
            assertThat(runtime.reports()).isEmpty();
        }
    }

    @Test
    void cleanUpActionThatNeedsAPoolThatHasEnded_doesNotFailTheRun() {
        Threads.run(() -> {
            Pool<Object> pool = Pool.of(Object::new).max(1).build();
            pool.acquire();
            Cleanup.atEnd(pool::acquire); // runs first, and still waits when the pool ends
        });
    }

    @Test
    void cleanUpActionThatNeedsAChannelThatHasEnded_doesNotFailTheRun() {
        Threads.run(() -> {
            var channel = new ThreadChannel<Integer>(1);
            Cleanup.atEnd(channel::receive);
        });
    }

    // ---- failures

    @Test
    void errorOfAThreadsOwn_isReportedOnce() {
        TestRuntime runtime = Threads.run(() -> {
            var ended = new ThreadChannel<Integer>(1);
            spawnThread(() -> {
                try {
                    receiveLate(ended);
                } finally {
                    fail();
                }
            });
            begun.await();
        });
        assertThat(runtime.reports()).singleElement().asString().contains("its own");
    }

    @Test
    void errorOfAThreadsCoroutine_isReportedOnce() {
        TestRuntime runtime = Threads.run(() -> {
            var ended = new ThreadChannel<Integer>(1);
            spawnThread(() -> {
                Scope.current().launch(() -> {
                    try {
                        receiveLate(ended);
                    } finally {
                        fail();
                    }
                });
                ended.receive();
            });
            begun.await();
        });
        assertThat(runtime.reports()).singleElement().asString().contains("its own");
    }

    @Test
    void errorOfATask_isReportedOnce() {
        TestRuntime runtime = Threads.run(() -> {
            var ended = new ThreadChannel<Integer>(1);
            new ThreadPool(1).submit(() -> {
                try {
                    receiveLate(ended);
                } finally {
                    fail();
                }
            });
            begun.await();
        });
        assertThat(runtime.reports()).singleElement().asString().contains("its own");
    }

    private static void fail() {
        throw new IllegalStateException("an error of its own");
    }

    @Test
    void channelThatTheProgramCloses_failsTheThread() {
        TestRuntime runtime = Threads.run(() -> {
            var closed = new ThreadChannel<Integer>(1);
            closed.close();
            ThreadTask<?> thread = spawnThread(() -> closed.receive());
            while (thread.isRunning()) Async.delay(1);
        });
        assertThat(runtime.reports()).singleElement().asString().contains("was closed");
    }

    @Test
    void channelOfAnotherRun_failsACoroutineHere() {
        var channel = new ThreadChannel<?>[1];
        Threads.run(() -> channel[0] = new ThreadChannel<Integer>(1));
        assertThatThrownBy(() -> Threads.run(() -> channel[0].receive()))
                .isInstanceOf(ThreadChannelException.class)
                .hasCauseInstanceOf(EndOfRun.class);
    }

    @Test
    void channelOfAThread_failsTheRunThatGoesOn() {
        assertThatThrownBy(() -> Threads.run(() -> {
                    ThreadChannel<Integer> ofThread = await(spawnThread(() -> new ThreadChannel<Integer>(1)));
                    ofThread.receive();
                }))
                .isInstanceOf(ThreadChannelException.class);
    }

    @Test
    void taskAfterTheEnd_isRefusedWithTheEndAsCause() {
        AsyncRuntime runtime = Threads.run(() -> {}).runtime();
        assertThatThrownBy(() -> runtime.executor().execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasCauseInstanceOf(EndOfRun.class);
    }
}
