package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class BlockingTest {
    @Test
    void blocking_runsOnAnotherThreadWhileCoroutinesGoOn() {
        TestRuntime.run(() -> {
            Thread loop = Thread.currentThread();
            var go = new CountDownLatch(1);
            Coroutine<Thread> one = Async.spawn(() -> Async.blocking(() -> {
                go.await();
                return Thread.currentThread();
            }));
            Async.suspend();
            assertThat(one.awaitingInfo()).containsExactly("blocking task");
            go.countDown();
            Thread thread = Async.await(one);
            assertThat(thread).isNotSameAs(loop);
            assertThat(thread.isVirtual()).isFalse();
            assertThat(thread.isDaemon()).isTrue();
            var ran = new boolean[1];
            Async.blocking(() -> {
                ran[0] = true;
            });
            assertThat(ran[0]).isTrue();
        });
    }

    @Test
    void blocking_isNoCoroutineAndHasTheCallersClassLoader() {
        TestRuntime.run(() -> {
            ClassLoader loader = new ClassLoader() {};
            Thread.currentThread().setContextClassLoader(loader);
            assertThat(Async.<ClassLoader>blocking(() -> Thread.currentThread().getContextClassLoader()))
                    .isSameAs(loader);
            assertThatThrownBy(() -> Async.blocking(() -> Async.delay(1)))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("Async.delay");
        });
    }

    @Test
    void taskThatChangesItsThread_leavesNothingToTheNextOne() {
        TestRuntime.run(() -> {
            var local = new ThreadLocal<String>();
            var inherited = new InheritableThreadLocal<String>();
            var names = new HashSet<String>();
            for (int i = 0; i < 20; i++) {
                String found = Async.blocking(() -> {
                    Thread self = Thread.currentThread();
                    names.add(self.getName());
                    String state = local.get() + " " + inherited.get() + " "
                            + (self.getUncaughtExceptionHandler() == self.getThreadGroup());
                    local.set("left");
                    inherited.set("left");
                    self.setName("changed");
                    self.setUncaughtExceptionHandler((thread, error) -> {});
                    return state;
                });
                assertThat(found).isEqualTo("null null true");
            }
            assertThat(names).doesNotContain("changed");
        });
    }

    @Test
    void blocking_throwsWhatTheTaskThrows() {
        TestRuntime.run(() -> {
            var unchecked = new IllegalStateException("a");
            var checked = new IOException("b");
            var error = new AssertionError("c");
            assertThatThrownBy(() -> Async.blocking(() -> {
                        throw unchecked;
                    }))
                    .isSameAs(unchecked);
            assertThatThrownBy(() -> Async.blocking(() -> {
                        throw error;
                    }))
                    .isSameAs(error);
            assertThatThrownBy(() -> Async.blocking(() -> {
                        throw checked;
                    }))
                    .isInstanceOf(CompletionException.class)
                    .hasCause(checked);
        });
    }

    @Test
    @Tag("F35")
    void cancelled_leavesAtOnceAndInterruptsTheThread() {
        TestRuntime.run(() -> {
            var begun = new CountDownLatch(1);
            var interrupted = new CountDownLatch(1);
            var never = new CountDownLatch(1);
            Coroutine<?> one = Async.spawn(() -> Async.blocking(() -> {
                begun.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
                return "late";
            }));
            Async.suspend();
            begun.await();
            one.cancel();
            assertThatThrownBy(() -> Async.await(one)).isInstanceOf(AsyncCancellation.class);
            Async.suspend();
            interrupted.await();
        });
    }

    @Test
    @Tag("deep")
    void interrupts_neverReachTheNextTask() {
        TestRuntime.run(() -> {
            var wrong = new AtomicReference<Throwable>();
            for (int i = 0; i < 3_000; i++) {
                var begun = new CountDownLatch(1);
                Coroutine<?> victim = Async.spawn(() -> Async.blocking(begun::countDown));
                Async.suspend();
                if (i % 2 == 0) begun.await();
                victim.cancel();
                List<Coroutine<?>> others = new ArrayList<>();
                for (int k = 0; k < 3; k++) {
                    others.add(Async.spawn(() -> Async.blocking(() -> {
                        if (Thread.currentThread().isInterrupted()) wrong.set(new AssertionError("interrupted"));
                    })));
                }
                for (Coroutine<?> other : others) Async.await(other);
            }
            assertThat(wrong.get()).isNull();
        });
    }

    @Test
    void outsideOfARuntime_saysWhatIsNeeded() {
        assertThatThrownBy(() -> Async.blocking(() -> "x"))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Async.run");
    }
}
