package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.blocking;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;

/**
 * Work in whatever shape it comes compiles, and is what it looks like: {@code blocking}, {@code run} and
 * {@code submit}, as {@link NaturalCallsTest} has {@code spawn}.
 */
class WorkShapesTest {
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Runnable runnable = () -> log.add("runnable");
    private final Body body = () -> log.add("body");
    private final Callable<Integer> callable = () -> 2;
    private final Task<Integer> task = () -> 3;

    private int overloaded() {
        log.add("overloaded");
        return 4;
    }

    @SuppressWarnings("unused") // it is there to make a reference to the other one ambiguous
    private int overloaded(int x) {
        return x;
    }

    private void nothing() {
        log.add("nothing");
    }

    private static AsyncRuntime runtime() {
        return Async.runtime().reactor(VirtualReactor::new).build();
    }

    @Test
    void blocking_takesAnyShape() {
        TestRuntime.run(() -> {
            blocking(runnable::run);
            blocking(body);
            blocking(this::nothing);
            assertThat(blocking(callable) + blocking(task)).isEqualTo(5);
            int four = blocking(this::overloaded);
            assertThat(four).isEqualTo(4);
            assertThat(log).containsExactly("runnable", "body", "nothing", "overloaded");
        });
    }

    /** What a variable is decides, not what the object could be as well. */
    @Test
    void blocking_runsATaskOnceAsWhatItIsPassedAs() {
        TestRuntime.run(() -> {
            class Both implements Callable<Integer>, Body {
                @Override
                public Integer call() {
                    log.add("called");
                    return 5;
                }

                @Override
                public void run() {
                    log.add("run");
                }
            }
            Body asBody = new Both();
            Callable<Integer> asCallable = new Both();
            blocking(asBody);
            assertThat(blocking(asCallable)).isEqualTo(5);
            assertThat(log).containsExactly("run", "called");
        });
    }

    /** It comes from another thread: what is checked is wrapped, as with everything that is awaited. */
    @Test
    void blocking_ofALambdaThatOnlyThrows_compilesAndWrapsWhatIsChecked() {
        TestRuntime.run(() -> {
            var error = new IOException("expected");
            assertThatThrownBy(() -> blocking(() -> {
                        throw error;
                    }))
                    .isInstanceOf(CompletionException.class)
                    .hasCause(error);
        });
    }

    @Test
    void run_takesAnyShape() {
        runtime().run(runnable::run);
        runtime().run(body);
        runtime().run(this::nothing);
        Integer two = runtime().run(callable);
        Integer three = runtime().run(task);
        Integer four = runtime().run(this::overloaded);
        Integer five = runtime().run(() -> await(Async.spawn(() -> 5)));
        assertThat(List.of(two, three, four, five)).containsExactly(2, 3, 4, 5);
        Async.runtime().reactor(VirtualReactor::new).run(body);
        int built = Async.runtime().reactor(VirtualReactor::new).run(this::overloaded);
        assertThat(built).isEqualTo(4);
        assertThat(log).containsExactly("runnable", "body", "nothing", "overloaded", "body", "overloaded");
        // there is no reactor on the class path of core; that they compile is what is looked at
        for (Body call : List.<Body>of(
                () -> Async.run(this::nothing),
                () -> Async.run(this::overloaded),
                () -> Async.run(body),
                () -> Async.run(task))) assertThatThrownBy(call::run).hasMessageContaining("No reactor");
    }

    @Test
    @Tag("K1")
    void submit_takesAnyShape() {
        AsyncRuntime runtime = runtime();
        runtime.run(() -> {
            await(runtime.submit(runnable::run));
            await(runtime.submit(body));
            await(runtime.submit(this::nothing));
            assertThat(await(runtime.submit(callable))
                            + await(runtime.submit(task))
                            + await(runtime.submit(this::overloaded)))
                    .isEqualTo(9);
            assertThat(await(runtime.submit(() -> "value"))).isEqualTo("value");
            assertThat(log).containsExactly("runnable", "body", "nothing", "overloaded");
        });
    }
}
