package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnThread;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SwitchHandlers;

/**
 * Every place where an error passes through the library, with every way in which an error's own methods can misbehave:
 * the error arrives, the run ends, and what it ends with can be told.
 */
@Execution(ExecutionMode.SAME_THREAD)
@Tag("F51")
@Tag("sized")
class OddErrorsMatrixTest {
    /** Has the error pass; what comes out where it goes to. Null if that is not an error but a report. */
    private interface Place {
        @Nullable
        Throwable pass(TestRuntime runtime, Throwable error) throws Throwable;
    }

    /** In a main coroutine. */
    private interface Inside {
        @Nullable
        Throwable pass(Throwable error) throws Throwable;
    }

    private static final Map<String, Place> PLACES = new LinkedHashMap<>();

    private static void inside(String name, Inside place) {
        PLACES.put(name, (runtime, error) -> {
            Throwable[] seen = new Throwable[1];
            runtime.start(() -> {
                seen[0] = place.pass(error);
            });
            return seen[0];
        });
    }

    /** What nobody handles comes out of the run. */
    private static void unhandled(String name, java.util.function.Function<Throwable, Body> main) {
        PLACES.put(name, (runtime, error) -> runtime.failure(main.apply(error)));
    }

    private static @Nullable Throwable thrownBy(Body body) {
        try {
            body.run();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    private static Body failing(Throwable error) {
        return () -> {
            throw error;
        };
    }

    static {
        inside("await", error -> {
            Coroutine<?> failing = spawn(failing(error));
            return thrownBy(() -> await(failing));
        });
        inside("await of one that has ended", error -> {
            Coroutine<?> failing = spawn(failing(error));
            thrownBy(() -> await(failing));
            return thrownBy(() -> await(failing));
        });
        inside("exception()", error -> {
            Coroutine<?> failing = spawn(failing(error));
            suspend();
            return failing.exception();
        });
        inside(
                "awaitAll",
                error -> awaitAll(List.of(spawn(failing(error)))).errors().get(0));
        inside("awaitAllOrFail", error -> {
            List<Coroutine<?>> all = List.of(spawn(failing(error)), spawn(() -> delay(5)));
            return thrownBy(() -> awaitAllOrFail(all));
        });
        inside("scope that is waited for", error -> {
            var scope = new Scope();
            scope.spawn(() -> delay(10));
            scope.spawn(failing(error));
            return thrownBy(scope::awaitCompletion);
        });
        inside("scope with two errors", error -> {
            var scope = new Scope();
            scope.spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    failing(error).run();
                }
            });
            scope.spawn(failing(new IllegalStateException("first")));
            return thrownBy(scope::awaitCompletion);
        });
        inside("scope's handler", error -> {
            var taken = new Throwable[1];
            var scope = new Scope();
            scope.setExceptionHandler((s, c, e) -> taken[0] = e);
            scope.spawn(failing(error));
            delay(1);
            return taken[0];
        });
        inside("scope that reports", error -> {
            var scope = new Scope().reportErrors();
            scope.spawn(failing(error));
            delay(1);
            return null;
        });
        inside("cancelled coroutine", error -> {
            Coroutine<?> cancelled = spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    failing(error).run();
                }
            });
            suspend();
            cancelled.cancel();
            return thrownBy(() -> await(cancelled));
        });
        inside("protected section of a cancelled coroutine", error -> {
            Coroutine<?> cancelled = spawn(() -> protect(() -> {
                delay(5);
                failing(error).run();
            }));
            suspend();
            cancelled.cancel();
            return thrownBy(() -> await(cancelled));
        });
        inside("protected section", error -> thrownBy(() -> protect(failing(error)::run)));
        inside("section under a lock", error -> thrownBy(() -> new Mutex().withLock(failing(error)::run)));
        inside(
                "guarded call",
                error -> thrownBy(() ->
                        new GuardedCalls("odd", RecoveryStrategy.consecutiveFailures(3)).call(failing(error)::run)));
        inside("blocking call", error -> thrownBy(() -> Async.blocking(failing(error))));
        inside(
                "iteration",
                error -> thrownBy(() -> Async.iterate(List.of(1, 2), i -> {
                    failing(error).run();
                    return true;
                })));
        inside(
                "iteration with two errors",
                error -> thrownBy(() -> Async.iterate(List.of(1, 2), i -> {
                    try {
                        delay(10);
                    } finally {
                        failing(i == 1 ? error : new IllegalStateException("the other"))
                                .run();
                    }
                    return true;
                })));
        inside("task group", error -> {
            var group = new TaskGroup<Object>();
            group.spawn(failing(error));
            return thrownBy(() -> group.all().await());
        });
        inside("task group with two errors", error -> {
            var group = new TaskGroup<Object>();
            group.spawn(failing(error));
            group.spawn(failing(new IllegalStateException("the other")));
            return thrownBy(() -> group.any().await());
        });
        inside("future", error -> {
            var state = new FutureState<Object>();
            state.error(error);
            return thrownBy(() -> state.future().await());
        });
        inside("derived futures", error -> {
            var state = new FutureState<Object>();
            Future<Object> derived = state.future().map(v -> v).onFinally(() -> {});
            state.error(error);
            return thrownBy(derived::await);
        });
        inside("future whose recovery fails", error -> {
            Future<Object> derived = Future.failed(new IllegalStateException("first"))
                    .recover(e -> {
                        throw Throwing.sneaky(error);
                    });
            return thrownBy(derived::await);
        });
        inside("forgotten future", error -> {
            new FutureState<Object>().error(error);
            return null;
        });
        inside("completable future of a coroutine", error -> {
            CompletableFuture<?> future = spawn(failing(error)).toCompletableFuture();
            delay(1);
            return future.handle((value, thrown) -> thrown).join();
        });
        inside(
                "completable future that is awaited",
                error -> thrownBy(() -> await(CompletableFuture.failedFuture(error))));
        inside(
                "completable future that failed in between",
                error -> thrownBy(() -> await(CompletableFuture.supplyAsync(() -> {
                            throw Throwing.sneaky(error);
                        })
                        .thenApply(v -> v))));
        inside("future of a completable future", error -> {
            Future<Object> future = Future.from(CompletableFuture.failedFuture(error));
            return thrownBy(future::await);
        });
        inside("thread", error -> {
            ThreadTask<?> task = spawnThread(failing(error));
            return thrownBy(() -> await(task));
        });
        inside("thread that nobody awaits", error -> {
            spawnThread(failing(error));
            delay(5);
            return null;
        });
        inside("thread pool", error -> {
            try (var pool = new ThreadPool(1)) {
                Future<?> result = pool.submit(failing(error));
                return thrownBy(result::await);
            }
        });
        inside("remote future", error -> {
            var state = new FutureState<Object>();
            RemoteFuture<Object> remote = state.handOver();
            Thread.ofPlatform().start(() -> remote.error(error));
            return thrownBy(() -> state.future().await());
        });
        inside("pool's factory", error -> {
            Pool<Object> pool = Pool.of(() -> {
                        throw Throwing.sneaky(error);
                    })
                    .build();
            return thrownBy(pool::acquire);
        });
        inside("pool's destructor", error -> {
            Pool<Object> pool = Pool.of(Object::new)
                    .destructor(r -> {
                        throw Throwing.sneaky(error);
                    })
                    .max(1)
                    .build();
            Object resource = pool.acquire();
            thrownBy(() -> pool.discard(resource));
            Object another = pool.acquire(Duration.ofMillis(500)); // its place was given back
            thrownBy(() -> pool.release(another));
            thrownBy(pool::close);
            return null;
        });
        inside("pool's health check", error -> {
            Pool<Object> pool = Pool.of(Object::new)
                    .destructor(r -> {
                        throw Throwing.sneaky(error);
                    })
                    .healthcheck(r -> false)
                    .healthcheckInterval(Duration.ofMillis(5))
                    .min(1)
                    .max(1)
                    .build();
            delay(50);
            pool.acquire(Duration.ofMillis(500));
            thrownBy(pool::close);
            return null;
        });
        inside("work with a pooled resource", error -> {
            Pool<Object> pool = Pool.of(Object::new)
                    .beforeRelease(r -> {
                        throw Throwing.sneaky(error);
                    })
                    .build();
            return thrownBy(() -> pool.use(r -> {
                throw Throwing.sneaky(error);
            }));
        });
        inside("switch handler", error -> {
            Coroutine<?> handled = spawn(() -> {
                SwitchHandlers.add((c, entering, finishing) -> {
                    if (finishing) return true;
                    throw Throwing.sneaky(error);
                });
                delay(1);
            });
            return thrownBy(() -> await(handled));
        });
        inside("output capture", error -> thrownBy(() -> Output.capture(failing(error)::run)));

        unhandled("main", error -> failing(error));
        unhandled("unobserved coroutine", error -> () -> {
            spawn(failing(error));
            delay(1);
        });
        unhandled("launched coroutine", error -> () -> {
            Async.launch(failing(error));
            delay(3_600_000);
        });
        unhandled("scope that nobody waits for", error -> () -> {
            new Scope().spawn(failing(error));
            delay(3_600_000);
        });
        unhandled("executor's task", error -> () -> {
            executor().execute(() -> {
                throw Throwing.sneaky(error);
            });
            delay(3_600_000);
        });
        unhandled("two of an executor's tasks", error -> () -> {
            executor().execute(() -> {
                throw Throwing.sneaky(error);
            });
            executor().execute(() -> {
                throw new IllegalStateException("second");
            });
            delay(3_600_000);
        });
        unhandled("two clean-up actions", error -> () -> {
            Cleanup.atEnd(failing(error));
            Cleanup.atEnd(failing(new IllegalStateException("the other")));
        });
        unhandled("finally handler of a coroutine", error -> () -> {
            spawn(() -> {}).onFinally(c -> {
                throw Throwing.sneaky(error);
            });
            delay(3_600_000);
        });
        unhandled("two finally handlers of a scope", error -> () -> {
            var scope = new Scope();
            scope.onFinally(s -> {
                throw Throwing.sneaky(error);
            });
            scope.onFinally(s -> {
                throw new IllegalStateException("the other");
            });
            scope.spawn(() -> {});
            scope.close();
            delay(3_600_000);
        });
        unhandled("microtask", error -> () -> {
            Microtask.of(() -> {
                        throw Throwing.sneaky(error);
                    })
                    .enqueue();
            suspend();
            delay(3_600_000);
        });
        unhandled("deadlock after it", error -> () -> {
            spawn(failing(error));
            new Channel<Object>().receive();
        });
    }

    /** Those that come out as a text or not at all. */
    private static final Set<String> REPORTED = Set.of(
            "scope that reports",
            "forgotten future",
            "thread that nobody awaits",
            "pool's destructor",
            "pool's health check");

    /**
     * The default build tries each way in each place with one of the two kinds of errors; and causes that never end,
     * which take a hundred times as long as the others, in every tenth place.
     */
    static Stream<Arguments> cells() {
        boolean all = Depth.of(0, 1) == 1;
        List<String> places = List.copyOf(PLACES.keySet());
        List<Arguments> cells = new ArrayList<>();
        for (int i = 0; i < places.size(); i++)
            for (OddWay way : OddWay.values())
                for (boolean checked : new boolean[] {false, true}) {
                    boolean tried = way == OddWay.CAUSES_NEVER_END
                            ? i % 10 == (checked ? 0 : 5)
                            : checked == ((i + way.ordinal()) % 2 == 0);
                    if (all || tried) cells.add(Arguments.of(places.get(i), way, checked));
                }
        return cells.stream();
    }

    @ParameterizedTest
    @MethodSource("cells")
    void oddError_whereItPasses_arrivesAndTheRunEnds(String place, OddWay way, boolean checked) throws Throwable {
        Throwable error = way.error(checked);
        // Threads have runtimes of their own, and each needs a reactor of its own.
        var runtime = new TestRuntime(b -> place.startsWith("thread") ? b.reactor(VirtualReactor::new) : b);
        Throwable seen = PLACES.get(place).pass(runtime, error);
        if (!REPORTED.contains(place)) {
            assertThat(seen != null).as("an error came out").isTrue();
            assertThat(carries(seen, error))
                    .as("it is the error, or has it with it")
                    .isTrue();
            String told = Causes.trace(seen);
            assertThat(told).as("can be told").isNotBlank().hasSizeLessThan(2_000_000);
            assertThat(Causes.text(seen)).as("in one line").isNotBlank();
        }
        assertThat(runtime.reactor().nanoTime()).as("waited for no time-out").isLessThan(100_000_000_000L);
    }

    /** Wherever in it. */
    private static boolean carries(Throwable seen, Throwable sought) {
        Set<Throwable> looked = Collections.newSetFromMap(new IdentityHashMap<>());
        var open = new ArrayDeque<Throwable>();
        open.add(seen);
        while (!open.isEmpty() && looked.size() < 200) {
            Throwable next = open.poll();
            if (next == sought) return true;
            if (!looked.add(next)) continue;
            Collections.addAll(open, next.getSuppressed());
            Throwable cause = Causes.cause(next);
            if (cause != null) open.add(cause);
            if (next instanceof CompositeException several) open.addAll(several.exceptions());
        }
        return false;
    }
}
