package org.trueasync.reactor.nio;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.WatchHandle;

/** The watched folders of one loop: a JDK watch service and two threads for it, which begin with the first watch. */
final class FolderWatches {
    /*
     * The JDK has one key for a folder, however often it is registered. So a key may have several watches here, and is
     * cancelled after the last one.
     *
     * A thread of its own, the registrar, registers and cancels, because both take a lock of the JDK's that the
     * service's own thread needs too. If a coroutine took that lock, the loop could wait for the service's thread, that
     * thread for the coroutine, and the coroutine for the loop. For the same reason a coroutine does not park until the
     * registrar has answered, but spins, which takes less than a millisecond. Besides, if it parked, an event of a key
     * could be delivered before the key is in the map.
     *
     * The other thread takes a key, has its events delivered in the loop and goes on without waiting for that. The key
     * is reset after the delivery, by the registrar, and only then signalled again. So a loop that is held has one post
     * for each key. Meanwhile the JDK keeps the key's events, up to a limit, and then reports an overflow.
     */
    private final NioReactor reactor;
    private final Map<WatchKey, List<NioWatch>> watches = new HashMap<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private @Nullable WatchService service;
    private @Nullable Thread registrar;
    private volatile boolean closed;

    FolderWatches(NioReactor reactor) {
        this.reactor = reactor;
    }

    NioWatch watch(Path path, WatchHandle.Listener listener) {
        try {
            WatchKey key = register(path, service());
            var watch = new NioWatch(reactor, this, key, path, listener);
            watches.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(watch);
            return watch;
        } catch (IOException e) {
            SystemError error = SystemError.of(e);
            throw new InputOutputException("watch " + path + ": " + error + hint(error), error.errno());
        }
    }

    private static String hint(SystemError error) {
        return switch (error.errno()) {
            case "ENOSPC" -> "; no more folders can be watched, see fs.inotify.max_user_watches";
            case "EMFILE" ->
                "; too many watching runtimes of this user, see fs.inotify.max_user_instances, or descriptors, see ulimit -n";
            default -> NioErrors.hint(error);
        };
    }

    private WatchKey register(Path folder, WatchService watchService) throws IOException {
        var task = new FutureTask<>(() -> folder.register(
                watchService,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_DELETE,
                StandardWatchEventKinds.ENTRY_MODIFY));
        enqueue(task);
        while (!task.isDone()) {
            if (Thread.currentThread().isVirtual()) Thread.onSpinWait();
            else LockSupport.parkNanos(task, 50_000);
        }
        return switch (task.state()) {
            case SUCCESS -> task.resultNow();
            default ->
                throw task.exceptionNow() instanceof IOException e
                        ? e
                        : new IOException(task.exceptionNow().toString(), task.exceptionNow());
        };
    }

    private void enqueue(Runnable task) {
        tasks.add(task);
        LockSupport.unpark(registrar);
    }

    /** The thread that registers and cancels. */
    private void runTasks() {
        while (!closed) {
            Runnable task = tasks.poll();
            if (task == null) LockSupport.park(this);
            else task.run();
        }
    }

    private WatchService service() throws IOException {
        WatchService open = service;
        if (open == null) {
            WatchService made =
                    reactor.open(() -> java.nio.file.FileSystems.getDefault().newWatchService());
            service = open = made;
            registrar = Pumps.start("watch-keys", this::runTasks);
            Pumps.start("watch", () -> forward(made));
        }
        return open;
    }

    /** The thread that waits for events. */
    private void forward(WatchService from) {
        try {
            while (true) {
                WatchKey key = from.take();
                List<WatchEvent<?>> events = key.pollEvents();
                reactor.post(() -> deliver(key, events));
            }
        } catch (ClosedWatchServiceException | InterruptedException end) {
            // the reactor is closed
        }
    }

    private void deliver(WatchKey key, List<WatchEvent<?>> events) {
        try {
            for (NioWatch watch : watchesOf(key)) for (WatchEvent<?> event : events) watch.tell(event);
        } finally {
            enqueue(() -> reset(key));
        }
    }

    /** Lets the key be signalled again. In the registrar. */
    private void reset(WatchKey key) {
        if (!key.reset()) reactor.post(() -> watchesOf(key).forEach(NioWatch::gone));
    }

    private List<NioWatch> watchesOf(WatchKey key) {
        return List.copyOf(watches.getOrDefault(key, List.of()));
    }

    /** Removes a closed watch; cancels its key if no watch needs it any more. */
    void forget(NioWatch watch, WatchKey key) {
        List<NioWatch> remaining = watches.get(key);
        if (remaining == null || !remaining.remove(watch) || !remaining.isEmpty()) return;
        watches.remove(key);
        enqueue(() -> cancel(key));
    }

    private static void cancel(WatchKey key) {
        try {
            key.cancel();
        } catch (ClosedWatchServiceException allAreCancelled) {
            // the reactor was closed meanwhile
        }
    }

    /** Closes the service and ends the threads. */
    void close() {
        closed = true;
        LockSupport.unpark(registrar);
        if (service == null) return;
        try {
            service.close();
        } catch (IOException nothingToBeDone) {
            // it is closed all the same
        }
    }
}
