package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.trueasync.Coroutine;
import org.trueasync.internal.foreign.LoopSockets;
import org.trueasync.internal.jdk.Descriptors;
import org.trueasync.internal.testkit.TestRuntime;

/** Who waits for a descriptor, and how people are told. No descriptor is polled here. */
class JdkWaitTest {
    private static LoopSockets.Waiters waiters() {
        return JdkWait.waitersOn(Runtimes.here("the test"));
    }

    @Test
    void waiterIsTheCoroutineThatRuns_orTheLibraryThread() {
        TestRuntime.run(() -> {
            assertThat(waiters().waiterHere()).isEqualTo(currentCoroutine().id());
            var elsewhere = new long[1];
            Thread library =
                    Thread.ofVirtual().start(() -> elsewhere[0] = waiters().waiterHere());
            library.join();
            assertThat(elsewhere).containsExactly(-library.threadId());
        });
    }

    @Test
    void descriptorThatACoroutineWaitsFor_isNamed() {
        int descriptor = 4_711;
        TestRuntime.run(() -> {
            var woken = new boolean[1];
            var thread = new Thread[1];
            Coroutine<?> waiting = spawn(() -> {
                waiters().waitsFor(descriptor);
                thread[0] = Thread.currentThread();
                while (!woken[0]) LockSupport.park();
            });
            Thread library = Thread.ofVirtual().start(() -> waiters().waitsFor(descriptor));
            Coroutine<?> other = spawn(() -> {
                while (!woken[0]) LockSupport.park();
            });
            delay(1);
            library.join();
            assertThat(waiting.awaitingInfo())
                    .singleElement()
                    .asString()
                    .startsWith("blocked in ")
                    .endsWith(", " + Descriptors.describe(descriptor));
            assertThat(other.awaitingInfo()).singleElement().asString().doesNotContain("descriptor");
            woken[0] = true;
            LockSupport.unpark(thread[0]);
            await(waiting);
            other.cancel();
        });
    }
}
