package org.trueasync.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.TaskGroup;
import org.trueasync.ThreadPool;

/** Every way from a coroutine to something that it starts. */
final class Doors {
    private Doors() {}

    /**
     * Checks that a value is seen behind each door, twice, and that nothing is left behind when there is none any more.
     *
     * @param look what is seen here; "none" for nothing
     * @param set sets a value here
     * @param clear removes it here
     */
    static void check(Callable<String> look, Setter set, Setter clear) {
        Async.run(() -> {
            try (var pool = ThreadPool.builder().workers(1).build()) {
                for (Map.Entry<String, Callable<String>> door : all(look, pool).entrySet()) {
                    for (String value : List.of("first", "second")) {
                        set.set(value);
                        assertThat(door.getValue().call())
                                .as("behind " + door.getKey())
                                .isEqualTo(value);
                        clear.set(value);
                        assertThat(door.getValue().call())
                                .as("behind %s, without one", door.getKey())
                                .isEqualTo("none");
                    }
                }
            }
        });
    }

    /** Sets or removes a value; called with the value. */
    interface Setter {
        void set(String value) throws Exception;
    }

    private static Map<String, Callable<String>> all(Callable<String> look, ThreadPool pool) {
        var doors = new LinkedHashMap<String, Callable<String>>();
        doors.put("spawn", () -> await(spawn(look)));
        doors.put("two spawns", () -> await(spawn(() -> await(spawn(look)))));
        doors.put("launch", () -> {
            var seen = new CompletableFuture<String>();
            Async.launch(() -> {
                Async.delay(1);
                seen.complete(look.call());
            });
            return await(seen);
        });
        doors.put("a group", () -> {
            try (TaskGroup<String> group =
                    TaskGroup.<String>builder().concurrency(1).build()) {
                group.spawn(() -> {
                    Async.delay(1);
                    return "";
                });
                var late = group.spawn(look);
                group.close();
                group.awaitCompletion();
                return await(late);
            }
        });
        doors.put("iterate", () -> {
            var seen = new ArrayList<String>();
            Async.iterate(List.of(1, 2), item -> {
                Async.delay(item);
                return seen.add(look.call());
            });
            return only(seen);
        });
        doors.put("executor()", () -> await(CompletableFuture.supplyAsync(() -> call(look), Async.executor())));
        doors.put("threadFactory()", () -> {
            var seen = new CompletableFuture<String>();
            Async.threadFactory().newThread(() -> seen.complete(call(look))).start();
            return await(seen);
        });
        doors.put("blocking", () -> Async.blocking(look::call));
        doors.put("spawnThread", () -> await(Async.spawnThread(look::call)));
        doors.put("a thread pool", () -> await(pool.submit(look::call)));
        doors.put("cores", () -> only(Cores.builder().count(2).run(look::call)));
        doors.put("a call of a core", () -> Cores.builder()
                .count(2)
                .run(() -> Cores.current().on(1 - Cores.current().index(), look::call))
                .getFirst());
        return doors;
    }

    private static String only(List<String> seen) {
        assertThat(seen).isNotEmpty().containsOnly(seen.getFirst());
        return seen.getFirst();
    }

    private static String call(Callable<String> look) {
        try {
            return look.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
