package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trueasync.Channel;
import org.trueasync.Mutex;
import org.trueasync.Pool;
import org.trueasync.diagnostics.Ledger;
import org.trueasync.diagnostics.Ledger.Kind;
import org.trueasync.diagnostics.Ledger.Part;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/** What ledgers say of code whose times are known exactly. */
class LedgerTest {
    private static final String BLACK_BOX = "org.trueasync.blackBox";

    @AfterEach
    void noBlackBox() {
        System.clearProperty(BLACK_BOX);
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static void compute(long millis) {
        VirtualTime.advance(millis(millis));
    }

    @Test
    void eachKindOfWait_hasItsTime() {
        VirtualTime.run(() -> {
            var pool = Pool.of(() -> "connection").name("db").max(1).build();
            var mutex = new Mutex();
            var channel = new Channel<String>();
            spawn(() -> pool.use(connection -> {
                delay(480);
                return 1;
            }));
            spawn(() -> mutex.withLock(() -> {
                delay(600);
                return 1;
            }));
            spawn(() -> {
                delay(700);
                channel.send("value");
            });
            suspend();
            try (Ledger ledger = Ledger.open("request")) {
                compute(32);
                pool.use(connection -> 1);
                mutex.withLock(() -> 1);
                channel.receive();
                delay(50);
                await(spawn(() -> {
                    delay(7);
                    return 1;
                }));
                assertThat(ledger.byKind())
                        .isEqualTo(Map.of(
                                Kind.RUNNING, millis(32),
                                Kind.POOL, millis(448),
                                Kind.LOCK, millis(120),
                                Kind.CHANNEL, millis(100),
                                Kind.TIMER, millis(50),
                                Kind.COROUTINE, millis(7),
                                Kind.QUEUE, Duration.ZERO));
                assertThat(ledger.total()).isEqualTo(millis(757));
                assertThat(ledger.parts().getFirst().what()).startsWith("acquire from Pool 'db' (max=1 ");
                assertThat(ledger.parts())
                        .filteredOn(part -> part.kind() == Kind.LOCK || part.kind() == Kind.COROUTINE)
                        .extracting(Part::what)
                        .satisfiesExactly(
                                lock -> assertThat(lock).matches("held by coroutine #\\d+"),
                                awaited -> assertThat(awaited).matches("coroutine #\\d+"));
            }
            return null;
        });
    }

    @Test
    void partsAddUpToTheWholeTime_afterManyWaits() {
        VirtualTime.run(() -> {
            var lock = new ReentrantLock();
            for (int i = 0; i < 3; i++) {
                spawn(() -> {
                    for (int k = 0; k < 20; k++) {
                        lock.lock();
                        try {
                            Thread.sleep(3);
                            compute(2);
                        } finally {
                            lock.unlock();
                        }
                        suspend();
                    }
                });
            }
            Ledger ledger = Ledger.open("request");
            for (int k = 0; k < 20; k++) {
                lock.lock();
                try {
                    Thread.sleep(1);
                } finally {
                    lock.unlock();
                }
                suspend();
                compute(1);
            }
            ledger.close();
            Duration sum = ledger.parts().stream().map(Part::time).reduce(Duration.ZERO, Duration::plus);
            assertThat(sum).isEqualTo(ledger.total());
            assertThat(ledger.byKind().get(Kind.RUNNING)).isEqualTo(millis(20));
            assertThat(ledger.byKind().get(Kind.LOCK)).isPositive();
            assertThat(ledger.parts())
                    .filteredOn(part -> part.kind() == Kind.LOCK)
                    .allSatisfy(part -> assertThat(part.what()).startsWith("held by coroutine #"));
            return null;
        });
    }

    @Test
    void whoRanWhileItWaitedForItsTurn_isNamed() {
        System.setProperty(BLACK_BOX, "1");
        VirtualTime.run(() -> {
            spawn("report", () -> compute(250));
            spawn("small", () -> compute(3));
            try (Ledger ledger = Ledger.open("request")) {
                suspend();
                Part queue = ledger.parts().getFirst();
                assertThat(queue.kind()).isEqualTo(Kind.QUEUE);
                assertThat(queue.time()).isEqualTo(millis(253));
                assertThat(queue.what()).matches("#\\d+( 'report')? ran for 250 ms");
            }
            return null;
        });
    }

    @Test
    void closedLedger_staysAsItIs_andAnotherOneBegins() {
        VirtualTime.run(() -> {
            Ledger first = Ledger.open("first");
            compute(5);
            first.close();
            compute(5);
            Ledger second = Ledger.open("second");
            compute(1);
            first.close();
            delay(2);
            assertThat(first.total()).isEqualTo(millis(5));
            assertThat(second.byKind()).containsEntry(Kind.RUNNING, millis(1)).containsEntry(Kind.TIMER, millis(2));
            assertThat(second).hasToString("3 ms: 2 ms timer (timer 2 ms), 1 ms running");
            return null;
        });
    }

    /** Its text is code of the program. */
    private static final class TellingEvent extends Event {
        int asked;

        void await() {
            Waker waker = Waker.current();
            waker.resumeWhen(this, ResumeCallback.RESOLVE);
            waker.await();
        }

        void fire() {
            notifyCallbacks(null, null);
        }

        @Override
        public String info() {
            asked++;
            throw new IllegalStateException("no text");
        }
    }

    /** The loop's frame wakes coroutines too, and must not meet a lock that such code wants. */
    @Test
    void textOfAProgramsEvent_isNotAskedForWhereItWakes() {
        System.setProperty(BLACK_BOX, "1");
        VirtualTime.run(() -> {
            var event = new TellingEvent();
            spawn(() -> {
                delay(20);
                event.fire();
            });
            try (Ledger ledger = Ledger.open("request")) {
                event.await();
                assertThat(ledger.byKind()).containsEntry(Kind.OTHER, millis(20));
            }
            assertThat(event.asked).isZero();
            return null;
        });
    }
}
