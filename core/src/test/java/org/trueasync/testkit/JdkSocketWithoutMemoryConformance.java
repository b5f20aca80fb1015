package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.spawn;

import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.kernel.PolledSockets;

/**
 * The loop finds no memory to wake a thread whose socket is ready, and the socket is ready but once: it tries again
 * until it does.
 */
public abstract class JdkSocketWithoutMemoryConformance {
    private static final int READERS = 5;
    private static final int MUCH = 4 << 20;

    private final TestRun run;
    private final AtomicInteger failures = new AtomicInteger();

    protected JdkSocketWithoutMemoryConformance(ReactorKit kit) {
        this.run = new TestRun(kit::create);
    }

    @AfterEach
    void noFault() {
        FaultPoint.fault = null;
    }

    /** The next wake-ups for sockets fail. */
    private void failNext(int times) {
        failures.set(times);
        FaultPoint.fault = () -> {
            if (isForSocket() && failures.getAndDecrement() > 0) throw new OutOfMemoryError("planted");
        };
    }

    private static boolean isForSocket() {
        return StackWalker.getInstance().walk(frames -> frames.limit(5)
                .anyMatch(frame -> frame.getClassName().endsWith(".DescriptorWaits")));
    }

    /** An error of this class would end the whole of the tests. */
    private void run(Body main) {
        try {
            run.run(main);
        } catch (OutOfMemoryError e) {
            throw new AssertionError("has ended the run", e);
        }
    }

    private void assertTriedAgain(boolean polledByLoop) {
        if (polledByLoop) assertThat(failures.get()).as("failures left").isNegative();
        assertThat(run.complaints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, READERS, 20})
    void readers_getWhatHasCome(int times) throws Exception {
        var polled = new AtomicInteger();
        try (var held = new SocketWait()) {
            List<Socket[]> pairs = new ArrayList<>();
            for (int i = 0; i < READERS; i++) pairs.add(SocketWaits.pair(held));
            run(() -> {
                List<SocketWaiter> readers = new ArrayList<>();
                List<Coroutine<?>> coroutines = new ArrayList<>();
                for (Socket[] pair : pairs) {
                    var reader = new SocketWaiter(() -> {
                        int first = pair[0].getInputStream().read();
                        return first + " " + pair[0].getInputStream().read();
                    });
                    readers.add(reader);
                    coroutines.add(spawn(reader::run));
                }
                for (SocketWaiter reader : readers) reader.untilParked();
                polled.set(new PolledSockets().count());
                failNext(times);
                for (int i = 0; i < READERS; i++) {
                    pairs.get(i)[1].getOutputStream().write(i);
                    pairs.get(i)[1].getOutputStream().write(i);
                }
                awaitAll(coroutines);
                for (int i = 0; i < READERS; i++)
                    assertThat(readers.get(i).outcome()).isEqualTo(i + " " + i);
            });
        }
        assertTriedAgain(polled.get() == READERS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void writer_goesOnOnceThereIsRoom(int times) throws Exception {
        var polled = new AtomicInteger();
        try (var held = new SocketWait()) {
            Socket[] pair = SocketWaits.pair(held);
            run(() -> {
                var writer = new SocketWaiter(() -> {
                    pair[0].getOutputStream().write(new byte[MUCH]);
                    return "written";
                });
                Coroutine<?> coroutine = spawn(writer::run);
                writer.untilParked();
                polled.set(new PolledSockets().count());
                failNext(times);
                byte[] read = pair[1].getInputStream().readNBytes(MUCH);
                awaitAll(List.of(coroutine));
                assertThat(read).hasSize(MUCH);
                assertThat(writer.outcome()).isEqualTo("written");
            });
        }
        assertTriedAgain(polled.get() == 1);
    }
}
