package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.io.Runs.Pair;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.Event;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.Poll;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.TestEvent;
import org.trueasync.testkit.TestEvent.Heard;
import org.trueasync.testkit.TestRun;

/** An exception in any kind of callback: the run ends with that error, the JVM lives, the next run works. */
@Tag("F77")
public abstract class CallbackFailureConformance {
    private static final class Boom extends RuntimeException {
        private static final long serialVersionUID = 1;

        Boom() {
            super("boom");
        }
    }

    private static Boom boom() {
        return new Boom();
    }

    private static void fails(Body main) {
        assertThatThrownBy(() -> Runs.run(() -> {
                    // somebody who only leaves when the shutdown tells him to
                    Async.spawn(() -> Async.delay(3_600_000));
                    main.run();
                }))
                .isInstanceOf(Boom.class);
    }

    @AfterEach
    void nextRunWorks() {
        Runs.runClean(() -> {
            Async.delay(1);
            try (Pair pair = Pair.open()) {
                pair.client().write(bytes("next"));
                assertThat(read(pair.peer(), 9)).isEqualTo("next");
            }
        });
    }

    private static TimerEvent timer() {
        return SchedulerProvider.get().timers().oneShot(Duration.ofMillis(1));
    }

    @Test
    void eventCallbackThrows_runEndsWithIt() {
        fails(() -> {
            TimerEvent timer = timer();
            timer.addCallback(new Heard(() -> {
                throw boom();
            }));
            timer.start();
            Async.delay(3_600_000);
        });
    }

    @Test
    @Tag("E9")
    void oneOfSeveralEventCallbacksThrows_runEndsAndTimersAreIntact() {
        var heard = new Heard();
        fails(() -> {
            TimerEvent first = timer();
            first.addCallback(new Heard(() -> {
                throw boom();
            }));
            TimerEvent second = timer();
            second.addCallback(heard);
            first.start();
            second.start();
            try {
                Async.delay(3_600_000);
            } finally {
                Async.delay(3);
                assertThat(heard.all).hasSize(1);
            }
        });
    }

    @Test
    void eventCallbackThrowsWhereACoroutineFires_coroutineGetsIt() {
        Runs.run(() -> {
            var event = new TestEvent();
            event.addCallback(new Heard(() -> {
                throw boom();
            }));
            assertThatThrownBy(() -> event.fire(1)).isInstanceOf(Boom.class);
        });
    }

    @Test
    void resumeCallbackThrows_runEndsWithIt() {
        fails(() -> {
            Waker waker = Waker.current();
            waker.resumeWhen(timer(), (w, event, result, error) -> {
                throw boom();
            });
            waker.await();
        });
    }

    @Test
    void resumeCallbackThrowsWhileArming_waiterGetsIt() {
        Runs.run(() -> {
            var event = new TestEvent();
            event.onArm = () -> event.fire(1);
            Waker waker = Waker.current();
            waker.resumeWhen(event, (w, e, result, error) -> {
                throw boom();
            });
            assertThatThrownBy(waker::await).isInstanceOf(Boom.class);
            assertThat(event.hasCallbacks()).isFalse();
            assertThat(event.isActive()).isFalse();
        });
    }

    @Test
    @Tag("E8")
    @Tag("F56")
    void notifyHookOfATimerThrows_runEndsWithIt() {
        fails(() -> {
            TimerEvent timer = timer();
            timer.setNotifyHook(n -> {
                throw boom();
            });
            Waker waker = Waker.current();
            waker.resumeWhen(timer, ResumeCallback.RESOLVE);
            waker.await();
        });
    }

    @Test
    @Tag("F56")
    void periodicTimersCallbackThrows_timerAndLoopLiveOn() {
        var heard = new AtomicInteger();
        fails(() -> {
            TimerEvent periodic = SchedulerProvider.get().timers().periodic(Duration.ofMillis(1));
            periodic.addCallback(new Heard(() -> {
                if (heard.incrementAndGet() == 1) throw boom();
            }));
            periodic.start();
            try {
                Async.delay(3_600_000);
            } finally {
                Async.delay(8);
                assertThat(heard.get()).isGreaterThan(1);
                periodic.dispose();
            }
        });
    }

    @Test
    void microtaskThrows_runEndsWithItAndTheRestIsReleased() {
        var released = new ArrayList<String>();
        fails(() -> {
            new Microtask() {
                @Override
                protected void run() {
                    throw boom();
                }

                @Override
                protected void release() {
                    released.add("thrower");
                }
            }.enqueue();
            new Microtask() {
                @Override
                protected void run() {}

                @Override
                protected void release() {
                    released.add("next");
                }
            }.enqueue();
            Async.delay(3_600_000);
        });
        assertThat(released).containsExactly("thrower", "next");
    }

    @Test
    void microtasksReleaseThrows_runEndsWithIt() {
        fails(() -> {
            new Microtask() {
                @Override
                protected void run() {}

                @Override
                protected void release() {
                    throw boom();
                }
            }.enqueue();
            Async.delay(3_600_000);
        });
    }

    @Test
    void switchHandlerThrowsOnLeave_itsCoroutineGetsIt() {
        Runs.run(() -> {
            Coroutine<?> bad = Async.spawn(() -> {
                SwitchHandlers.add((c, entering, finishing) -> {
                    if (!entering && !finishing) throw boom();
                    return true;
                });
                Async.delay(1);
            });
            assertThat(TestRun.failureOf(bad)).isInstanceOf(Boom.class);
        });
    }

    @Test
    void switchHandlerThrowsOnEnterOrFinish_itsCoroutineGetsIt() {
        for (boolean finish : new boolean[] {false, true}) {
            Runs.run(() -> {
                Coroutine<?> bad = Async.spawn(() -> {
                    SwitchHandlers.add((c, entering, finishing) -> {
                        if (finish ? finishing : entering) throw boom();
                        return true;
                    });
                    Async.delay(1);
                });
                assertThat(TestRun.failureOf(bad)).isInstanceOf(Boom.class);
            });
        }
    }

    @Test
    void switchHandlerThrowsBeforeTheFirstLine_bodyDoesNotRun() {
        Runs.run(() -> {
            Coroutine<?> bad = Async.spawn(() -> {
                throw new AssertionError("ran");
            });
            SwitchHandlers.add(bad, (c, entering, finishing) -> {
                if (entering) throw boom();
                return true;
            });
            assertThat(TestRun.failureOf(bad)).isInstanceOf(Boom.class);
        });
    }

    @Test
    @Tag("F52")
    void finallyHandlerThrows_theOthersRunAndRunEndsWithIt() {
        var ran = new ArrayList<String>();
        fails(() -> {
            Coroutine<?> coroutine = Async.spawn(() -> {});
            coroutine.onFinally(c -> ran.add("first"));
            coroutine.onFinally(c -> {
                throw boom();
            });
            coroutine.onFinally(c -> ran.add("last"));
            Async.delay(3_600_000);
        });
        assertThat(ran).containsExactly("first", "last");
    }

    @Test
    @Tag("F52")
    void finallyHandlerThrowsForAFailedCoroutine_neitherErrorHidesTheOther() {
        Throwable[] seen = new Throwable[1];
        fails(() -> {
            Coroutine<?> coroutine = Async.spawn(() -> {
                throw new IllegalStateException("body");
            });
            coroutine.onFinally(c -> {
                throw boom();
            });
            seen[0] = TestRun.failureOf(coroutine);
        });
        assertThat(seen[0]).isInstanceOf(IllegalStateException.class).hasMessage("body");
    }

    @Test
    @Tag("F52")
    void cleanupActionThrows_theOthersRunAndRunEndsWithIt() {
        var ran = new ArrayList<String>();
        assertThatThrownBy(() -> Runs.run(() -> {
                    Cleanup.atEnd(() -> ran.add("first registered"));
                    Cleanup.atEnd(() -> {
                        throw boom();
                    });
                    Cleanup.atEnd(() -> {
                        Async.delay(1);
                        ran.add("last registered");
                    });
                }))
                .isInstanceOf(Boom.class);
        assertThat(ran).containsExactlyInAnyOrder("first registered", "last registered");
    }

    @Test
    void executorTaskThrows_runEndsWithIt() {
        fails(() -> {
            var executor = Async.executor();
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> executor.execute(() -> {
                        throw boom();
                    }));
            Async.delay(3_600_000);
        });
    }

    @Test
    void threadOfTheFactoryThrows_runEndsWithIt() {
        fails(() -> {
            Async.threadFactory()
                    .newThread(() -> {
                        throw boom();
                    })
                    .start();
            Async.delay(3_600_000);
        });
    }

    @Test
    @Tag("F24")
    void diagnosticsSinkThrows_runStillEnds() {
        assertThatThrownBy(() -> Async.runtime()
                        .reactor(Runs::reactor)
                        .diagnostics(report -> {
                            throw boom();
                        })
                        .run(() -> {
                            var never = new TestEvent();
                            never.setHidden(true);
                            Waker waker = Waker.current();
                            waker.resumeWhen(never, ResumeCallback.RESOLVE);
                            waker.await();
                        }))
                .isInstanceOfAny(Boom.class, DeadlockError.class);
    }

    @Test
    void bufferedSupplierOfAPollThrows_waiterGetsIt() {
        Runs.runClean(() -> {
            var event = Poll.watch(0, PollHandle.READABLE, () -> {
                throw boom();
            });
            Waker waker = Waker.current();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            assertThatThrownBy(waker::await).isInstanceOf(Boom.class);
            assertThatThrownBy(() -> Poll.select(java.util.List.of(event), null))
                    .isInstanceOf(Boom.class);
        });
    }

    @Test
    void streamListenerOfAnExtensionThrows_runEndsWithIt() {
        fails(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            SchedulerProvider.get().reactor().connect(server.localAddress(), new StreamHandle.Listener() {
                @Override
                public void onConnected(SystemError error) {
                    throw boom();
                }

                @Override
                public void onBytes(java.nio.ByteBuffer bytes) {}

                @Override
                public void onEnd() {}

                @Override
                public void onReadError(SystemError error) {}

                @Override
                public void onWritten(SystemError error) {}

                @Override
                public void onShutdown(SystemError error) {}
            });
            server.accept();
            Async.delay(3_600_000);
        });
    }

    @Test
    void callbackOfACompletionThrows_runEndsWithItAndOtherStreamsAreServed() {
        fails(() -> {
            try (Pair bad = Pair.open();
                    Pair good = Pair.open()) {
                Coroutine<String> reader = Async.spawn(() -> read(good.client(), 9));
                Coroutine<?> failing = Async.spawn(() -> {
                    read(bad.client(), 9);
                });
                ((Event) failing).addCallback(new Heard(() -> {
                    throw boom();
                }));
                Async.suspend();
                good.peer().write(bytes("good"));
                bad.peer().write(bytes("bad"));
                assertThat(Async.await(reader)).isEqualTo("good");
                Async.delay(3_600_000);
            }
        });
    }

    @Test
    void actionOnACompletionAsFutureThrows_othersAreToldAndTheRunEnds() {
        Runs.run(() -> {
            Coroutine<String> coroutine = Async.spawn(() -> "value");
            var future = coroutine.toCompletableFuture();
            var failed = future.thenRun(() -> {
                throw boom();
            });
            assertThat(Async.await(coroutine)).isEqualTo("value");
            assertThat(failed).isCompletedExceptionally();
        });
    }

    @Test
    @Tag("F51")
    void coroutineFailsUnobserved_reportedOnce() {
        var run = Runs.testRun();
        assertThatThrownBy(() -> run.run(() -> Async.spawn(() -> {
                    throw boom();
                })))
                .isInstanceOf(Boom.class)
                .satisfies(e -> assertThat(e.getCause()).isNull());
    }

    @Test
    @Tag("F50")
    void errorAwaitedLate_notReportedAgain() {
        Runs.run(() -> {
            Coroutine<?> failed = Async.spawn(() -> {
                throw boom();
            });
            for (int i = 0; i < 5; i++) Async.delay(1);
            assertThat(TestRun.failureOf(failed)).isInstanceOf(Boom.class);
            assertThat(TestRun.failureOf(failed)).isInstanceOf(Boom.class);
        });
    }

    @Test
    @Tag("F77")
    void reactorCantBeMade_runFailsAndTheNextOneWorks() {
        assertThatThrownBy(() -> Async.runtime()
                        .reactor(() -> {
                            throw boom();
                        })
                        .run(() -> {}))
                .isInstanceOf(Boom.class);
    }

    @Test
    void mainThrows_runThrowsIt() {
        assertThatThrownBy(() -> Runs.run(() -> {
                    throw boom();
                }))
                .isInstanceOf(Boom.class);
        assertThatThrownBy(() -> Runs.run(() -> {
                    throw new OutOfMemoryError("made up");
                }))
                .isInstanceOf(OutOfMemoryError.class);
    }
}
