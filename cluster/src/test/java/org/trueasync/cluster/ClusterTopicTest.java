package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.OperationCanceledException;

/** Topics between two members of one process. */
class ClusterTopicTest extends PairTest {
    @Test
    void allSubscribers_getAllMessages_inOneOrder() throws Exception {
        pair.test((one, other) -> {
            ClusterTopic<String> here = one.topic("order");
            ClusterTopic<String> there = other.topic("order");
            try (var first = here.subscribe();
                    var second = there.subscribe()) {
                var a = spawn(() -> {
                    for (int i = 0; i < 50; i++) here.publish("a" + i);
                });
                var b = spawn(() -> {
                    for (int i = 0; i < 50; i++) there.publish("b" + i);
                });
                List<String> at = new ArrayList<>();
                List<String> over = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    at.add(first.receive());
                    over.add(second.receive());
                }
                await(a);
                await(b);
                assertThat(at).isEqualTo(over).contains("a49", "b49").doesNotHaveDuplicates();
                assertThatThrownBy(() -> first.receive(timeout(20))).isInstanceOf(OperationCanceledException.class);
            }
        });
    }

    @Test
    void slowSubscriber_ends_orMisses_asSaid_andHoldsUpNobody() throws Exception {
        pair.test((one, other) -> {
            ClusterTopic<Integer> here = one.topic("slow");
            ClusterTopic<Integer> there = other.topic("slow");
            var failing = there.subscribe(3, Overflow.FAIL);
            var dropping = there.subscribe(3, Overflow.DROP);
            var quick = there.subscribe(100, Overflow.FAIL);
            for (int i = 0; i < 10; i++) here.publish(i);
            List<Integer> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) all.add(quick.receive());
            assertThat(all).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            Waiting.until("dropped", () -> dropping.missed() == 7 && failing.missed() == 1);
            assertThat(List.of(dropping.receive(), dropping.receive(), dropping.receive()))
                    .containsExactly(0, 1, 2);
            here.publish(10);
            assertThat(dropping.receive()).isEqualTo(10);
            List<Integer> before = new ArrayList<>();
            assertThatThrownBy(() -> failing.forEach(before::add))
                    .isInstanceOf(ClusterException.class)
                    .hasMessage("subscription to cluster topic 'slow' has ended: this member was too slow, 3 messages"
                            + " waited when one more came");
            assertThat(before).containsExactly(0, 1, 2);
            // each subscription gets its message in its own time
            assertThat(quick.receive()).isEqualTo(10);
            quick.close();
            dropping.close();
            failing.close();
            assertThat(quick).isEmpty();
        });
    }

    @Test
    void badMessages_areTheSendersError_orDropped() throws Exception {
        pair.test((one, other) -> {
            ClusterTopic<Object> here = one.topic("bad");
            assertThatThrownBy(() -> here.publish(new Object()))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("java.lang.Object");
            try (var messages = here.subscribe()) {
                here.publish(new javax.swing.event.EventListenerList());
                here.publish("fine");
                assertThatThrownBy(messages::receive)
                        .isInstanceOf(ClusterException.class)
                        .hasMessageContaining("EventListenerList");
                assertThat(messages.receive()).isEqualTo("fine");
            }
            assertThatThrownBy(() -> here.subscribe(0, Overflow.DROP)).isInstanceOf(IllegalArgumentException.class);
        });
    }
}
