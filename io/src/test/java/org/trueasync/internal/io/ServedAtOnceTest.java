package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.io.Scripted.Connection;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.io.TcpServer;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.TestRun;

/**
 * Calls that need no wait: they hold nobody up, can be cancelled, count as a use of their token, and go where nobody
 * may suspend.
 */
class ServedAtOnceTest {
    private static final int MANY = 5_000;

    /** A call, ready to be made again and again, and what it has taken so far. */
    private interface Ready {
        void call(Completable<?> token);

        long taken();
    }

    enum Served {
        WRITE {
            @Override
            Ready prepare(ScriptedReactor reactor) {
                Connection c = Connection.open(reactor);
                c.handle().room(Long.MAX_VALUE);
                return ready(
                        token -> {
                            if (token == null) c.stream().write(ByteBuffer.allocate(1));
                            else c.stream().write(ByteBuffer.allocate(1), token);
                        },
                        () -> c.handle().taken());
            }
        },
        WRITE_OF_NOTHING {
            @Override
            Ready prepare(ScriptedReactor reactor) {
                Connection c = Connection.open(reactor);
                int before = c.handle().calls().size();
                return ready(
                        token -> {
                            if (token == null) c.stream().write(ByteBuffer.allocate(0));
                            else c.stream().write(ByteBuffer.allocate(0), token);
                        },
                        () -> c.handle().calls().size() - before);
            }
        },
        READ_OF_KEPT_BYTES {
            @Override
            Ready prepare(ScriptedReactor reactor) {
                Connection c = Connection.keeping(reactor, MANY);
                return reading(c);
            }
        },
        READ_AT_END {
            @Override
            Ready prepare(ScriptedReactor reactor) {
                return reading(Connection.ended(reactor));
            }
        },
        ACCEPT {
            @Override
            Ready prepare(ScriptedReactor reactor) {
                TcpServer server = TcpServer.listen("127.0.0.1", 0);
                reactor.listeners().getLast().waiting(MANY);
                return ready(
                        token -> {
                            if (token == null) server.accept();
                            else server.accept(token);
                        },
                        () -> -1); // see below
            }
        },
        SHUTDOWN_AGAIN {
            @Override
            Ready prepare(ScriptedReactor reactor) {
                Connection c = Connection.shut(reactor);
                return ready(
                        token -> {
                            if (token == null) c.stream().shutdownOutput();
                            else c.stream().shutdownOutput(token);
                        },
                        () -> -1);
            }
        };

        abstract Ready prepare(ScriptedReactor reactor);

        private static Ready reading(Connection c) {
            long[] got = {0};
            return ready(
                    token -> {
                        ByteBuffer into = ByteBuffer.allocate(1);
                        int count = token == null
                                ? c.stream().read(into)
                                : c.stream().read(into, token);
                        assertThat(count).isNotZero();
                        got[0]++;
                    },
                    () -> got[0]);
        }
    }

    private static Ready ready(
            java.util.function.Consumer<Completable<?>> call, java.util.function.LongSupplier taken) {
        return new Ready() {
            @Override
            public void call(Completable<?> token) {
                call.accept(token);
            }

            @Override
            public long taken() {
                return taken.getAsLong();
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void loopOfCalls_othersRunAllTheSame(Served served) {
        Scripted.run(reactor -> {
            Ready ready = served.prepare(reactor);
            int[] ticks = {0};
            Coroutine<?> other = Async.spawn(() -> {
                while (true) {
                    Async.delay(10);
                    ticks[0]++;
                }
            });
            for (int i = 0; i < MANY; i++) {
                ready.call(null);
                reactor.advance(100_000);
            }
            other.cancel();
            // each time it waits for ten milliseconds, and then for one turn of the calls at most
            int turns = MANY / (Loop.SERVED_IN_A_ROW + 1);
            assertThat(ticks[0]).isGreaterThanOrEqualTo(turns / 3);
        });
    }

    @Test
    @Tag("E40")
    @Tag("F1")
    void acceptCancelledWhileItGivesWay_connectionIsTheCallers() {
        Scripted.run(reactor -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            var listener = reactor.listeners().getLast().waiting(MANY);
            int[] accepted = {0};
            Coroutine<?> caller = Async.spawn(() -> {
                while (true) {
                    server.accept();
                    accepted[0]++;
                    reactor.advance(100_000);
                }
            });
            Async.delay(20);
            caller.cancel();
            assertThat(TestRun.failureOf(caller)).isInstanceOf(AsyncCancellation.class);
            assertThat(MANY - listener.waiting()).as("taken").isEqualTo(accepted[0]);
            server.accept();
            assertThat(MANY - listener.waiting()).as("taken").isEqualTo(accepted[0] + 1);
        });
    }

    @ParameterizedTest
    @EnumSource
    @Tag("E40")
    @Tag("F1")
    void loopOfCalls_canBeCancelledAndNothingIsLost(Served served) {
        Scripted.run(reactor -> {
            Ready ready = served.prepare(reactor);
            long before = Math.max(0, ready.taken());
            int[] returned = {0};
            Coroutine<?> caller = Async.spawn(() -> {
                for (int i = 0; i < MANY; i++) {
                    ready.call(null);
                    returned[0]++;
                    reactor.advance(100_000);
                }
            });
            Async.delay(20);
            caller.cancel();
            assertThat(TestRun.failureOf(caller)).isInstanceOf(AsyncCancellation.class);
            assertThat(returned[0]).isBetween(1, MANY - 1);
            if (ready.taken() >= 0) assertThat(ready.taken() - before).isEqualTo(returned[0]);
        });
    }

    @ParameterizedTest
    @EnumSource
    @Tag("A8")
    @Tag("D19")
    void spentToken_refusesACallBeforeAnyEffect(Served served) {
        Scripted.run(reactor -> {
            Ready ready = served.prepare(reactor);
            long before = ready.taken();
            assertThatThrownBy(() -> ready.call(Future.completed(null)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasMessageContaining("given up before it began");
            assertThat(ready.taken()).isEqualTo(before);
        });
    }

    @ParameterizedTest
    @EnumSource
    @Tag("F37")
    void tokenThatIsNotConsulted_isUsedAllTheSame(Served served) {
        // the run would throw the error of a coroutine that nobody has looked at
        Scripted.run(reactor -> {
            Ready ready = served.prepare(reactor);
            Coroutine<?> token = Async.spawn(() -> {
                throw new IllegalStateException("expected");
            });
            ready.call(token);
            Async.delay(1);
            assertThat(token.isCompleted()).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void calledWhereNobodyMaySuspend_servedAllTheSame(Served served) {
        Scripted.run(reactor -> {
            Ready ready = served.prepare(reactor);
            var done = new ArrayList<String>();

            Microtask.of(() -> {
                        reactor.advance(10_000_000);
                        ready.call(null);
                        done.add("microtask of a coroutine");
                    })
                    .enqueue();
            Async.delay(1);

            TimerEvent timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(1));
            timer.addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, Object result, Throwable error) {
                    reactor.advance(10_000_000);
                    ready.call(null);
                    done.add("reactor");
                    Microtask.of(() -> {
                                reactor.advance(10_000_000);
                                ready.call(null);
                                done.add("microtask while no coroutine runs");
                            })
                            .enqueue();
                }
            });
            timer.start();
            Async.delay(50);

            assertThat(done)
                    .containsExactly("microtask of a coroutine", "reactor", "microtask while no coroutine runs");
        });
    }

    @ParameterizedTest
    @EnumSource
    void calledByACallbackOfACoroutinesEnd_theOtherCallbacksAreToldToo(Served served) {
        Scripted.run(reactor -> {
            Ready ready = served.prepare(reactor);
            var done = new ArrayList<String>();
            Coroutine<?> ending = Async.spawn(() -> {});
            ((Event) ending).addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, Object result, Throwable error) {
                    reactor.advance(10_000_000);
                    ready.call(null);
                    done.add("first");
                }
            });
            ((Event) ending).addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, Object result, Throwable error) {
                    done.add("second");
                }
            });
            Async.delay(50);
            assertThat(done).containsExactly("first", "second");
        });
    }

    @ParameterizedTest
    @EnumSource
    void calledWhileAWaitIsArmed_theWaitGoesOn(Served served) {
        Scripted.run(reactor -> {
            Ready ready = served.prepare(reactor);
            var event = new ManualEvent("reply").whenArmed(() -> {
                reactor.advance(10_000_000);
                ready.call(null);
            });
            Async.spawn(() -> {
                Async.delay(50);
                event.fire("value");
            });
            Waker waker = Waker.current();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            assertThat(waker.await()).isEqualTo("value");
        });
    }

    @Test
    @Tag("E32")
    void largeWriteThatIsTakenAtOnce_othersRunInBetween() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            c.handle().room(Long.MAX_VALUE).writesTake(2_000_000);
            var order = new ArrayList<String>();
            Coroutine<?> writer = Async.spawn(() -> {
                ByteBuffer large = ByteBuffer.allocate(20 << 20);
                c.stream().write(large);
                assertThat(large.hasRemaining()).isFalse();
                order.add("written");
            });
            Async.suspend();
            order.add("other");
            assertThat(TestRun.failureOf(writer)).isNull();
            assertThat(c.handle().taken()).isEqualTo(20 << 20);
            assertThat(c.handle().mostQueued()).isZero();
            assertThat(order).isEqualTo(List.of("other", "written"));
        });
    }

    @Test
    @Tag("E32")
    void writerThatLetsOthersRun_keepsItsPlaceInTheLine() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            c.handle().room(Long.MAX_VALUE);
            Coroutine<?> first = Async.spawn(() -> {
                for (int i = 0; i < Loop.SERVED_IN_A_ROW; i++) c.stream().flush();
                c.stream().write(ByteBuffer.allocate(1)); // gives way
            });
            Coroutine<?> second = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(2)));
            reactor.advance(10_000_000);
            Async.awaitAllOrFail(List.of(first, second));
            assertThat(c.handle().calls()).containsExactly("taken 1", "taken 2");
        });
    }

    @Test
    @Tag("E38")
    void closedWhileAWriterLetsOthersRun_writerIsTold() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            c.handle().room(Long.MAX_VALUE);
            Coroutine<?> writer = Async.spawn(() -> {
                while (true) {
                    c.stream().write(ByteBuffer.allocate(1));
                    reactor.advance(1_000_000);
                }
            });
            Async.delay(3);
            c.stream().close();
            assertThat(TestRun.failureOf(writer)).hasMessageContaining("the stream is closed");
        });
    }
}
