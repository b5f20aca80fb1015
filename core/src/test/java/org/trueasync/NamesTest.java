package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Names of coroutines, scopes, channels and locks: who sees them, and that they stay with their owner. */
class NamesTest {
    private final List<String> log = new ArrayList<>();

    private static String here() {
        return Thread.currentThread().getName();
    }

    @Test
    void nameOfACoroutine_isTheNameOfItsThreadAsLongAsItRuns() {
        TestRuntime.run(() -> {
            Coroutine<String> indexer = spawn("indexer", () -> {
                String before = here();
                delay(1);
                return before + ", " + here();
            });
            Coroutine<String> other = spawn(() -> here());
            assertThat(indexer.await()).isEqualTo("indexer, indexer");
            assertThat(other.await()).isEmpty();
            assertThat(spawn(() -> here()).await())
                    .as("on the stack that the named one has left")
                    .isEmpty();
            assertThat(here()).isEmpty();
            assertThat(indexer.name()).isEqualTo("indexer");
            assertThat(other.name()).isNull();
            assertThat(indexer.toString()).matches("coroutine #\\d+ 'indexer'.*completed");
        });
    }

    @Test
    void nameThatATaskGivesItsThread_endsWithTheTask() {
        TestRuntime.run(() -> {
            for (int i = 0; i < 3; i++) {
                await(spawn(() -> Thread.currentThread().setName("mine")));
                assertThat(await(spawn(() -> here()))).isEmpty();
                assertThat(await(spawn("named", () -> {
                            Thread.currentThread().setName("renamed");
                            suspend();
                            return here();
                        })))
                        .isEqualTo("renamed");
                assertThat(await(spawn("named", () -> here()))).isEqualTo("named");
            }
        });
    }

    @Test
    void nameThatATaskGivesItsThread_isItsNameInReports() {
        TestRuntime.run(() -> {
            Coroutine<?> request = spawn("given", () -> {
                Thread.currentThread().setName("GET /path\n");
                delay(10);
            });
            delay(1);
            assertThat(request.name()).isEqualTo("GET /path?");
            assertThat(request.toString()).contains("'GET /path?'");
            await(request);
            assertThat(request.name()).isEqualTo("given");
        });
    }

    @Test
    void threadThatIsACoroutine_hasItsThreadsName() {
        TestRuntime.run(() -> {
            Thread thread = Async.threadFactory().newThread(() -> log.add(String.valueOf(Async.currentCoroutine())));
            thread.setName("worker");
            thread.start();
            thread.join();
            assertThat(log.getFirst()).matches("coroutine #\\d+ 'worker'.*");
        });
    }

    @Test
    void scope_hasItsName() {
        TestRuntime.run(() -> {
            try (var scope = new Scope("orders")) {
                assertThat(Scope.inherit("inner").name()).isEqualTo("inner");
                assertThat(scope.toString()).startsWith("scope 'orders', ");
                assertThat(new Scope().name()).isNull();
            }
        });
    }

    @Test
    void deadlockReport_showsWhoIsWho() {
        var runtime = new TestRuntime();
        assertThat(runtime.failure(() -> {
                    var orders = new Channel<Integer>("orders", 5);
                    var accounts = new Mutex("accounts");
                    accounts.lock();
                    spawn("reader", () -> orders.receive());
                    spawn("writer", () -> accounts.lock());
                    new Semaphore("slots", 2).acquire();
                    spawn("meets", () -> new Barrier("round", 2).await());
                    await(spawn("opener", () -> new Latch("start", 1).await()));
                }))
                .isInstanceOf(DeadlockError.class);
        String report = String.join("\n", runtime.reports()).replaceAll("#\\d+", "#");
        assertThat(report)
                .contains("# 'reader' spawned NamesTest.java")
                .contains("channel 'orders' (0/5, 1 receiver)")
                .contains("# 'writer' spawned")
                .contains("mutex 'accounts', held by coroutine #")
                .contains("latch 'start', 1 step left")
                .contains("barrier 'round', 1 of 2 arrived")
                .contains("# 'opener'");
    }

    @Test
    void errorThatNobodyHandles_tellsTheName() {
        Throwable error = TestRuntime.failureOf(() -> {
            spawn("importer", () -> {
                throw new IllegalStateException("bad row");
            });
            delay(5);
        });
        assertThat(launchedError().getSuppressed()[0].toString())
                .matches("in coroutine #\\d+ 'launched', spawned at .*");
        assertThat(error.getSuppressed()[0].toString()).matches("in coroutine #\\d+ 'importer', spawned at .*");
    }

    private static Throwable launchedError() {
        return TestRuntime.failureOf(() -> Async.launch("launched", () -> {
            throw new IllegalStateException("at once");
        }));
    }

    @Test
    void namesOfEverything_areInItsText() {
        TestRuntime.run(() -> {
            assertThat(new Channel<Integer>("a").toString()).isEqualTo("channel 'a' (0/0)");
            assertThat(Channel.<Integer>builder().name("b").capacity(2).build().toString())
                    .isEqualTo("channel 'b' (0/2)");
            assertThat(new Channel<Integer>(2).toString()).isEqualTo("channel (0/2)");
            assertThat(new Semaphore("c", 2).toString()).isEqualTo("semaphore 'c', 2 of 2 permits free, 0 waiting");
            assertThat(new Mutex("d").toString()).isEqualTo("mutex 'd', free");
            assertThat(Pool.of(Object::new).name("i\n").build().toString()).startsWith("Pool 'i?' (");
            assertThat(Pool.of(Object::new).name(" ").build().toString()).matches("Pool '\\d+' \\(.*");
            assertThat(new Barrier("f", 2).toString()).isEqualTo("barrier 'f', 0 of 2 arrived");
            assertThat(new Barrier("g\n", 2, () -> {}).toString()).isEqualTo("barrier 'g?', 0 of 2 arrived");
            assertThat(new Barrier(" ", 2).toString()).isEqualTo("barrier, 0 of 2 arrived");
            var between = new ThreadChannel<Integer>("h", 3);
            assertThat(between.toString()).isEqualTo("thread channel 'h' (0/3)");
            assertThat(new ThreadChannel<Integer>(3).toString()).isEqualTo("thread channel (0/3)");
            Coroutine<Integer> receiver = spawn(() -> between.receive());
            Async.suspend();
            assertThat(receiver.awaitingInfo()).containsExactly("receive from thread channel 'h' (0/3)");
            between.send(1);
            await(receiver);
            var group = TaskGroup.<String>builder().name("e").build();
            assertThat(group.spawnWithKey("page", () -> here()).await()).isEqualTo("page");
            assertThat(group.spawn(() -> here()).await()).isEmpty();
            assertThat(group.toString()).isEqualTo("TaskGroup 'e', 0 running, 0 waiting, 2 settled");
        });
    }

    @Test
    void controlCharactersOfAPath_areNotPartOfAMessage() {
        assertThat(new InputOutputException("open two\nlines\u001b[31m\r.txt: ENOENT", "ENOENT"))
                .hasMessage("open two?lines?[31m?.txt: ENOENT");
        assertThat(new InputOutputException("open \u00fcber \ud83d\ude80: ENOENT", "ENOENT"))
                .hasMessage("open \u00fcber \ud83d\ude80: ENOENT");
    }

    @Test
    void nameThatCantBeShown_isMadeReadableAndFailsNothing() {
        TestRuntime.run(() -> {
            assertThat(spawn("two\nlines\u001b[31m\u202e", () -> here()).await())
                    .isEqualTo("two?lines?[31m?");
            assertThat(spawn("lone \ud800.", () -> here()).await()).isEqualTo("lone ?.");
            assertThat(spawn("\ud83d\ude80 \u00fcber", () -> here()).await()).isEqualTo("\ud83d\ude80 \u00fcber");
            String huge = "x".repeat(1_000_000);
            assertThat(spawn(huge, () -> here()).await()).isEqualTo("x".repeat(97) + "...");
            assertThat(new Scope(huge).name()).hasSize(100);
            assertThat(spawn(" \t", () -> here()).await()).isEmpty();
            assertThat(spawn("", () -> {}).name()).isNull();
            assertThatThrownBy(() -> new Scope((String) null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> new Channel<>((String) null)).isInstanceOf(NullPointerException.class);
        });
    }

    @Test
    void blankKeyOfATask_isNone() {
        TestRuntime.run(() -> {
            var group = TaskGroup.<Integer>builder().name("e").build();
            TaskHandle<Integer> blank = group.spawnWithKey(" ", () -> {
                Async.delay(10);
                return 1;
            });
            Coroutine<Integer> waiter = spawn(() -> blank.await());
            Async.suspend();
            assertThat(waiter.awaitingInfo().toString()).contains("task of TaskGroup 'e'");
            assertThat(await(waiter)).isEqualTo(1);
        });
    }
}
