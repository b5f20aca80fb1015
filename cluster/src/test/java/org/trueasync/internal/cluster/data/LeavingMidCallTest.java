package org.trueasync.internal.cluster.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import com.hazelcast.map.EntryProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.cluster.Cluster;
import org.trueasync.cluster.ClusterConfig;
import org.trueasync.cluster.ClusterException;
import org.trueasync.internal.cluster.AllowedClasses;
import org.trueasync.internal.cluster.ObjectCodec;
import org.trueasync.internal.testkit.FreePort;

/**
 * What becomes of values and of senders when this member leaves, or when the channel is lost, in the middle of a call.
 */
@Tag("deep")
@Timeout(120)
class LeavingMidCallTest {
    private static final byte[] ONE = {1};
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Holds the engine's thread that runs all calls to a channel. */
    @SuppressWarnings("serial") // it does not travel
    private static final class Hold implements EntryProcessor<String, Object, Object> {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        private CompletionStage<?> whole;

        static Hold of(Cluster cluster, String channel) {
            var hold = new Hold();
            hold.whole = cluster.engine()
                    .<String, Object>getMap(SharedConfig.CHANNELS)
                    .submitToKey(channel, hold);
            Async.blocking(() -> {
                hold.begun.await();
                return null;
            });
            return hold;
        }

        @Override
        public Object process(Map.Entry<String, Object> entry) {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the member is terminated
            }
            return true;
        }

        @Override
        @SuppressWarnings("NullAway") // null: nothing to do there
        public EntryProcessor<String, Object, Object> getBackupProcessor() {
            return null;
        }

        void release() {
            released.countDown();
            await(whole);
        }
    }

    private interface Act {
        void run(Cluster cluster, Shared shared) throws Exception;
    }

    private static void alone(Act act) throws Exception {
        int port = FreePort.any();
        Async.run(() -> {
            var config = ClusterConfig.builder().name("last-words-" + port).port(port);
            var values = new Values(
                    new ObjectCodec(new AllowedClasses(List.of()), LeavingMidCallTest.class.getClassLoader()));
            try (var cluster = Cluster.join(config.build())) {
                act.run(cluster, new Shared(cluster.engine(), values));
            }
            return null;
        });
    }

    /** All who are ready come as far as they can. */
    private static void othersRun() {
        for (int i = 0; i < 10; i++) suspend();
    }

    @Test
    void senderWhoseValueIsOnItsWay_hearsThatItWasSent_othersHaveNotSent() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd end = shared.channel("c", 4);
            Hold hold = Hold.of(cluster, "c");
            var onItsWay = spawn(() -> end.send("first", null));
            var returned = new boolean[1];
            var cancelled = spawn(() -> {
                end.send("second", null);
                returned[0] = true;
            });
            othersRun();
            cancelled.cancel();
            var leaving = spawn(() -> end.leave(LIMIT));
            othersRun();
            var late = spawn(() -> end.send("late", null));
            othersRun();
            hold.release();
            await(leaving);
            await(onItsWay);
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            assertThat(returned[0]).isTrue();
            assertThatThrownBy(() -> await(late))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("leaves its cluster")
                    .hasMessageNotContaining("not known");
            assertThatThrownBy(() -> end.trySend("later")).isInstanceOf(ClusterException.class);
            assertThatThrownBy(() -> end.tryReceive()).isInstanceOf(ClusterException.class);
            assertThat(end.size()).isEqualTo(2);
        });
    }

    /** The call registers this member with the keeper, which would send it the value. */
    @Test
    void receiverThatLeavesWhileItsCallIsUnderWay_drawsNoValueOfTheSameMember() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd end = shared.channel("c", 1);
            Hold hold = Hold.of(cluster, "c");
            var receiver = spawn(() -> end.receive(null));
            othersRun();
            receiver.cancel();
            var sent = new ArrayList<Boolean>();
            var sends = spawn(() -> {
                for (String value : List.of("stays", "has no room")) sent.add(end.trySend(value));
            });
            othersRun();
            hold.release();
            await(sends);
            assertThat(sent).containsExactly(true, false);
        });
    }

    @Test
    void receiveCallThatIsNotAnswered_holdsUpTheLeavingForTheLimitOnly() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd end = shared.channel("c", 4);
            Hold hold = Hold.of(cluster, "c");
            var receiver = spawn(() -> end.receive(null));
            othersRun();
            end.leave(Duration.ofMillis(100));
            assertThat(receiver.isCompleted()).isFalse();
            hold.release();
            assertThatThrownBy(() -> await(receiver)).isInstanceOf(ClusterException.class);
        });
    }

    /** Its call is made beside the first try's, so the keeper has the value before the second one is made. */
    @Test
    void trySendBesideATryReceive_doesNotWaitForIt() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd end = shared.channel("c", 4);
            Hold hold = Hold.of(cluster, "c");
            List<Coroutine<String>> tries = new ArrayList<>();
            for (int i = 0; i < 3; i++) tries.add(spawn(() -> end.tryReceive() == null ? "nothing" : "value"));
            var sends = spawn(() -> end.trySend("value"));
            othersRun();
            hold.release();
            assertThat(await(sends)).isTrue();
            assertThat(tries.stream().map(each -> await(each))).containsExactly("nothing", "value", "nothing");
        });
    }

    @Test
    void senderWhoseCallIsNotAnswered_isToldThatNobodyKnows_evenIfItWasCancelled() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd end = shared.channel("c", 4);
            Hold hold = Hold.of(cluster, "c");
            var waits = spawn(() -> end.send("first", null));
            var cancelled = spawn(() -> end.send("second", null));
            othersRun();
            cancelled.cancel();
            othersRun();
            Thread.ofPlatform()
                    .start(() -> cluster.engine().getLifecycleService().terminate());
            for (var each : List.of(waits, cancelled))
                assertThatThrownBy(() -> await(each))
                        .isInstanceOf(ClusterException.class)
                        .hasMessageContaining("whether the value was sent is not known");
            hold.released.countDown();
        });
    }

    @Test
    void valueInTheHandOfAReceiverThatIsCancelled_goesBack() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd end = shared.channel("c", 4);
            UUID self = cluster.self().id();
            var receiver = spawn(() -> end.receive(null));
            othersRun();
            assertThat(end.size()).as("answered after the receiver's call").isZero();
            othersRun();
            end.arrived(new Delivery("c", self, 0, List.of(ONE)));
            receiver.cancel();
            end.leave(LIMIT);
            assertThatThrownBy(() -> await(receiver)).isInstanceOf(AsyncCancellation.class);
            assertThat(end.size()).isOne();
        });
    }

    /** A delivery may come before the answer to the call that asked for it. */
    @Test
    void valueThatComesBeforeTheAnswer_forAReceiverThatIsCancelled_goesBack() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd end = shared.channel("c", 4);
            UUID self = cluster.self().id();
            Hold hold = Hold.of(cluster, "c");
            var receiver = spawn(() -> end.receive(null));
            othersRun();
            end.arrived(new Delivery("c", self, 0, List.of(ONE)));
            receiver.cancel();
            var leaving = spawn(() -> end.leave(LIMIT));
            othersRun();
            hold.release();
            await(leaving);
            assertThatThrownBy(() -> await(receiver)).isInstanceOf(AsyncCancellation.class);
            assertThat(end.size()).isOne();
        });
    }

    @Test
    void valueThatWasLeftBehind_whileAnotherCallIsUnderWay_goesBack() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd end = shared.channel("c", 4);
            UUID self = cluster.self().id();
            Hold hold = Hold.of(cluster, "c");
            var tries = spawn(() -> end.tryReceive());
            othersRun();
            var receiver = spawn(() -> end.receive(null));
            othersRun(); // whoever asks for it stands behind that call
            end.arrived(new Delivery("c", self, 0, List.of(ONE)));
            receiver.cancel();
            var leaving = spawn(() -> end.leave(LIMIT));
            othersRun();
            var late = spawn(() -> end.receive(null));
            othersRun();
            hold.release();
            await(leaving);
            assertThat(await(tries)).isNull();
            assertThatThrownBy(() -> await(late)).isInstanceOf(ClusterException.class);
            assertThatThrownBy(() -> await(receiver)).isInstanceOf(AsyncCancellation.class);
            assertThat(end.size()).isOne();
        });
    }

    @Test
    void endOfALostChannel_isNoEndOfTheNextOne() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd lost = shared.channel("c", 4);
            lost.send("gone", null);
            await(cluster.engine().getMap(SharedConfig.CHANNELS).removeAsync("c"));
            assertThatThrownBy(() -> lost.size()).hasMessageContaining("is lost");
            ChannelEnd next = shared.channel("c", 4);
            assertThatThrownBy(() -> lost.send("to the old one", null)).hasMessageContaining("is lost");
            assertThatThrownBy(() -> lost.tryReceive()).hasMessageContaining("is lost");
            next.send("to the new one", null);
            assertThat(next.size()).isOne();
            assertThat(next.tryReceive()).isNotNull();
        });
    }

    @Test
    void callOfALostChannel_thatReachesTheNextOne_isNotTakenForOneOfItsOwn() throws Exception {
        alone((cluster, shared) -> {
            ChannelEnd lost = shared.channel("c", 4);
            for (int i = 0; i < 3; i++) lost.send("gone", null);
            var map = cluster.engine().<String, Object>getMap(SharedConfig.CHANNELS);
            Hold hold = Hold.of(cluster, "c");
            var removed = map.removeAsync("c");
            var learns = spawn(() -> lost.size());
            othersRun();
            // another member is quicker
            @SuppressWarnings({"unchecked", "rawtypes"})
            CompletionStage<?> opened = map.submitToKey("c", (EntryProcessor) new OpenChannel(new UUID(0, 1), 4));
            var late = spawn(() -> lost.send("late", null));
            othersRun();
            hold.release();
            await(removed);
            await(opened);
            assertThatThrownBy(() -> await(learns)).hasMessageContaining("is lost");
            await(late);
            ChannelEnd next = shared.channel("c", 4);
            next.send("in time", null);
            assertThat(next.size()).isEqualTo(2);
        });
    }
}
