package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
}
