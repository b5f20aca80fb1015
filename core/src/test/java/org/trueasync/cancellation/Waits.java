package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Channel;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;

/** Waits that nobody ends but a cancellation. */
final class Waits {
    private static final long LONG = 3_600_000;

    /** A wait, ready to be begun by a coroutine. Made by another one, in the same run. */
    static final class Wait implements AutoCloseable {
        private final List<AutoCloseable> held = new ArrayList<>();
        private Body body = () -> {};

        private <C extends AutoCloseable> C hold(C thing) {
            held.addFirst(thing);
            return thing;
        }

        private Wait as(Body waiting) {
            body = waiting;
            return this;
        }

        void begin() throws Throwable {
            body.run();
        }

        @Override
        public void close() throws Exception {
            for (AutoCloseable thing : held) thing.close();
        }
    }

    /** Makes a wait. */
    interface Kind {
        Wait make() throws Exception;
    }

    private static final Map<String, Kind> JDK = new LinkedHashMap<>();
    private static final Map<String, Kind> OURS = new LinkedHashMap<>();

    static {
        JDK.put("Thread.sleep", () -> new Wait().as(() -> Thread.sleep(LONG)));
        JDK.put("CountDownLatch.await", () -> new Wait().as(() -> new CountDownLatch(1).await()));
        JDK.put("BlockingQueue.take", () -> new Wait().as(() -> new LinkedBlockingQueue<>().take()));
        JDK.put("BlockingQueue.poll", () -> new Wait().as(() -> new LinkedBlockingQueue<>().poll(1, TimeUnit.HOURS)));
        JDK.put("SynchronousQueue.put", () -> new Wait().as(() -> new SynchronousQueue<>().put(1)));
        JDK.put("lockInterruptibly", Waits::lock);
        JDK.put("Condition.await", Waits::condition);
        JDK.put("Object.wait", Waits::monitor);
        JDK.put("Object.wait with a limit", Waits::monitorWithLimit);
        JDK.put("Semaphore.acquire", () -> new Wait().as(() -> new Semaphore(0).acquire()));
        JDK.put("ServerSocket.accept", Waits::accept);
        JDK.put("Socket read", Waits::socketRead);
        JDK.put("SocketChannel.connect", Waits::connect);
        JDK.put("SocketChannel.read", Waits::channelRead);
        JDK.put("Process.waitFor", Waits::process);
        JDK.put("CompletableFuture.get", () -> new Wait().as(() -> new CompletableFuture<>().get()));
        JDK.put("FutureTask.get", () -> new Wait().as(() -> new FutureTask<>(() -> 1).get()));
        JDK.put("Thread.join", Waits::join);
        OURS.put("Async.delay", () -> new Wait().as(() -> delay(LONG)));
        OURS.put("Channel.receive", () -> {
            var channel = new Channel<Integer>(0);
            return new Wait().as(channel::receive);
        });
        OURS.put("Async.await", () -> {
            var never = new FutureState<Integer>();
            return new Wait().as(() -> await(never.future()));
        });
        OURS.put("Async.blocking", () -> new Wait()
                .as(() -> Async.blocking(() -> {
                    Thread.sleep(LONG);
                    return 1;
                })));
    }

    private Waits() {}

    static Map<String, Kind> ofTheJdk() {
        return JDK;
    }

    static Map<String, Kind> all() {
        var all = new LinkedHashMap<>(JDK);
        all.putAll(OURS);
        return all;
    }

    private static Wait lock() {
        var lock = new ReentrantLock();
        lock.lock();
        return new Wait().as(lock::lockInterruptibly);
    }

    private static Wait condition() {
        var lock = new ReentrantLock();
        var condition = lock.newCondition();
        return new Wait().as(() -> {
            lock.lock();
            try {
                condition.await();
            } finally {
                lock.unlock();
            }
        });
    }

    private static Wait monitor() {
        var monitor = new Object();
        return new Wait().as(() -> {
            synchronized (monitor) {
                monitor.wait();
            }
        });
    }

    private static Wait monitorWithLimit() {
        var monitor = new Object();
        return new Wait().as(() -> {
            synchronized (monitor) {
                monitor.wait(LONG);
            }
        });
    }

    private static ServerSocket server() throws IOException {
        return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    private static Wait accept() throws IOException {
        var wait = new Wait();
        ServerSocket server = wait.hold(server());
        return wait.as(server::accept);
    }

    private static Wait socketRead() throws IOException {
        var wait = new Wait();
        ServerSocket server = wait.hold(server());
        Socket client = wait.hold(new Socket(server.getInetAddress(), server.getLocalPort()));
        wait.hold(server.accept());
        return wait.as(() -> client.getInputStream().read());
    }

    private static Wait channelRead() throws IOException {
        var wait = new Wait();
        ServerSocket server = wait.hold(server());
        SocketChannel client = wait.hold(SocketChannel.open(server.getLocalSocketAddress()));
        wait.hold(server.accept());
        return wait.as(() -> client.read(ByteBuffer.allocate(1)));
    }

    /** To a server that accepts nobody and has no room left for those who wait for that. */
    private static Wait connect() throws IOException {
        var wait = new Wait();
        var server = wait.hold(ServerSocketChannel.open());
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        for (int i = 0; i < 8; i++) {
            SocketChannel taken = wait.hold(SocketChannel.open());
            taken.configureBlocking(false);
            taken.connect(server.getLocalAddress());
        }
        SocketChannel client = wait.hold(SocketChannel.open());
        return wait.as(() -> client.connect(server.getLocalAddress()));
    }

    private static Wait process() throws IOException {
        var wait = new Wait();
        Process child = new ProcessBuilder("sleep", "3600").start();
        wait.hold(child::destroyForcibly);
        return wait.as(child::waitFor);
    }

    private static Wait join() {
        var wait = new Wait();
        var end = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                // it ends
            }
        });
        wait.hold(end::countDown);
        return wait.as(thread::join);
    }

    /** Lets others run until a coroutine stands in a wait, from which nobody has woken it. */
    static void until(Coroutine<?> coroutine, Condition arrived) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!arrived.holds() || !coroutine.isSuspended() || coroutine.isQueued()) {
            assertThat(coroutine.isCompleted()).as("%s has ended", coroutine).isFalse();
            assertThat(System.nanoTime() - end)
                    .as("%s comes to its wait", coroutine)
                    .isNegative();
            delay(1);
        }
    }

    /** What has to have happened. */
    interface Condition {
        boolean holds();
    }
}
