package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.TimerEvent;

/** A call where it can't be made is refused with what is true of that place, and with the way out of it. */
@Tag("K3")
class RefusalsByPlaceTest {
    private static final String HAND_IT_OVER =
            "hand it to that loop, by an executor() taken there or by AsyncRuntime.submit(...)";
    private static final String BELONGS = ", but what it uses belongs to loop 'test' on thread 'the loop'; ";
    private static final String IN_SECTION = " called inside blocking(...) of loop 'test', which runs beside the loop";
    private static final String RETURN_FIRST =
            "; return from it first, or hand work for the loop to an executor() taken before it";
    private static final String ENDED = " called on what belongs to runtime 'test', which has ended; make it anew in a"
            + " runtime that runs, Async.run(...) begins one";
    private static final String RAN = " ran";

    /** @param name as the message begins */
    private record Call(String name, Body body) {
        String outcome() {
            try {
                body.run();
                return name + RAN;
            } catch (AsyncException e) {
                return String.valueOf(e.getMessage());
            } catch (Throwable e) {
                return name + " failed: " + e;
            }
        }
    }

    /** What belongs to one run. */
    private static final class Things {
        final Coroutine<?> ended = spawn(() -> "value");
        final Coroutine<?> waiting = spawn(() -> delay(10));
        final Channel<Integer> channel = new Channel<>(10);
        final Mutex mutex = new Mutex();
        final Scope scope = new Scope();

        List<Call> uses() {
            return List.of(
                    new Call("Async.await", () -> await(ended)),
                    new Call("Coroutine.cancel", waiting::cancel),
                    new Call("Channel.trySend", () -> channel.trySend(1)),
                    new Call("Channel.send", () -> channel.send(1)),
                    new Call("Mutex.lock", mutex::lock),
                    new Call("Scope.spawn", () -> scope.spawn(() -> 1)));
        }
    }

    private static final List<Call> WAITS = List.of(
            new Call("Async.await", () -> await(CompletableFuture.completedFuture(1))),
            new Call("Async.delay", () -> delay(1)),
            new Call("Async.withTimeout", () -> withTimeout(Duration.ofSeconds(1), () -> 1)),
            new Call("Async.protect", () -> protect(() -> 1)),
            new Call("Async.currentCoroutine", Async::currentCoroutine));
    private static final List<Call> NEED_A_LOOP = List.of(
            new Call("Async.spawn", () -> spawn(() -> 1)),
            new Call("new Scope", Scope::new),
            new Call("new Channel", () -> new Channel<>()),
            new Call("Async.executor", () -> executor()));

    private interface Place {
        List<String> outcomes(Callable<List<String>> tries) throws Throwable;
    }

    /** Runs something on a plain thread. */
    private static <T> T onThread(String name, Callable<T> task) {
        var future = new FutureTask<>(task);
        Thread.ofPlatform().name(name).start(future);
        try {
            return future.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static AsyncRuntime runtime() {
        return Async.runtime().name("test").reactor(VirtualReactor::new).build();
    }

    private static List<String> outcomes(List<Call> calls) {
        return calls.stream().map(Call::outcome).toList();
    }

    /**
     * Tries all calls at a place of a run on a thread "the loop".
     *
     * @param forUses what follows the names of calls that use what belongs to the run
     * @param forWaits what follows the names of calls that need a coroutine
     * @param forLoop what follows the names of calls that need a loop
     */
    private static void check(Place place, @Nullable String forUses, String forWaits, String forLoop) {
        List<String> seen = onThread("the loop", () -> runtime().run(() -> {
            var things = new Things();
            suspend();
            return outcomes(place, () -> {
                List<String> all = new ArrayList<>(forUses == null ? List.of() : outcomes(things.uses()));
                all.addAll(outcomes(WAITS));
                all.addAll(outcomes(NEED_A_LOOP));
                return all;
            });
        }));
        List<String> expected = new ArrayList<>();
        if (forUses != null)
            expected.addAll(expected(
                    Stream.of(
                            "Async.await",
                            "Coroutine.cancel",
                            "Channel.trySend",
                            "Channel.send",
                            "Mutex.lock",
                            "Scope.spawn"),
                    forUses));
        expected.addAll(expected(WAITS.stream().map(Call::name), forWaits));
        expected.addAll(expected(NEED_A_LOOP.stream().map(Call::name), forLoop));
        assertThat(seen).containsExactlyElementsOf(expected);
    }

    private static List<String> outcomes(Place place, Callable<List<String>> tries) throws Exception {
        try {
            return place.outcomes(tries).stream()
                    .map(message -> message.replaceAll("(#|test-thread-)\\d+", "$1n"))
                    .toList();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> expected(Stream<String> names, String rest) {
        return names.map(name -> rest.startsWith("=") ? rest.substring(1) : name + rest)
                .toList();
    }

    // ---- other threads

    @Test
    void inABlockingSection_returnFromItFirst() {
        check(
                tries -> blocking(tries),
                IN_SECTION + RETURN_FIRST,
                IN_SECTION + RETURN_FIRST,
                IN_SECTION + RETURN_FIRST);
    }

    @Test
    void blockingInABlockingSection_callTheTask() {
        var inner = new Call("Async.blocking", () -> blocking(() -> 1));
        assertThat(runtime().run(() -> blocking(inner::outcome)))
                .isEqualTo("Async.blocking" + IN_SECTION + "; it may block as it is, so call the task itself");
    }

    @Test
    void waysOutOfABlockingSection_leadToTheLoop() {
        AsyncRuntime runtime = runtime();
        runtime.run(() -> {
            var channel = new Channel<String>(1);
            Executor loop = executor();
            blocking(() -> loop.execute(() -> channel.send("handed over")));
            assertThat(channel.receive()).isEqualTo("handed over");
            assertThat(blocking(
                            () -> runtime.submit(() -> Async.currentCoroutine().isRunning())
                                    .get()))
                    .isTrue();
        });
    }

    @Test
    void onAThreadOutside_handItToTheLoop() {
        String place = " called on thread 'elsewhere'";
        String outside = place + ", which is outside of loop 'test'; " + HAND_IT_OVER
                + ", or begin a runtime here with Async.run(...)";
        check(
                tries -> await(CompletableFuture.supplyAsync(() -> onThread("elsewhere", tries))),
                place + BELONGS + HAND_IT_OVER,
                outside,
                outside);
    }

    @Test
    void onAThreadOutsideOfSeveralLoops_saysHowMany() {
        runtime().run(() -> {
            var started = new CompletableFuture<Integer>();
            var ends = new CompletableFuture<Integer>();
            ThreadTask<?> other = Async.spawnThread(() -> {
                started.complete(1);
                await(ends);
            });
            await(started);
            String message = await(CompletableFuture.supplyAsync(() -> new Call("", () -> delay(1)).outcome()));
            assertThat(message).contains("which is outside of all 2 loops; hand it to one of them, by");
            ends.complete(1);
            await(other);
        });
    }

    @Test
    void onTheThreadOfAnotherRuntime_handItToThatLoopOrSendValues() {
        check(
                tries -> await(Async.spawnThread(tries)),
                " called on thread 'test-thread-n' of loop 'test-thread-n'" + BELONGS + HAND_IT_OVER
                        + ", or send values through a ThreadChannel",
                RAN,
                RAN);
    }

    @Test
    void inABlockingSectionOfAnotherRuntime_itIsNamed() {
        String section = " called inside blocking(...) of loop 'test-thread-n', which runs beside the loop";
        check(
                tries -> await(Async.spawnThread(() -> blocking(tries))),
                section + BELONGS + HAND_IT_OVER,
                section + RETURN_FIRST,
                section + RETURN_FIRST);
    }

    @Test
    void onAnotherCore_runItThere() {
        check(
                tries -> {
                    var seen = new AtomicReference<List<String>>();
                    Cores.builder().count(2).run(() -> {
                        if (Cores.current().index() == 1) seen.set(tries.call());
                    });
                    return seen.get();
                },
                " called on core 1" + BELONGS
                        + "run it there with Cores.current().on(0, ...), or send values through a ThreadChannel",
                RAN,
                RAN);
    }

    // ---- on the loop, outside of coroutines

    @Test
    void inAThreadOfALibrary_spawnOrUseTheThreadFactory() {
        check(
                tries -> {
                    var task = new FutureTask<>(tries);
                    Thread.ofVirtual().name("library").start(task);
                    return task.get();
                },
                null,
                " called in 'VirtualThread[#n,library]/runnable@the loop' on loop 'test', which is no coroutine; spawn"
                        + " one for it, or start such threads with Async.threadFactory()",
                RAN);
    }

    @Test
    void inACallback_spawn() {
        check(
                tries -> {
                    var task = new FutureTask<>(tries);
                    TimerEvent timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(1));
                    timer.addCallback(new EventCallback() {
                        @Override
                        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                            task.run();
                        }
                    });
                    timer.start();
                    delay(5);
                    return task.get();
                },
                null,
                " called in a callback of loop 'test', which is no coroutine; spawn one for it",
                RAN);
    }

    @Test
    void inAMicrotaskWhileNoCoroutineRuns_spawn() {
        check(
                tries -> {
                    var task = new FutureTask<>(tries);
                    spawn(() -> Microtask.of(task).enqueue());
                    delay(1);
                    return task.get();
                },
                null,
                "=a microtask may not suspend: it runs in scheduler context; spawn a coroutine for what must wait",
                RAN);
    }

    @Test
    void waitInAMicrotaskOrASwitchHandler_spawn() {
        var seen = new ArrayList<String>();
        var wait = new Call("Async.delay", () -> delay(1));
        runtime().run(() -> {
            Microtask.of(() -> seen.add(wait.outcome())).enqueue();
            suspend();
            SwitchHandlers.add((coroutine, entering, finishing) -> {
                seen.add(wait.outcome());
                return false;
            });
            suspend();
        });
        String rest = " may not suspend: it runs in scheduler context; spawn a coroutine for what must wait";
        assertThat(seen.subList(0, 2)).containsExactly("a microtask" + rest, "a switch handler" + rest);
    }

    // ---- after the end

    @Test
    void afterTheEnd_makeItAnew() {
        var things = new AtomicReference<Things>();
        List<String> sameThread = onThread("the loop", () -> {
            runtime().run(() -> things.set(new Things()));
            List<String> seen = new ArrayList<>(outcomes(onlyWaits(things.get())));
            Async.runtime().reactor(VirtualReactor::new).run(() -> {
                seen.addAll(outcomes(onlyWaits(things.get())));
            });
            return seen;
        });
        assertThat(sameThread)
                .containsExactly(
                        "Mutex.lock" + ENDED, "Scope.spawn" + ENDED, "Mutex.lock" + ENDED, "Scope.spawn" + ENDED);
        assertThat(outcomes(things.get().uses()))
                .startsWith("Async.await ran")
                .filteredOn(message -> message.endsWith(ENDED))
                .hasSize(5);
    }

    private static List<Call> onlyWaits(Things things) {
        return things.uses().stream()
                .filter(call -> call.name.equals("Mutex.lock") || call.name.equals("Scope.spawn"))
                .toList();
    }

    @Test
    void withoutAnyRuntime_asyncRunOrTheCommand() {
        assumeThat(Runtimes.all()).as("what an earlier test has left").isEmpty();
        assertThat(new Call("", () -> delay(1)).outcome())
                .isEqualTo("Async.delay called on thread '"
                        + Thread.currentThread().getName()
                        + "', but it needs a runtime, and none runs; call it inside Async.run(...), or start the program"
                        + " with the trueasync command");
    }
}
