package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;

/** Sockets of the JDK that more than one run, or threads of no run, wait for. */
public abstract class JdkSocketRunsConformance {
    private static final int CLIENTS = 20;
    private static final int ROUNDS = 10;

    private final ReactorKit kit;

    protected JdkSocketRunsConformance(ReactorKit kit) {
        this.kit = kit;
    }

    private TestRun run() {
        return new TestRun(kit::create);
    }

    /** What may happen to a reader whose loop has ended, and what it gets. */
    private enum After {
        DATA("5"),
        PEER_CLOSES("-1"),
        CLOSED("SocketException: Socket closed"),
        INTERRUPTED("SocketException: Closed by interrupt"),
        LIMIT("SocketTimeoutException: Read timed out");

        final String outcome;

        After(String outcome) {
            this.outcome = outcome;
        }

        void happen(Socket[] pair, SocketWaiter reader) throws IOException {
            switch (this) {
                case DATA -> pair[1].getOutputStream().write(5);
                case PEER_CLOSES -> pair[1].close();
                case CLOSED -> pair[0].close();
                case INTERRUPTED -> reader.thread().interrupt();
                case LIMIT -> {}
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> readerThatOutlivesTheRun_endsAsEver() {
        return Stream.of(After.values())
                .map(after -> DynamicTest.dynamicTest(after.toString(), () -> {
                    try (var held = new SocketWait()) {
                        Socket[] pair = SocketWaits.pair(held);
                        if (after == After.LIMIT) pair[0].setSoTimeout(300);
                        var reader =
                                new SocketWaiter(() -> pair[0].getInputStream().read());
                        run().run(() -> {
                            Thread.startVirtualThread(reader::runQuietly);
                            reader.untilParked();
                        });
                        if (after != After.LIMIT) assertThat(reader.outcome()).isEqualTo("still waits");
                        after.happen(pair, reader);
                        assertThat(reader.awaitOutcome()).isEqualTo(after.outcome);
                    }
                }));
    }

    @Test
    void socketThatARunHasWaitedFor_isReadByThreadsAndTheNextRun() throws Exception {
        try (var held = new SocketWait()) {
            Socket[] pair = SocketWaits.pair(held);
            var left = new SocketWaiter(() -> pair[0].getInputStream().read());
            run().run(() -> {
                Thread.startVirtualThread(left::runQuietly);
                left.untilParked();
            });
            pair[1].getOutputStream().write(1);
            assertThat(left.awaitOutcome()).isEqualTo("1");
            for (int i = 0; i < 3; i++) {
                run().run(() -> readOne(pair, true));
                readOne(pair, false);
                Thread virtual = Thread.ofVirtual().start(() -> SocketWait.run(() -> readOne(pair, false)));
                assertThat(virtual.join(Duration.ofSeconds(20))).isTrue();
            }
        }
    }

    @Test
    void runs_giveTheirDescriptorsBack() throws Exception {
        try (var held = new SocketWait()) {
            Socket[] pair = SocketWaits.pair(held);
            run().run(() -> readOne(pair, true));
            int before = Resources.descriptors();
            for (int i = 0; i < 40; i++) run().run(() -> readOne(pair, true));
            // Others of this process may have opened some.
            assertThat(Resources.descriptors() - before).isLessThan(20);
        }
    }

    private static void readOne(Socket[] pair, boolean inARun) throws Exception {
        var reader = new SocketWaiter(() -> pair[0].getInputStream().read());
        Thread writer = SocketWaiter.platform(() -> {
            // A platform thread waits in the system, which its state does not tell.
            if (inARun) reader.awaitParked();
            pair[1].getOutputStream().write(9);
        });
        reader.run();
        writer.join();
        assertThat(reader.outcome()).isEqualTo("9");
    }

    @Test
    void selectorThatOutlivesTheRun_isWoken() throws Exception {
        try (Selector selector = Selector.open()) {
            var selects = new SocketWaiter(selector::select);
            run().run(() -> {
                Thread.startVirtualThread(selects::runQuietly);
                selects.untilParked();
            });
            selector.wakeup();
            assertThat(selects.awaitOutcome()).isEqualTo("0");
        }
    }

    /** The interrupt of the first read is not left over for the one of the clean-up. */
    @Test
    void cancelledReader_canReadAnotherSocketAtTheEnd() throws Exception {
        try (var held = new SocketWait()) {
            Socket[] pair = SocketWaits.pair(held);
            Socket[] other = SocketWaits.pair(held);
            var last = new SocketWaiter(() -> other[0].getInputStream().read());
            run().run(() -> {
                var first = new SocketWaiter(() -> pair[0].getInputStream().read());
                Coroutine<?> reader = spawn(() -> {
                    first.runQuietly();
                    last.run();
                });
                first.untilParked();
                reader.cancel("no longer wanted");
                await(spawn(last::untilParked));
                assertThat(first.outcome()).startsWith("SocketException");
                SocketWaiter.platform(() -> other[1].getOutputStream().write(3)).join();
                TestRun.failureOf(reader);
            });
            assertThat(last.outcome()).isEqualTo("3");
        }
    }

    /** Two loops and virtual threads of the JDK's: each serves, and each asks whoever happens to accept. */
    @Test
    void twoRunsAndOtherVirtualThreads_serveEachOther() throws Exception {
        var failures = new ConcurrentLinkedQueue<Throwable>();
        var toBeServed = new AtomicInteger(3 * CLIENTS * ROUNDS);
        try (var server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress())) {
            Body serve = () -> {
                while (toBeServed.getAndDecrement() > 0) {
                    try (Socket peer = server.accept()) {
                        peer.getOutputStream().write(peer.getInputStream().read() + 1);
                        assertThat(peer.getInputStream().read()).isEqualTo(-1);
                    }
                }
            };
            Body ask = () -> {
                for (int i = 0; i < ROUNDS; i++) {
                    try (var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                        client.getOutputStream().write(i);
                        assertThat(client.getInputStream().read()).isEqualTo(i + 1);
                    }
                }
            };
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++)
                threads.add(Thread.ofPlatform().start(collecting(failures, () -> run().run(() -> {
                    List<Coroutine<?>> all = new ArrayList<>();
                    for (int k = 0; k < CLIENTS; k++) {
                        all.add(spawn(serve));
                        all.add(spawn(ask));
                    }
                    for (Coroutine<?> one : all) Async.await(one);
                }))));
            for (int k = 0; k < CLIENTS; k++) {
                threads.add(Thread.ofVirtual().start(collecting(failures, serve)));
                threads.add(Thread.ofVirtual().start(collecting(failures, ask)));
            }
            for (Thread thread : threads)
                assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
        }
        assertThat(failures).isEmpty();
    }

    private static Runnable collecting(ConcurrentLinkedQueue<Throwable> failures, Body body) {
        return () -> {
            try {
                body.run();
            } catch (Throwable e) {
                failures.add(e);
            }
        };
    }
}
