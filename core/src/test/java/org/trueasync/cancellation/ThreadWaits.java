package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Cores;
import org.trueasync.PerCore;
import org.trueasync.Task;
import org.trueasync.ThreadChannel;
import org.trueasync.ThreadPool;
import org.trueasync.internal.testkit.WaitTable;

/** Waits of threads, thread pools and cores. */
final class ThreadWaits extends WaitTable {
    ThreadWaits() {
        threads();
    }

    private void blocking(String method, On<CountDownLatch> on) {
        row(method, wait -> {
            var end = new CountDownLatch(1);
            call(method, wait, token -> on.call(end, token));
            wait.serve(end::countDown);
        });
    }

    /** The pool's worker is held, and its queue is full. */
    private void busy(String method, On<ThreadPool> on) {
        row(method, wait -> {
            var end = new CountDownLatch(1);
            ThreadPool pool = ThreadPool.builder().workers(1).queueSize(1).build();
            var begun = new CountDownLatch(1);
            pool.submit(() -> {
                        begun.countDown();
                        end.await();
                    })
                    .ignore();
            begun.await();
            pool.submit(() -> 1).ignore();
            call(method, wait, token -> on.call(pool, token));
            wait.serve(end::countDown).needsThreads().closes(() -> {
                end.countDown();
                pool.cancel();
            });
        });
    }

    private void mapping(String method, boolean isMap) {
        row(method, wait -> {
            var end = new CountDownLatch(1);
            var pool = new ThreadPool(1);
            Function<Integer, Integer> held = value -> {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return value;
            };
            wait.call(() -> {
                        if (isMap) pool.map(Map.of("a", 1, "b", 2), held);
                        else pool.map(List.of(1, 2), held);
                    })
                    .serve(end::countDown)
                    .closes(() -> {
                        end.countDown();
                        pool.cancel();
                    });
        });
    }

    private void cores(String method, On<CompletableFuture<Integer>> on) {
        row(method, wait -> {
            var stage = new CompletableFuture<Integer>();
            wait.call(
                            token -> Cores.builder().count(2).run(() -> {
                                if (Cores.current().index() == 0) on.call(stage, token);
                            }),
                            false)
                    .serve(() -> stage.complete(1))
                    .needsThreads();
        });
    }

    private void threads() {
        blocking("Async.blocking(Body)", (end, token) -> Async.blocking((Body) end::await));
        blocking(
                "Async.blocking(Callable)",
                (end, token) -> Async.blocking((Callable<Integer>) () -> {
                    end.await();
                    return 1;
                }));
        blocking(
                "Async.blocking(Task)",
                (end, token) -> Async.blocking((Task<Integer>) () -> {
                    end.await();
                    return 1;
                }));
        for (String method : List.of("ThreadChannel.receive()", "ThreadChannel.receive(Completable)"))
            row(method, wait -> {
                var channel = new ThreadChannel<Integer>(1);
                call(method, wait, token -> {
                    if (takesToken(method)) channel.receive(token);
                    else channel.receive();
                });
                wait.serve(() -> channel.send(1))
                        .leaves(() -> assertThat(channel.isEmpty()).isTrue());
            });
        row("ThreadChannel.iterator().hasNext()", wait -> {
            var channel = new ThreadChannel<Integer>(1);
            wait.call(() -> {
                        Iterator<Integer> values = channel.iterator();
                        assertThat(values.hasNext()).isTrue();
                        values.next();
                    })
                    .serve(() -> channel.send(1))
                    .leaves(() -> assertThat(channel.isEmpty()).isTrue());
        });
        row("ThreadChannel.iterator().next()", wait -> {
            var channel = new ThreadChannel<Integer>(1);
            wait.call(() -> channel.iterator().next())
                    .serve(() -> channel.send(1))
                    .leaves(() -> assertThat(channel.isEmpty()).isTrue());
        });
        for (String method : List.of("ThreadChannel.send(Object)", "ThreadChannel.send(Object, Completable)"))
            row(method, wait -> {
                var channel = new ThreadChannel<Integer>(1);
                channel.send(0);
                call(method, wait, token -> {
                    if (takesToken(method)) channel.send(1, token);
                    else channel.send(1);
                });
                wait.serve(() -> assertThat(channel.receive()).isBetween(0, 1)).leaves(() -> {
                    assertThat(channel.receive()).isEqualTo(1);
                    assertThat(channel.isEmpty()).isTrue();
                });
            });
        busy("ThreadPool.submit(Body)", (pool, token) -> pool.submit(() -> {}).ignore());
        busy("ThreadPool.submit(Callable)", (pool, token) -> pool.submit((Callable<Integer>) () -> 1)
                .ignore());
        busy(
                "ThreadPool.submit(Callable, Completable)",
                (pool, token) -> pool.submit((Callable<Integer>) () -> 1, token).ignore());
        busy("ThreadPool.submit(Task)", (pool, token) -> pool.submit((Task<Integer>) () -> 1)
                .ignore());
        busy("ThreadPool.close()", (pool, token) -> pool.close());
        row("ThreadPool.reload()", wait -> {
            var boots = new AtomicInteger();
            var end = new CountDownLatch(1);
            ThreadPool pool = ThreadPool.builder()
                    .workers(1)
                    .bootloader(() -> {
                        if (boots.incrementAndGet() > 1) end.await();
                    })
                    .build();
            await(pool.submit(() -> 1));
            wait.call(pool::reload).serve(end::countDown).needsThreads().closes(() -> {
                end.countDown();
                pool.cancel();
            });
        });
        mapping("ThreadPool.map(List, Function)", false);
        mapping("ThreadPool.map(Map, Function)", true);
        cores("Cores.Builder.run(Body)", (stage, token) -> await(stage));
        row("Cores.Builder.run(Task)", wait -> {
            var stage = new CompletableFuture<Integer>();
            wait.call(() -> Cores.builder().count(2).run(() -> await(stage)))
                    .serve(() -> stage.complete(1))
                    .needsThreads();
        });
        cores("Cores.on(int, Body)", (stage, token) -> Cores.current().on(1, (Body) () -> await(stage)));
        cores("Cores.on(int, Task)", (stage, token) -> Cores.current().on(1, (Task<Integer>) () -> await(stage)));
        cores("Cores.onAll(Body)", (stage, token) -> Cores.current().onAll((Body) () -> await(stage)));
        cores("Cores.onAll(Task)", (stage, token) -> Cores.current().onAll((Task<Integer>) () -> await(stage)));
        Object key = 1;
        cores("Cores.onOwnerOf(Object, Body)", (stage, token) -> Cores.current()
                .onOwnerOf(key, (Body) () -> await(stage)));
        cores("Cores.onOwnerOf(Object, Task)", (stage, token) -> Cores.current()
                .onOwnerOf(key, (Task<Integer>) () -> await(stage)));
        cores("Cores.reduce(Task, BinaryOperator)", (stage, token) -> Cores.current()
                .reduce(() -> await(stage), Integer::sum));
        cores("PerCore.all(Function)", (stage, token) -> PerCore.of(() -> 1).all(value -> await(stage)));
        cores("PerCore.reduce(Function, BinaryOperator)", (stage, token) -> PerCore.of(() -> 1)
                .reduce(value -> await(stage), Integer::sum));
    }
}
