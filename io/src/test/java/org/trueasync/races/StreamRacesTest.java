package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.testkit.ScriptedListener;
import org.trueasync.internal.testkit.ScriptedStream;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.ScriptedSchedules;

@Tag("sized")
class StreamRacesTest {
    private static void pauseAtRandom(RandomGenerator random) {
        switch (random.nextInt(3)) {
            case 0 -> {}
            case 1 -> Async.suspend();
            default -> Async.await(Outside.completes(null));
        }
    }

    private static ScriptedStream handle() {
        return ScriptedSchedules.reactor().streams().getLast();
    }

    @Test
    @Tag("F36")
    void readsAreCancelledAtAnyTime_everyByteIsReadOnceAndInOrder() {
        Orders.exploreAllScripted(() -> {
            RandomGenerator random = Schedules.random();
            TcpStream stream = TcpStream.connect("127.0.0.1", 1);
            ScriptedStream peer = handle();
            var sent = new StringBuilder();
            for (int i = random.nextInt(4); i >= 0; i--) {
                String text = "abcdefgh".substring(random.nextInt(8)) + i;
                sent.append(text);
                peer.receives(text);
            }
            peer.ends();
            var got = new StringBuilder();
            boolean[] ended = {false};
            while (!ended[0]) {
                var buffer = ByteBuffer.allocate(1 + random.nextInt(5));
                boolean byToken = random.nextInt(3) == 0;
                Coroutine<?> read = Async.spawn(() -> {
                    try {
                        int count = byToken ? stream.read(buffer, Outside.completes(null)) : stream.read(buffer);
                        ended[0] = count < 0;
                        got.append(StandardCharsets.UTF_8.decode(buffer.flip()));
                    } catch (OperationCanceledException e) {
                        assertThat(buffer.position()).isZero();
                    }
                });
                if (!byToken && random.nextBoolean()) Outside.happens(read::cancel);
                try {
                    Async.await(read);
                } catch (AsyncCancellation e) {
                    assertThat(read.isCancelled()).isTrue();
                }
            }
            assertThat(got).hasToString(sent.toString());
            stream.close();
        });
    }

    @Test
    @Tag("F2")
    @Tag("F3")
    @Tag("F36")
    void acceptersAreCancelledAtAnyTime_nobodyWaitsBesideAConnection() {
        Orders.exploreAllScripted(() -> {
            RandomGenerator random = Schedules.random();
            TcpServer server = TcpServer.listen("127.0.0.1", 1);
            ScriptedListener backlog = ScriptedSchedules.reactor().listeners().getLast();
            int connections = 1 + random.nextInt(3);
            int[] accepted = {0};
            var accepters = new ArrayList<Coroutine<?>>();
            Runnable one = () -> accepters.add(Async.spawn(() -> {
                server.accept();
                accepted[0]++;
            }));
            for (int i = 0; i < 4; i++) one.run();
            for (int i = 0; i < connections; i++) {
                backlog.comes();
                if (random.nextBoolean()) Outside.happens(accepters.get(random.nextInt(4))::cancel);
                pauseAtRandom(random);
            }
            one.run(); // comes late, perhaps between a wake and the woken one's run
            Orders.settle();
            int left = connections - accepted[0];
            long stillWaiting = accepters.stream().filter(c -> !c.isCompleted()).count();
            assertThat(Math.min(stillWaiting, left))
                    .as("somebody waits beside a connection")
                    .isZero();
            for (int i = 0; i < left; i++)
                server.accept(Async.timeout(1)); // kept by the system, or for a cancelled one
            assertThat(backlog.waiting()).isZero();
            server.close();
            for (Coroutine<?> accepter : accepters) requireEnded(accepter);
        });
    }

    @Test
    @Tag("F3")
    @Tag("F4")
    void someAcceptersLeave_theOthersAreServedInTheOrderOfArrival() {
        Orders.exploreScripted(() -> {
            RandomGenerator random = Schedules.random();
            TcpServer server = TcpServer.listen("127.0.0.1", 1);
            ScriptedListener backlog = ScriptedSchedules.reactor().listeners().getLast();
            var served = new ArrayList<Integer>();
            var accepters = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                accepters.add(Async.spawn(() -> {
                    server.accept();
                    served.add(number);
                }));
            }
            Async.suspend();
            for (int i = 0; i < 3; i++) {
                backlog.comes();
                if (random.nextBoolean()) accepters.get(random.nextInt(5)).cancel();
                pauseAtRandom(random);
            }
            Orders.settle();
            assertThat(served).isSorted().doesNotHaveDuplicates();
            server.close();
            for (Coroutine<?> accepter : accepters) requireEnded(accepter);
        });
    }

    @Test
    @Tag("F5")
    void closedAtAnyTime_everybodyWhoWaitsIsWokenWithAnError() {
        Orders.exploreAllScripted(() -> {
            RandomGenerator random = Schedules.random();
            TcpStream stream = TcpStream.connect("127.0.0.1", 1);
            ScriptedStream peer = handle();
            peer.room(random.nextInt(4));
            var users = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 2; i++) {
                users.add(Async.spawn(() -> stream.read(ByteBuffer.allocate(4))));
                users.add(Async.spawn(() -> stream.write(ByteBuffer.wrap(new byte[] {1, 2, 3}))));
            }
            if (random.nextBoolean()) peer.receives("x");
            if (random.nextBoolean()) Outside.happens(users.get(random.nextInt(4))::cancel);
            Outside.happens(stream::close);
            Orders.settle();
            for (Coroutine<?> user : List.copyOf(users)) {
                assertThat(user.isCompleted())
                        .as(user + " " + user.awaitingInfo())
                        .isTrue();
                requireEnded(user);
            }
            assertThat(peer.isClosed()).isTrue();
        });
    }

    @Test
    @Tag("F2")
    @Tag("F3")
    void writersLeaveAtAnyTime_theOthersHaveTheirTurnsAndWriteAll() {
        Orders.exploreAllScripted(() -> {
            RandomGenerator random = Schedules.random();
            TcpStream stream = TcpStream.connect("127.0.0.1", 1);
            ScriptedStream peer = handle();
            peer.room(random.nextInt(4));
            int[] written = {0};
            var writers = new ArrayList<Coroutine<?>>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                writers.add(Async.spawn(() -> {
                    pauseAtRandom(random);
                    stream.write(ByteBuffer.allocate(3));
                    written[0] += 3;
                }));
            }
            for (int i = random.nextInt(3); i > 0; i--)
                Outside.happens(writers.get(random.nextInt(writers.size()))::cancel);
            Orders.settle();
            while (peer.queued() > 0) {
                peer.sends();
                Orders.settle();
            }
            assertThat(writers).allMatch(Coroutine::isCompleted);
            for (Coroutine<?> writer : writers) requireEnded(writer);
            long queued = peer.calls().stream()
                    .filter(call -> call.startsWith("queued "))
                    .mapToLong(call -> Long.parseLong(call.substring("queued ".length())))
                    .sum();
            assertThat(peer.taken() + queued).isGreaterThanOrEqualTo(written[0]);
            stream.write(ByteBuffer.allocate(0), Async.timeout(1)); // nobody has kept the turn
            stream.close();
        });
    }

    private static void requireEnded(Coroutine<?> coroutine) {
        try {
            Async.await(coroutine);
        } catch (InputOutputException e) {
            assertThat(e).hasMessageContaining("closed");
        } catch (AsyncCancellation e) {
            assertThat(coroutine.isCancelled()).isTrue();
        }
    }
}
