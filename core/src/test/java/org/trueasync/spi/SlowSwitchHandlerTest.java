package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

/** JDK code has parked a coroutine; what its switch handler does meanwhile meets JDK code as well. */
@Tag("K49")
class SlowSwitchHandlerTest {
    private final ArrayList<String> log = new ArrayList<>();
    private final CountDownLatch wakes = new CountDownLatch(1);

    private Coroutine<?> waitsInJdkCode(Runnable whenLeaving) {
        return spawn(() -> {
            SwitchHandlers.add(currentCoroutine(), (coroutine, entering, finishing) -> {
                if (finishing) return true;
                log.add(entering ? "enter" : "leave");
                if (!entering) whenLeaving.run();
                return !entering;
            });
            wakes.await();
            log.add("goes on");
        });
    }

    @Test
    void handlerThatIsHeldUp_holdsUpNobodyElse() {
        TestRuntime.run(() -> {
            var releases = new CountDownLatch(1);
            Coroutine<?> c = waitsInJdkCode(() -> {
                try {
                    releases.await();
                } catch (InterruptedException e) {
                    log.add("interrupted");
                }
                log.add("has left");
            });
            try {
                while (log.isEmpty()) suspend();
                wakes.countDown();
                await(c);
            } finally {
                releases.countDown();
            }
        });
        assertThat(log).containsExactly("leave", "enter", "goes on", "has left");
    }

    @Test
    void cancelledWhileItsHandlerIsHeldUpAtEnter_itsNextWaitThrows() {
        TestRuntime.run(() -> {
            var releases = new CountDownLatch(1);
            Coroutine<?> c = spawn(() -> {
                SwitchHandlers.add((coroutine, entering, finishing) -> {
                    if (!entering) return true;
                    log.add("enter");
                    try {
                        releases.await();
                    } catch (InterruptedException e) {
                        log.add("interrupted");
                    }
                    return false;
                });
                suspend();
                log.add("goes on");
                delay(1);
            });
            while (log.isEmpty()) suspend();
            c.cancel();
            releases.countDown();
            assertThatThrownBy(() -> await(c)).isInstanceOf(AsyncCancellation.class);
        });
        assertThat(log).containsExactly("enter", "goes on");
    }

    @Test
    @Tag("K62")
    void handlerThatIsHeldUpForEver_doesNotHoldUpTheEndOfTheRun() {
        var never = new CountDownLatch(1);
        try {
            TestRuntime.run(() -> {
                waitsInJdkCode(() -> awaitWhateverComes(never));
                while (log.isEmpty()) suspend();
                gracefulShutdown();
            });
        } finally {
            never.countDown();
        }
        assertThat(log).containsExactly("leave", "enter");
    }

    private static void awaitWhateverComes(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                // it does not take the hint
            }
        }
    }

    @Test
    void handlerThatWakesItsCoroutine_isDoneBeforeThatGoesOn() {
        TestRuntime.run(() -> {
            Coroutine<?> c = waitsInJdkCode(() -> {
                wakes.countDown();
                log.add("has left");
            });
            await(c);
        });
        assertThat(log).containsExactly("leave", "has left", "enter", "goes on");
    }

    @Test
    @Tag("K35")
    void handlerOfOneThatWaitsInJdkCode_mayNotSuspend() {
        TestRuntime.run(() -> {
            Coroutine<?> c = waitsInJdkCode(() -> delay(1));
            while (log.isEmpty()) suspend();
            wakes.countDown();
            assertThatThrownBy(() -> await(c))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("a switch handler may not suspend");
        });
        assertThat(log).containsExactly("leave", "enter", "goes on");
    }

    /** To yield is to let others run without being held up: it goes on in a moment. */
    @Test
    void handlerThatWakesItsCoroutineAndYields_isDoneBeforeThatGoesOn() {
        TestRuntime.run(() -> {
            Coroutine<?> c = waitsInJdkCode(() -> {
                wakes.countDown();
                for (int i = 0; i < 3; i++) Thread.yield();
                log.add("has left");
            });
            await(c);
        });
        assertThat(log).containsExactly("leave", "has left", "enter", "goes on");
    }

    @Test
    @Tag("K54")
    void handlerThatThrowsAfterTheEndOfItsCoroutine_isAnUnhandledError() {
        var error = new IllegalStateException("expected");
        Throwable thrown = TestRuntime.failureOf(() -> {
            var releases = new CountDownLatch(1);
            Coroutine<?> c = waitsInJdkCode(() -> {
                awaitWhateverComes(releases);
                throw error;
            });
            while (log.isEmpty()) suspend();
            wakes.countDown();
            await(c);
            releases.countDown();
            delay(3_600_000);
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("leave", "enter", "goes on");
    }
}
