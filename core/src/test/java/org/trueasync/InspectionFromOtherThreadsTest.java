package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;

/** What another thread sees of a loop that runs at full speed. */
class InspectionFromOtherThreadsTest {
    private static final int LOOKS = 30_000;

    /** A coroutine that is switched to and away from all the time, in a scope, holding a mutex. */
    record Busy(Coroutine<?> coroutine, Scope scope, Mutex mutex) {
        static Busy start() {
            var scope = new Scope();
            var mutex = new Mutex();
            Coroutine<?> coroutine = scope.spawn(() -> mutex.withLock(() -> {
                while (true) delay(1);
            }));
            suspend();
            return new Busy(coroutine, scope, mutex);
        }
    }

    static Stream<Named<Consumer<Busy>>> texts() {
        return Stream.of(
                Named.of("Coroutine", b -> assertThat(b.coroutine.toString()).startsWith("coroutine #")),
                Named.of("Scope", b -> assertThat(b.scope.toString()).startsWith("scope")),
                Named.of("Mutex", b -> assertThat(b.mutex.toString()).startsWith("mutex, held by coroutine #")));
    }

    @ParameterizedTest
    @MethodSource("texts")
    @Tag("K1")
    void printedByAnotherThread_whileItRuns_isATextWithoutAStack(Consumer<Busy> look) {
        TestRuntime.run(() -> {
            Busy busy = Busy.start();
            CompletableFuture<Void> looker = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < LOOKS; i++) look.accept(busy);
            });
            while (!looker.isDone()) delay(1);
            looker.join();
            busy.scope.cancel();
        });
    }

    static Stream<Named<Consumer<Busy>>> looksAtStacks() {
        return Stream.of(
                Named.of("trace", b -> b.coroutine.trace()),
                Named.of("suspendLocation", b -> b.coroutine.suspendLocation()),
                Named.of("awaitingInfo", b -> b.coroutine.awaitingInfo()));
    }

    @ParameterizedTest
    @MethodSource("looksAtStacks")
    @Tag("K20")
    void stackAskedForByAnotherThread_isRefusedWithTheWayOut(Consumer<Busy> look) {
        TestRuntime.run(() -> {
            Busy busy = Busy.start();
            assertThatThrownBy(() -> onAnotherThread(() -> {
                        look.accept(busy);
                        return "not refused";
                    }))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("loop 'test'")
                    .hasMessageContaining("AsyncRuntime.dump()");
            busy.scope.cancel();
        });
    }

    @Test
    @Tag("K19")
    void stateAskedForInALoop_byAnotherThread_isSeenToChange() {
        TestRuntime.run(() -> {
            Coroutine<?> awaited = spawn(() -> delay(1));
            var asks = new AtomicInteger();
            CompletableFuture<Void> asker = CompletableFuture.runAsync(() -> {
                while (!awaited.isCompleted()) if (asks.get() < 100_000) asks.incrementAndGet();
            });
            while (asks.get() < 100_000) Thread.onSpinWait();
            await(asker);
            assertThat(awaited.isCompleted()).isTrue();
        });
    }

    @Test
    @Tag("K3")
    void outcomeAskedForByAnotherThread_isRefusedUntilTheRunHasEnded() {
        Coroutine<?>[] kept = new Coroutine<?>[1];
        var runtime = new TestRuntime();
        runtime.start(() -> {
            kept[0] = spawn(() -> "value");
            suspend();
            assertThatThrownBy(() -> onAnotherThread(kept[0]::result)).isInstanceOf(AsyncException.class);
            assertThatThrownBy(() -> onAnotherThread(kept[0]::exception)).isInstanceOf(AsyncException.class);
        });
        assertThat(onAnotherThread(kept[0]::result)).isEqualTo("value");
        assertThat(onAnotherThread(kept[0]::exception)).isNull();
    }

    @Test
    @Tag("U13")
    void stats_onAnotherThread_areThoseOfTheLoop() {
        AsyncRuntime runtime = Async.runtime()
                .name("counted")
                .reactor(org.trueasync.internal.testkit.VirtualReactor::new)
                .build();
        assertThat(runtime.stats()).isEqualTo(RuntimeStats.NONE);
        runtime.run(() -> {
            Scope scope = new Scope();
            // virtual time would not wait for the answer
            for (int i = 0; i < 3; i++) scope.spawn(() -> await(new CompletableFuture<>()));
            suspend();
            assertThat(await(CompletableFuture.supplyAsync(runtime::stats)))
                    .matches(s -> s.coroutines() == 4, "all four")
                    .matches(s -> s.suspended() >= 3, "three of them wait, main may be about to");
            scope.cancel();
        });
        assertThat(runtime.stats()).isEqualTo(RuntimeStats.NONE);
    }

    @Test
    @Tag("U13")
    void stats_whileTheLoopIsHeld_areReadPastIt() {
        var runtimes = new AsyncRuntime[1];
        runtimes[0] = Async.runtime()
                .reactor(org.trueasync.internal.testkit.VirtualReactor::new)
                .build();
        var asked = new AtomicBoolean();
        runtimes[0].run(() -> {
            spawn(() -> {});
            CompletableFuture<RuntimeStats> answer = CompletableFuture.supplyAsync(runtimes[0]::stats);
            answer.thenRun(() -> asked.set(true));
            while (!asked.get()) Thread.onSpinWait(); // holds the loop
            assertThat(answer.join().coroutines()).isEqualTo(2);
            assertThat(answer.join().notBegun()).isEqualTo(1);
        });
    }

    @Test
    @Tag("F1")
    void coroutineOfSomebodyElse_canNotBeMade() {
        assertThat(Coroutine.class.getPermittedSubclasses()).singleElement().satisfies(only -> assertThat(
                        only.getModifiers() & Modifier.FINAL)
                .isNotZero());
        assertThatThrownBy(() -> Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Coroutine.class},
                        (self, method, arguments) -> null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static <T> @Nullable T onAnotherThread(Supplier<@Nullable T> question) {
        try {
            return CompletableFuture.supplyAsync(question).join();
        } catch (java.util.concurrent.CompletionException e) {
            if (e.getCause() instanceof RuntimeException thrown) throw thrown;
            throw e;
        }
    }
}
