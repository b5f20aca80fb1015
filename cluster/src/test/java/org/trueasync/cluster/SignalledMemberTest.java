package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.internal.testkit.FreePort;

/**
 * A member with tasks of its own and of others, a lock and a channel, in a process that gets SIGTERM, or SIGSTOP and
 * SIGCONT.
 */
@Tag("deep")
@Timeout(200)
class SignalledMemberTest {
    private static final int SIGTERM = 128 + 15;
    private static final Duration SILENCE = Duration.ofSeconds(8);
    /** More than a member stands still that comes back in time. */
    private static final Duration LONG_SILENCE = Duration.ofSeconds(30);

    /** Generous: it is looked for every five seconds with this silence. */
    private static final Duration COMES_BACK_WITHIN = Duration.ofSeconds(30);

    private static int begun;
    private static int ended;

    /** A task that nothing but a cancellation ends. */
    static String withFinally() {
        begun++;
        IO.println("task: begun");
        try {
            delay(Duration.ofHours(1));
            return "never";
        } finally {
            ended++;
            IO.println("task: finally");
        }
    }

    private static String elsewhere() {
        return SignalledMember.here == null ? "here" : withFinally();
    }

    private interface Act {
        /** {@code fence} is that of its lock. */
        void run(Cluster here, ClusterMember other, MemberProcess process, long fence) throws Exception;
    }

    private static void with(Duration silence, Act act) throws Exception {
        int port = FreePort.any();
        String name = "signalled-" + port;
        begun = ended = 0;
        Async.run((Body) () -> withTimeout(Duration.ofSeconds(150), () -> {
            try (var here = Cluster.join(SignalledMember.config(name, port, silence)
                            .port(port)
                            .build());
                    var process = SignalledMember.start(name, port, silence)) {
                long fence = Long.parseLong(process.says("lock: holds"));
                Waiting.until("its task is here", () -> begun == 1);
                act.run(here, here.members().getLast(), process, fence);
            }
            return null;
        }));
    }

    @Test
    void terminated_itsTasksEndByNameOrMove_itsCoroutinesAndItsTasksElsewhereUnwind_andItEnds() throws Exception {
        with(LONG_SILENCE, (here, other, process, fence) -> {
            List<Future<String>> once = new ArrayList<>();
            for (int i = 0; i < 5; i++) once.add(here.submitTo(other, SignalledMemberTest::withFinally));
            List<Future<String>> anywhere = new ArrayList<>();
            for (int i = 0; i < 6; i++) anywhere.add(here.submit(SignalledMemberTest::elsewhere));
            List<Future<String>> movable = new ArrayList<>();
            for (int i = 0; i < 6; i++) movable.add(here.submit(RepeatableTask.of(SignalledMemberTest::elsewhere)));
            assertThat(here.submitTo(other, () -> SignalledMember.here.taskCount())
                            .await())
                    .isGreaterThan(5);
            var waiting = spawn(() -> {
                var lock = here.lock("held");
                lock.lock();
                return lock.fence();
            });

            ClusterChannel<Integer> numbers = here.channel("numbers", 4);
            var enough = new boolean[1];
            var sender = spawn(() -> {
                int next = 0;
                while (!enough[0]) numbers.send(next++);
                return next;
            });
            process.says("channel: got 100");

            process.signal("TERM");
            for (Future<String> each : once)
                assertThatThrownBy(each::await)
                        .isInstanceOfSatisfying(MemberLostException.class, e -> assertThat(e.member())
                                .isEqualTo(other));
            int lost = 0;
            for (Future<String> each : anywhere) {
                try {
                    assertThat(each.await()).isEqualTo("here");
                } catch (MemberLostException e) {
                    lost++;
                }
            }
            assertThat(lost).as("begun there, and not begun again").isBetween(1, 5);
            for (Future<String> each : movable) assertThat(each.await()).isEqualTo("here");
            assertThat(await(waiting)).isPositive();
            assertThat(process.ended()).isEqualTo(SIGTERM);
            Waiting.until("its task is cancelled here", () -> ended == 1);
            // the others hear that a member has gone when its connections end
            Waiting.until("it has left", () -> here.members().equals(List.of(here.self())));
            List<String> last = process.everything();
            List<Integer> received = new ArrayList<>();
            for (String line : last)
                if (line.startsWith("channel: got ")) received.add(Integer.parseInt(line.substring(13)));
            enough[0] = true;
            while (!sender.isCompleted() || !numbers.isEmpty()) {
                var next = numbers.tryReceive();
                if (next.isPresent()) received.add(next.value());
            }
            assertThat(received)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, await(sender)).boxed().toList());
            assertThat(last)
                    .contains("main: finally", "channel: finally", "asker: finally", "lock: given back")
                    .doesNotContain("asker: answered");
            assertThat(last.stream().filter("task: finally"::equals))
                    .hasSameSizeAs(last.stream().filter("task: begun"::equals).toList());
        });
    }

    @Test
    void stoppedAndContinuedInTime_nothingHasHappened() throws Exception {
        with(LONG_SILENCE, (here, other, process, fence) -> {
            ClusterChannel<Integer> numbers = here.channel("numbers", 4);
            process.stop();
            Future<Integer> task = here.submitTo(other, () -> 42);
            Coroutine<?> sender = spawn(() -> {
                for (int i = 0; i < 20; i++) numbers.send(i);
                numbers.close();
            });
            delay(Duration.ofSeconds(2));
            assertThat(task.isCompleted()).isFalse();
            process.signal("CONT");
            assertThat(task.await()).isEqualTo(42);
            for (int i = 0; i < 20; i++)
                assertThat(process.says("channel: got ")).isEqualTo("" + i);
            process.says("channel: closed");
            await(sender);
            assertThat(here.members()).hasSize(2);
            assertThat(here.lock("held").tryLock()).isFalse();
            here.submitTo(other, SignalledMember::release).await();
            process.says("lock: given back");
            assertThat(ended).isZero();
        });
    }

    @Test
    void stoppedUntilItIsGivenUp_itsTasksFail_itsLockGoesOn_andContinuedItComesBackAsANewMember() throws Exception {
        with(SILENCE, (here, other, process, fence) -> {
            ClusterChannel<Integer> numbers = here.channel("numbers", 4);
            numbers.send(1);
            assertThat(process.says("channel: got ")).isEqualTo("1");
            Future<String> begunThere = here.submitTo(other, SignalledMemberTest::withFinally);
            process.says("task: begun");
            process.stop();
            Future<Integer> toTheStopped = here.submitTo(other, () -> 42);
            var lock = here.lock("held");
            lock.lock();
            assertThatThrownBy(begunThere::await).isInstanceOf(MemberLostException.class);
            assertThatThrownBy(toTheStopped::await).isInstanceOf(MemberLostException.class);
            Waiting.until("its task is cancelled here", () -> ended == 1);
            assertThat(here.members()).containsExactly(here.self());
            numbers.send(2);
            assertThat(numbers.receive()).isEqualTo(2);

            process.signal("CONT");
            withTimeout(COMES_BACK_WITHIN, () -> here.awaitMembers(2));
            ClusterMember again = here.members().getLast();
            assertThat(again.address()).isEqualTo(other.address());
            assertThat(again.id()).isNotEqualTo(other.id());
            assertThat(process.says("asker: ")).startsWith("MemberLostException");
            here.submitTo(again, SignalledMember::release).await();
            assertThat(process.says("lock: ")).contains("was lost while it was held");
            assertThat(lock.isHeldByCurrent()).isTrue();
            assertThat(lock.fence()).isGreaterThan(fence);
            lock.unlock();
            numbers.send(3);
            assertThat(process.says("channel: got ")).isEqualTo("3");
        });
    }
}
