package org.trueasync.bench.growth;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Channel;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.Mutex;
import org.trueasync.OperationCanceledException;
import org.trueasync.Pool;
import org.trueasync.Scope;
import org.trueasync.bench.workload.Counter;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.AsyncFileLock;

/** Coroutines that wait. Half of them are cancelled and leave from the middle; the others get what they wait for. */
final class Waiters {
    private static final long NEVER = Long.MAX_VALUE;

    private Waiters() {}

    static long future(int count) {
        var state = new FutureState<Integer>();
        return crowd(count, () -> state.future().await(), all -> state.complete(1));
    }

    /** Each waits for a future of its own: here nothing is shared but the runtime. */
    static long futures(int count) {
        List<FutureState<Integer>> states = new ArrayList<>(count);
        for (int i = 0; i < count; i++) states.add(new FutureState<>());
        var next = new Counter();
        return crowd(count, () -> states.get((int) next.value++).future().await(), all -> {
            for (FutureState<Integer> state : states) state.complete(1);
        });
    }

    static long token(int count) {
        var token = new FutureState<Integer>();
        Body wait = () -> {
            try {
                Async.delay(NEVER, token.future());
            } catch (OperationCanceledException e) {
                // the token has ended
            }
        };
        return crowd(count, wait, all -> token.complete(1));
    }

    static long channel(int count) {
        var channel = new Channel<Integer>();
        return crowd(count, channel::receive, all -> {
            for (int i = 0; i < count / 2; i++) channel.send(i);
        });
    }

    static long mutex(int count) {
        var mutex = new Mutex();
        mutex.lock();
        return crowd(count, () -> mutex.withLock(() -> {}), all -> mutex.unlock());
    }

    static long pool(int count) {
        try (Pool<Object> pool = Pool.of(Object::new).max(1).build()) {
            Object resource = pool.acquire();
            return crowd(count, () -> pool.use(own -> {}), all -> pool.release(resource));
        }
    }

    /** Timers that do not fire: what does is in the suite {@code timers}. */
    static long timers(int count) {
        var next = new Counter();
        return crowd(count, () -> Async.delay(60_000 + next.value++ * 7_919 % 60_000), all -> all.reversed()
                .forEach(Coroutine::cancel));
    }

    static long fileLock(int count) throws Exception {
        return withFile(file -> {
            AsyncFileLock first = file.lock();
            return crowd(count, () -> file.lock().close(), all -> first.close());
        });
    }

    /** Each of its own byte; nobody waits for another one. */
    static long fileLocks(int count) throws Exception {
        return withFile(file -> {
            List<AsyncFileLock> locks = new ArrayList<>(count);
            for (int i = 0; i < count; i++) locks.add(file.lock(2L * i, 1, false));
            long used = locks.stream().filter(AsyncFileLock::isValid).count();
            Released.mixed(locks, AsyncFileLock::close);
            return used;
        });
    }

    private interface FileUse {
        long with(AsyncFile file);
    }

    private static long withFile(FileUse use) throws Exception {
        Path path = Files.createTempFile("growth", ".lock");
        try (var file = AsyncFile.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return use.with(file);
        } finally {
            Files.delete(path);
        }
    }

    private static long crowd(int count, Body wait, Consumer<List<Coroutine<?>>> release) {
        var ended = new Counter();
        try (var scope = new Scope()) {
            List<Coroutine<?>> all = new ArrayList<>(count);
            for (int i = 0; i < count; i++)
                all.add(scope.spawn(() -> {
                    try {
                        wait.run();
                    } finally {
                        ended.value++;
                    }
                }));
            Async.suspend();
            for (int i = 0; i < count; i += 2) all.get(i).cancel();
            Async.suspend();
            release.accept(all);
            scope.awaitCompletion();
        }
        return ended.value;
    }
}
