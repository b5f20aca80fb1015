package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.PolledSockets;

/** Who polls the JDK's sockets: the loop itself if it can, but for a thread that can't leave it the JDK. */
public abstract class JdkSocketPinnedConformance {
    private static final int READS = 50;

    private final ReactorKit kit;
    private final TestRun run;

    protected JdkSocketPinnedConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    @Test
    void pinnedReader_getsDataThatComesLater() throws Exception {
        try (var held = new SocketWait()) {
            Socket[] pair = SocketWaits.pair(held);
            var reader = new SocketWaiter(() -> pair[0].getInputStream().read());
            run.run(() -> {
                var sockets = new PolledSockets();
                Thread writer = SocketWaiter.platform(() -> {
                    // After the reader was found pinned, if the loop has taken it.
                    reader.awaitParked();
                    long end = System.nanoTime() + 200_000_000;
                    while (sockets.rescues() == 0 && System.nanoTime() < end) Thread.sleep(1);
                    pair[1].getOutputStream().write(7);
                    reader.awaitOutcome();
                });
                NativeFrame.run(reader::runQuietly);
                writer.join();
            });
            assertThat(reader.outcome()).isEqualTo("7");
        }
    }

    /** Each would need one, as the loop that would poll is under the reader. */
    @Test
    void pinnedReads_areNotRescuedOneByOne() throws Exception {
        try (var held = new SocketWait()) {
            Socket[] pair = SocketWaits.pair(held);
            run.run(() -> {
                var sockets = new PolledSockets();
                List<SocketWaiter> readers = new ArrayList<>();
                for (int i = 0; i < READS; i++)
                    readers.add(new SocketWaiter(() -> pair[0].getInputStream().read()));
                Thread writer = SocketWaiter.platform(() -> {
                    for (int i = 0; i < READS; i++) {
                        readers.get(i).awaitParked();
                        pair[1].getOutputStream().write(i);
                        readers.get(i).awaitOutcome();
                    }
                });
                for (SocketWaiter reader : readers) NativeFrame.run(reader::runQuietly);
                writer.join();
                for (int i = 0; i < READS; i++)
                    assertThat(readers.get(i).outcome()).isEqualTo(String.valueOf(i));
                assertThat(sockets.rescues()).isLessThan(READS / 2);
            });
        }
    }

    @Test
    void pinnedReader_doesNotKeepTheLoopFromPollingAfterwards() throws Exception {
        try (var held = new SocketWait()) {
            Socket[] pair = SocketWaits.pair(held);
            Socket[] other = SocketWaits.pair(held);
            run.run(() -> {
                var sockets = new PolledSockets();
                var pinned = new SocketWaiter(() -> pair[0].getInputStream().read());
                var reader = new SocketWaiter(() -> other[0].getInputStream().read());
                Coroutine<?> before = spawn(reader::run);
                reader.untilParked();
                Thread writer = SocketWaiter.platform(() -> {
                    pinned.awaitParked();
                    other[1].getOutputStream().write(1);
                    pair[1].getOutputStream().write(2);
                    pinned.awaitOutcome();
                });
                NativeFrame.run(pinned::runQuietly);
                await(before);
                writer.join();
                assertThat(reader.outcome() + pinned.outcome()).isEqualTo("12");
                int rescues = sockets.rescues();
                // For some time the JDK's pollers watch everything.
                for (int i = 0; i < 150; i++) {
                    var next = new SocketWaiter(() -> pair[0].getInputStream().read());
                    Coroutine<?> coroutine = spawn(next::run);
                    next.untilParked();
                    pair[1].getOutputStream().write(1);
                    await(coroutine);
                }
                readAndCount(1, rescues);
            });
        }
    }

    @Test
    @Tag("deep")
    void readerThatHasLeftTheLoop_isNotWokenForNoReason() throws Exception {
        try (var held = new SocketWait()) {
            Socket[] pair = SocketWaits.pair(held);
            requireUndisturbed(pair, reader -> spawn(reader::runQuietly));
            requireUndisturbed(pair, reader -> Thread.startVirtualThread(reader::runQuietly));
        }
    }

    /** One that the system holds up where it is about to leave may be woken; but not in each run. */
    private void requireUndisturbed(Socket[] pair, Consumer<SocketWaiter> start) {
        int runs = 0;
        while (!run.call(() -> isUndisturbed(pair, start))) assertThat(++runs).isLessThan(5);
    }

    private static boolean isUndisturbed(Socket[] pair, Consumer<SocketWaiter> start) throws Exception {
        var sockets = new PolledSockets();
        var reader = new SocketWaiter(() -> pair[0].getInputStream().read());
        start.accept(reader);
        reader.untilParked();
        delay(150);
        pair[1].getOutputStream().write(1);
        while (!reader.hasEnded()) delay(1);
        assertThat(reader.outcome()).isEqualTo("1");
        return sockets.rescues() == 0;
    }

    /** A wait is registered with the loop or with the JDK's pollers, never with both: so these were not told. */
    @Test
    void whereTheLoopPolls_theJdkIsNotToldOfTheWaits() {
        run.run(() -> readAndCount(10, 0));
        assertThat(run.complaints()).isEmpty();
    }

    /**
     * With more rescues than before the system has held a thread up where it was about to leave; that counts for
     * pinned.
     */
    private void readAndCount(int readers, int rescuesBefore) throws Exception {
        var sockets = new PolledSockets();
        boolean polls = kit.pollsForTheJdk();
        try (var held = new SocketWait()) {
            List<SocketWaiter> all = new ArrayList<>();
            List<Socket[]> pairs = new ArrayList<>();
            List<Coroutine<?>> coroutines = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                Socket[] pair = SocketWaits.pair(held);
                pairs.add(pair);
                all.add(new SocketWaiter(() -> pair[0].getInputStream().read()));
                coroutines.add(spawn(all.getLast()::run));
            }
            Pipe pipe = Pipe.open();
            held.hold(pipe.sink());
            held.hold(pipe.source());
            Selector selector = held.hold(Selector.open());
            pipe.source().configureBlocking(false);
            pipe.source().register(selector, SelectionKey.OP_READ);
            all.add(new SocketWaiter(selector::select));
            coroutines.add(spawn(all.getLast()::run));
            for (SocketWaiter waiter : all) waiter.untilParked();
            int count = sockets.count();
            if (sockets.rescues() == rescuesBefore) assertThat(count).isEqualTo(polls ? readers + 1 : 0);
            for (Socket[] pair : pairs) pair[1].getOutputStream().write(1);
            pipe.sink().write(ByteBuffer.allocate(1));
            for (Coroutine<?> coroutine : coroutines) await(coroutine);
            assertThat(sockets.count()).isZero();
        }
    }
}
