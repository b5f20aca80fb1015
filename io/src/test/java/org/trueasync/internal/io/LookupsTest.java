package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;

@Tag("E43")
class LookupsTest {
    @Test
    void offLoop_suspendsOnlyTheCoroutine() {
        TestRuntime.run(() -> {
            var answer = new CountDownLatch(1);
            Coroutine<Boolean> waiter = Async.spawn(() -> Lookups.offLoop("test", () -> {
                answer.await();
                return Thread.currentThread().getName().startsWith("trueasync-resolver");
            }));
            Async.suspend();
            assertThat(waiter.isSuspended()).isTrue();
            answer.countDown();
            assertThat(Async.await(waiter)).isTrue();
        });
    }

    @Test
    void offLoopOutsideOfACoroutine_runsRightHere() throws Exception {
        assertThat(Lookups.offLoop("test", Thread::currentThread)).isSameAs(Thread.currentThread());
        assertThatThrownBy(() -> Lookups.offLoop("test", () -> {
                    throw new UnknownHostException("x");
                }))
                .isInstanceOf(UnknownHostException.class);
    }

    /** Pinned by its class initialiser. */
    private static final class Pinned {
        static final String ANSWER = lookUp();

        private static String lookUp() {
            try {
                return Lookups.offLoop("test", () -> "found");
            } catch (UnknownHostException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void offLoopInAClassInitialiser_answersAllTheSame() {
        TestRuntime.run(() -> assertThat(Pinned.ANSWER).isEqualTo("found"));
    }

    @Test
    @Tag("F35")
    void resolverThatNeverAnswers_coroutinesLeaveAtOnceAndFilesGoOn() {
        var never = new CountDownLatch(1);
        TestRuntime.run(() -> {
            List<Coroutine<?>> stuck = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                stuck.add(Async.spawn(() -> Lookups.offLoop("test", () -> {
                    never.await();
                    return "";
                })));
            }
            Async.delay(1);
            assertThat(Work.<String>await(
                            org.trueasync.internal.kernel.Runtimes.here("test"),
                            Workers.FILES,
                            "file",
                            () -> "served",
                            null,
                            null))
                    .isEqualTo("served");
            for (Coroutine<?> one : stuck) {
                one.cancel();
                assertThatThrownBy(() -> Async.await(one)).isInstanceOf(AsyncCancellation.class);
            }
        });
        never.countDown();
    }
}
