package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandlers;

/**
 * Switch handlers, microtasks and callbacks may not suspend, but they may meet a lock of the JDK: only the coroutine in
 * whose place they run is held up, and its wake-up is not lost.
 */
class LocksInSchedulerContextTest {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<String> log = new ArrayList<>();

    private final Map<String, Thread> threads = new HashMap<>();

    private void takesTheLock(String who) {
        lock.lock();
        log.add(who);
        lock.unlock();
    }

    /** Its own waits work although somebody else's handler or microtask is under way. */
    private Coroutine<?> holder() {
        return spawn(() -> {
            lock.lock();
            for (int i = 0; i < 5; i++) delay(10);
            log.add("holder");
            lock.unlock();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("K35")
    @Tag("K49")
    void handlerMeetsALock_othersWaitAsAlways(boolean entering) {
        TestRuntime.run(() -> {
            Coroutine<?> holder = holder();
            suspend();
            boolean[] once = {true};
            Coroutine<?> switched = spawn(() -> {
                delay(1);
                log.add("switched");
            });
            SwitchHandlers.add(switched, (c, entered, finishing) -> {
                if (entered == entering && once[0]) {
                    once[0] = false;
                    takesTheLock("handler");
                }
                return true;
            });
            await(switched);
            await(holder);
        });
        assertThat(log).containsExactly("holder", "handler", "switched");
    }

    @Test
    @Tag("K35")
    void microtaskMeetsALock_othersWaitAsAlways() {
        TestRuntime.run(() -> {
            Coroutine<?> holder = holder();
            suspend();
            Coroutine<?> host = spawn(() -> {
                Microtask.of(() -> takesTheLock("microtask")).enqueue();
                delay(1);
                log.add("host");
            });
            await(host);
            await(holder);
        });
        assertThat(log).containsExactly("holder", "microtask", "host");
    }

    @Test
    @Tag("K35")
    void microtaskAfterTheEndOfACoroutineMeetsALock_isNotLost() {
        TestRuntime.run(() -> {
            Coroutine<?> holder = holder();
            suspend();
            spawn(() -> Microtask.of(() -> takesTheLock("microtask")).enqueue());
            await(holder);
            delay(1);
            log.add("main");
        });
        assertThat(log).containsExactly("holder", "microtask", "main");
    }

    @Test
    @Tag("K35")
    void microtaskMeetsALock_microtasksOfOthersFollowIt() {
        TestRuntime.run(() -> {
            Coroutine<?> holder = holder();
            suspend();
            spawn(() -> {
                Microtask.of(() -> takesTheLock("first")).enqueue();
                suspend();
            });
            suspend();
            Microtask.of(() -> log.add("second")).enqueue();
            await(holder);
            delay(1);
        });
        assertThat(log).containsExactly("holder", "first", "second");
    }

    @Test
    @Tag("K49")
    void handlerThatMetALock_stillMayNotSuspend() {
        TestRuntime.run(() -> {
            holder();
            suspend();
            Coroutine<?> switched = spawn(() -> delay(1));
            SwitchHandlers.add(switched, (c, entering, finishing) -> {
                if (entering || finishing) return true;
                takesTheLock("handler");
                delay(1);
                return true;
            });
            assertThatThrownBy(() -> await(switched))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("a switch handler may not suspend");
        });
    }

    private void parksAndYields(String name) {
        threads.put(name, Thread.currentThread());
        suspend();
        LockSupport.park(this);
        log.add(name);
        suspend();
        log.add(name + " again");
    }

    /**
     * A coroutine that can go on from a wait of the JDK's gets one turn for that, also if an earlier turn found it
     * parked.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("K35")
    void turnThatFoundItParked_isMadeUpForOnce(boolean parkedByAHandler) {
        TestRuntime.run(() -> {
            Coroutine<?> first = spawn(() -> parksAndYields("first"));
            Coroutine<?> second = spawn(() -> parksAndYields("second"));
            boolean[] once = {parkedByAHandler};
            if (parkedByAHandler) {
                SwitchHandlers.add(first, (c, entering, finishing) -> {
                    if (!entering && once[0]) {
                        once[0] = false;
                        LockSupport.park(this);
                    }
                    return true;
                });
            }
            suspend();
            suspend();
            if (parkedByAHandler) {
                LockSupport.unpark(threads.get("first"));
                suspend();
                suspend();
            }
            LockSupport.unpark(threads.get("first"));
            LockSupport.unpark(threads.get("second"));
            await(first);
            await(second);
        });
        assertThat(log).containsExactly("first", "second", "first again", "second again");
    }

    @Test
    @Tag("E16")
    void callbackOfACoroutinesEndMeetsALock_itsAwaitersAreTold() {
        TestRuntime.run(() -> {
            Coroutine<?> holder = holder();
            suspend();
            Coroutine<String> ending = spawn(() -> "value");
            ((Event) ending).addCallback(new Callback(() -> takesTheLock("callback")));
            assertThat(await(ending)).isEqualTo("value");
            await(holder);
        });
        assertThat(log).containsExactly("holder", "callback");
    }

    @Test
    @Tag("E16")
    void callbackOfACoroutinesEnd_mayNotSuspend() {
        TestRuntime.run(() -> {
            Coroutine<?> ending = spawn(() -> {});
            var refused = new ArrayList<Throwable>();
            ((Event) ending).addCallback(new Callback(() -> {
                try {
                    delay(1);
                } catch (AsyncException e) {
                    refused.add(e);
                }
            }));
            await(ending);
            assertThat(refused).singleElement().asString().contains("callback at the end of coroutine #" + ending.id());
        });
    }

    @Test
    void eventFiredByACallbackWhileItsFirerIsHeldUp_wakesOnce() {
        TestRuntime.run(() -> {
            var door = new ManualEvent("door");
            Coroutine<?> holder = holder();
            suspend();
            door.addCallback(new Callback(() -> takesTheLock("callback")));
            Coroutine<?> firer = spawn(() -> door.fire(null));
            await(firer);
            await(holder);
            assertThat(currentCoroutine().isRunning()).isTrue();
        });
        assertThat(log).containsExactly("holder", "callback");
    }

    /**
     * Who tries the lock while JDK code runs for it, and while its handlers do: one of each, over and over, against
     * another thread.
     */
    @Test
    @Tag("K49")
    void coroutineAndItsHandlersWantTheSameContendedLock_allEnd() {
        var fair = new ReentrantLock(true);
        var monitor = new Object();
        Thread other = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                fair.lock();
                LockSupport.parkNanos(50_000);
                fair.unlock();
                synchronized (monitor) {
                    LockSupport.parkNanos(50_000);
                }
            }
        });
        int[] passed = {0};
        try {
            TestRuntime.run(() -> {
                for (int i = 0; i < 20; i++) {
                    spawn(() -> {
                        SwitchHandlers.add((c, entering, finishing) -> {
                            fair.lock();
                            fair.unlock();
                            synchronized (monitor) {
                                passed[0]++;
                            }
                            return true;
                        });
                        for (int k = 0; k < 10; k++) {
                            fair.lock();
                            fair.unlock();
                            synchronized (monitor) {
                                passed[0]++;
                            }
                            if (k % 3 == 0) suspend();
                        }
                    });
                }
            });
        } finally {
            other.interrupt();
        }
        assertThat(passed[0]).isGreaterThanOrEqualTo(20 * 10);
    }

    @Test
    @Tag("F25")
    void microtaskBehindAMicrotaskThatMetALock_doesNotMakeTheLoopSpin() {
        var turns = new long[1];
        TestRuntime.run(runtime -> {
            Coroutine<?> holder = holder();
            suspend();
            var timer = SchedulerProvider.get().timers().periodic(Duration.ofMillis(10));
            timer.addCallback(new Callback(
                    () -> Microtask.of(() -> takesTheLock("microtask")).enqueue()));
            timer.start();
            await(holder);
            timer.stop();
            delay(1);
            turns[0] = Async.runtimeStats().reactorTurns();
        });
        assertThat(turns[0]).isLessThan(200);
        assertThat(log).startsWith("holder").contains("microtask");
    }

    private static final class Callback extends EventCallback {
        private final Runnable action;

        Callback(Runnable action) {
            this.action = action;
        }

        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
            action.run();
        }
    }
}
