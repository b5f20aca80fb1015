package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.launch;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SwitchHandlers;

/** What begins on behalf of nobody who runs takes nothing from the thread on which that happens. */
class NoInheritanceTest {
    private static final InheritableThreadLocal<String> VALUE = new InheritableThreadLocal<>();

    private final List<String> seen = new ArrayList<>();

    private void notes(String who) {
        seen.add(who + " " + VALUE.get());
    }

    @Test
    void coroutineOfAMicrotask_takesNothingOfWhoeverRuns() {
        TestRuntime.run(() -> {
            Coroutine<?> runs = spawn(() -> {
                VALUE.set("of who runs");
                Microtask.of(() -> spawn(() -> notes("microtask's"))).enqueue();
                suspend();
                await(spawn(() -> notes("own")));
            });
            await(runs);
        });
        assertThat(seen).containsExactlyInAnyOrder("microtask's null", "own of who runs");
    }

    @Test
    void whatAMicrotaskBegins_isOfTheMainScope() {
        var scoped = ScopedValue.<String>newInstance();
        var children = new ArrayList<Scope>();
        Body notes = () -> {
            String own = currentCoroutine().name();
            seen.add(own + " " + scoped.orElse("unbound") + " " + VALUE.get() + " "
                    + Async.currentContext().find("key")
                    + " " + Async.coroutineContext().find("own") + " " + Async.requestContext() + " "
                    + Async.remaining());
        };
        Runnable task = () -> {
            try {
                notes.run();
            } catch (Throwable e) {
                seen.add(e.toString());
            }
        };
        TestRuntime.run(() -> {
            var scope = new Scope("request").asRequest();
            scope.context().set("key", "of its scope");
            scope.disposeAfterTimeout(Duration.ofSeconds(10));
            Coroutine<?> runs = scope.spawn("runs", () -> ScopedValue.where(scoped, "bound")
                    .run(() -> Async.withTimeout(Duration.ofSeconds(5), () -> {
                        VALUE.set("of who runs");
                        Async.coroutineContext().set("own", "of who runs");
                        task.run();
                        Microtask.of(() -> {
                                    spawn(notes);
                                    launch(notes);
                                    Async.executor().execute(task);
                                    children.add(Scope.inherit());
                                    children.getFirst().spawn(notes);
                                })
                                .enqueue();
                        delay(1);
                    })));
            await(runs);
            children.getFirst().close();
            scope.dispose();
        });
        assertThat(seen.removeFirst())
                .startsWith("runs bound of who runs of its scope of who runs ")
                .endsWith(" PT5S");
        assertThat(seen).hasSize(4).containsOnly("null unbound null null null null null");
    }

    @Test
    void whatBeginsAtTheEndOfACoroutine_takesNothingOfIt() {
        TestRuntime.run(() -> {
            Coroutine<?> ends = spawn(() -> {
                VALUE.set("of who ends");
                SwitchHandlers.add(currentCoroutine(), (coroutine, entering, finishing) -> {
                    if (finishing) spawn(() -> notes("finish"));
                    return true;
                });
            });
            ends.onFinally(ended -> {
                notes("handler");
                await(spawn(() -> notes("handler's")));
            });
            await(ends);
            delay(1);
        });
        assertThat(seen).contains("handler null", "handler's null").hasSize(3);
    }

    @Test
    void errorHandlerOfAScope_takesNothingOfWhoFailed() {
        TestRuntime.run(() -> {
            try (var scope = new Scope()) {
                scope.setExceptionHandler((s, c, error) -> notes("handler"));
                scope.launch(() -> {
                    VALUE.set("of who failed");
                    throw new IllegalStateException("boom");
                });
                scope.awaitCompletion();
            }
        });
        assertThat(seen).containsExactly("handler null");
    }

    @Test
    void taskOfTheExecutorFromTheLoop_inheritsFromWhoBringsIt() {
        TestRuntime.run(() -> {
            await(spawn(() -> {
                VALUE.set("of who brings it");
                Async.executor().execute(() -> notes("task"));
            }));
            delay(1);
        });
        assertThat(seen).containsExactly("task of who brings it");
    }

    @Test
    void classLoaderThatACoroutineSets_isHandedToItsOwnOnes() {
        var loader = new URLClassLoader(new URL[0]);
        var loaders = new ArrayList<ClassLoader>();
        TestRuntime.run(() -> {
            ClassLoader usual = Thread.currentThread().getContextClassLoader();
            await(spawn(() -> {
                Thread.currentThread().setContextClassLoader(loader);
                await(spawn(() -> loaders.add(Thread.currentThread().getContextClassLoader())));
                Thread.currentThread().setContextClassLoader(usual);
                await(spawn(() -> loaders.add(Thread.currentThread().getContextClassLoader())));
                Thread.currentThread().setContextClassLoader(loader);
            }));
            await(spawn(() -> loaders.add(Thread.currentThread().getContextClassLoader())));
            assertThat(loaders).containsExactly(loader, usual, usual);
        });
    }
}
