package org.trueasync.internal.cluster.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.cluster.ClusterException;

/** A subscription, with an engine that is played here. */
class FeedTest {
    private static final UUID REGISTRATION = new UUID(0, 1);

    private final List<UUID> deregistered = new ArrayList<>();
    private final List<Feed<?>> forgotten = new ArrayList<>();

    private Feed<String> begun(Consumer<UUID> deregister) {
        var feed = new Feed<>(5, false, "the topic", String::valueOf, deregister, forgotten::add);
        feed.begin(add -> {
            add.accept("first");
            return REGISTRATION;
        });
        return feed;
    }

    @Test
    void closed_isDeregisteredOnce_andWhatHasComeCanBeReceived() {
        Async.run((Body) () -> {
            Feed<String> feed = begun(deregistered::add);
            feed.close();
            feed.close();
            assertThat(feed.receive(null)).isEqualTo("first");
            assertThatThrownBy(() -> feed.receive(null)).hasMessage("the topic is closed");
        });
        assertThat(deregistered).containsExactly(REGISTRATION);
        assertThat(forgotten).hasSize(1);
    }

    @Test
    void memberLeavesWhileItIsClosed_nothingIsLeftToDeregister() {
        Async.run((Body) () -> begun(known -> {
                    throw new HazelcastInstanceNotActiveException();
                })
                .close());
        assertThat(forgotten).hasSize(1);
    }

    @Test
    void engineFails_isSaid() {
        Async.run((Body) () -> {
            Feed<String> feed = begun(known -> {
                throw new HazelcastException("out of order");
            });
            assertThatThrownBy(feed::close).isInstanceOf(ClusterException.class).hasMessage("the topic: out of order");
        });
    }
}
