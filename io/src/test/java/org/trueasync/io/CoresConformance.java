package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.read;
import static org.trueasync.io.Runs.run;
import static org.trueasync.io.Runs.runClean;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Cores;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.InputOutputException;
import org.trueasync.PerCore;
import org.trueasync.ThreadChannel;
import org.trueasync.testkit.TestRun;

/** Servers on several cores share a port; cores that wait in their reactors wake each other. */
public abstract class CoresConformance {
    private static final int CONNECTIONS = 200;

    /** Answers with the number of the core, until cancelled. */
    private static void serve(TcpServer server) {
        while (true) {
            TcpStream peer = server.accept();
            Async.launch(() -> {
                try (peer) {
                    peer.write(bytes("" + Cores.current().index()));
                }
            });
        }
    }

    @Test
    void serversOfAllCores_shareAPortAndEachGetsConnections() {
        runClean(() -> {
            PerCore<AtomicInteger> served = PerCore.of(AtomicInteger::new);
            List<Integer> ports = Cores.builder().count(2).run(() -> {
                Cores cores = Cores.current();
                var server = TcpServer.listenOnEachCore("127.0.0.1", 0);
                cores.onAll(() -> {}); // all listen
                Coroutine<?> serving = Async.spawn(() -> serve(server));
                if (cores.index() == 0) {
                    int[] answers = new int[2];
                    for (int i = 0; i < CONNECTIONS; i++) {
                        try (var client = TcpStream.connect("127.0.0.1", server.port())) {
                            int core = Integer.parseInt(read(client, 1));
                            answers[core]++;
                            cores.on(core, () -> served.get().incrementAndGet());
                        }
                    }
                    assertThat(answers[0] + answers[1]).isEqualTo(CONNECTIONS);
                    for (int count : answers) assertThat(count).isGreaterThan(CONNECTIONS / 10);
                    assertThat(served.reduce(AtomicInteger::get, Integer::sum)).isEqualTo(CONNECTIONS);
                    cores.onAll(() -> stop.get().trySend(true));
                }
                stop.get().receive();
                serving.cancel();
                assertThatThrownBy(() -> Async.await(serving)).isInstanceOf(AsyncCancellation.class);
                server.close();
                return server.port();
            });
            assertThat(ports.getFirst()).isPositive().isEqualTo(ports.getLast());
        });
    }

    /** On real time: only the knowledge that all are at rest ends this before the shutdown timeout. */
    @Test
    void coreThatHasEnded_isAtRestAfterACall() {
        var told = new CopyOnWriteArrayList<String>();
        var waiting = new AtomicInteger();
        TestRun patient = Runs.testRun().shutdownTimeout(Duration.ofHours(1));
        assertThatThrownBy(() -> patient.run(() -> Cores.builder().count(3).run(() -> {
                    Cores cores = Cores.current();
                    if (cores.index() == 0) {
                        while (waiting.get() < 2) Async.suspend();
                        throw new IllegalStateException("core 0 goes first");
                    }
                    try {
                        waiting.incrementAndGet();
                        new ThreadChannel<Integer>().receive();
                    } finally {
                        callUntilRefused(cores, 0);
                        try {
                            new FutureState<>().future().await();
                        } catch (AsyncCancellation e) {
                            told.add(e.getMessage());
                        }
                    }
                })))
                .hasMessage("core 0 goes first");
        assertThat(told).hasSize(2);
    }

    private static void callUntilRefused(Cores cores, int other) {
        while (true) {
            try {
                cores.on(other, () -> {});
                Async.suspend();
            } catch (AsyncException refused) {
                return;
            } catch (AsyncCancellation taken) {
                // It has taken one while it ended.
            }
        }
    }

    private final PerCore<ThreadChannel<Boolean>> stop = PerCore.of(() -> new ThreadChannel<>(1));

    @Test
    void secondServerOfEachCore_hasAnotherCommonPort() {
        runClean(() -> {
            List<List<Integer>> ports = Cores.builder().count(3).run(() -> {
                Cores cores = Cores.current();
                try (var one = TcpServer.listenOnEachCore("127.0.0.1", 0);
                        var two = TcpServer.listenOnEachCore("127.0.0.1", 0);
                        var known = TcpServer.listenOnEachCore("127.0.0.1", one.port())) {
                    assertThat(known.port()).isEqualTo(one.port());
                    cores.onAll(() -> {});
                    for (int i = 0; i < 3; i++)
                        assertThat(cores.on(i, Async::availableParallelism)).isPositive();
                    barrier(cores);
                    return List.of(one.port(), two.port());
                }
            });
            assertThat(ports).hasSize(3).containsOnly(ports.getFirst());
            assertThat(ports.getFirst()).doesNotHaveDuplicates();
        });
    }

    private final AtomicInteger arrived = new AtomicInteger();

    /** Until all cores are here. */
    private void barrier(Cores cores) {
        arrived.incrementAndGet();
        while (arrived.get() < cores.count()) Async.delay(1);
    }

    @Test
    void addressThatIsTaken_isRefusedOnEachCore() {
        run(() -> {
            try (var taken = TcpServer.listen("127.0.0.1", 0)) {
                List<String> errors = Cores.builder().count(2).run(() -> {
                    try {
                        TcpServer.listenOnEachCore("127.0.0.1", taken.port());
                        return "none";
                    } catch (InputOutputException e) {
                        return e.errno();
                    }
                });
                assertThat(errors).containsExactly("EADDRINUSE", "EADDRINUSE");
            }
        });
    }

    @Test
    void oneCore_doesNotShareItsPort() {
        run(() -> Cores.builder().count(1).run(() -> {
            try (var alone = TcpServer.listenOnEachCore("127.0.0.1", 0)) {
                assertThatThrownBy(() -> TcpServer.listenOnEachCore("127.0.0.1", alone.port()))
                        .isInstanceOf(InputOutputException.class);
            }
        }));
    }

    @Test
    void outsideOfCores_isRefused() {
        run(() -> assertThatThrownBy(() -> TcpServer.listenOnEachCore("127.0.0.1", 0))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("outside of Cores.Builder.run"));
    }

    @Test
    void coresThatWaitInTheirReactors_answerEachOther() {
        run(() -> {
            List<Integer> sums = Cores.builder().count(3).run(() -> {
                Cores cores = Cores.current();
                int sum = 0;
                for (int i = 0; i < 2_000; i++) {
                    int number = i;
                    sum += cores.on(i % 3, () -> number);
                }
                return sum;
            });
            assertThat(sums).containsOnly(1_999 * 1_000);
        });
    }

    @Test
    void errorOnOneCore_endsServersOfAll() {
        runClean(() -> {
            var closed = new CopyOnWriteArrayList<Integer>();
            var listening = new AtomicInteger();
            assertThatThrownBy(() -> Cores.builder().count(2).run(() -> {
                        Cores cores = Cores.current();
                        try (var server = TcpServer.listenOnEachCore("127.0.0.1", 0)) {
                            listening.incrementAndGet();
                            if (cores.index() == 1) {
                                while (listening.get() < 2) Async.delay(1);
                                throw new IllegalStateException("bug");
                            }
                            serve(server);
                        } finally {
                            Async.delay(1);
                            closed.add(cores.index());
                        }
                    }))
                    .hasMessage("bug");
            assertThat(closed).containsExactlyInAnyOrder(0, 1);
        });
    }

    @Test
    void manyRounds_leaveNothing() {
        runClean(() -> {
            var all = new ArrayList<Integer>();
            for (int i = 0; i < 20; i++)
                all.addAll(Cores.builder().count(2).run(() -> Cores.current().on(1, () -> 1)));
            assertThat(all).hasSize(40);
        });
    }
}
