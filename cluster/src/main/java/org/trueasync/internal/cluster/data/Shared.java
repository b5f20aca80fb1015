package org.trueasync.internal.cluster.data;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.operation.EntryOperation;
import com.hazelcast.spi.impl.AbstractDistributedObject;
import com.hazelcast.spi.impl.NodeEngine;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.Scope;
import org.trueasync.cluster.ClusterException;
import org.trueasync.internal.cluster.EngineWaits;

/**
 * What this member shares with others: the ends of channels and locks, one for each name, and its subscriptions.
 *
 * <p>Loop thread only, except {@link #left}.
 */
public final class Shared {
    /** The time after which a waiter calls again, in case a wake-up was lost. */
    static final long ANSWER_TIMEOUT_MILLIS = 1_000;

    private final HazelcastInstance engine;
    private final NodeEngine node;
    private final Values values;
    private final WakeUps wakeUps;
    private final Scope scope = new Scope("cluster");
    private final Map<String, ChannelEnd> channels = new HashMap<>();
    private final Map<String, LockEnd> locks = new HashMap<>();
    /** The open ones; any thread, as the engine may stop by itself. */
    private final Set<Feed<?>> feeds = ConcurrentHashMap.newKeySet();

    private volatile boolean hasLeft;

    /**
     * For a member that has joined.
     *
     * @param engine the member
     * @param values turns values into bytes
     */
    public Shared(HazelcastInstance engine, Values values) {
        this.engine = engine;
        this.values = values;
        node = ((AbstractDistributedObject<?>) engine.getMap(SharedConfig.CHANNELS)).getNodeEngine();
        wakeUps = new WakeUps(engine);
        var _ = new Deliveries(engine, node, Async.executor(), this::arrived);
    }

    /**
     * Returns the end of a channel, which is made if there is none.
     *
     * @param name of the channel
     * @param capacity >= 1
     */
    public ChannelEnd channel(String name, int capacity) {
        ChannelEnd known = channels.get(name);
        if (known != null && known.capacity() == capacity && !known.isLost()) return known;
        var opened = new ChannelEnd(this, name, capacity, known);
        opened.open();
        ChannelEnd meanwhile = channels.get(name);
        if (meanwhile != null && !meanwhile.isLost()) return meanwhile;
        channels.put(name, opened);
        return opened;
    }

    /**
     * Returns the end of a lock.
     *
     * @param name of the lock
     */
    public LockEnd lock(String name) {
        return locks.computeIfAbsent(name, key -> new LockEnd(this, key));
    }

    /** Returns the engine. */
    public HazelcastInstance engine() {
        return engine;
    }

    /** Returns the codec of values. */
    public Values values() {
        return values;
    }

    NodeEngine node() {
        return node;
    }

    WakeUps wakeUps() {
        return wakeUps;
    }

    Scope scope() {
        return scope;
    }

    /** Returns this member's id. */
    UUID self() {
        return engine.getCluster().getLocalMember().getUuid();
    }

    private void arrived(Delivery delivery) {
        ChannelEnd end = channels.get(delivery.channel());
        if (end != null) end.arrived(delivery);
    }

    /**
     * Runs a call on the member that has the entry, and waits for the answer. If the engine gives up waiting, the call
     * is made again, as running it twice does the same as once.
     */
    <S, R> R call(
            String map, String key, EntryProcessor<String, S, R> call, @Nullable Completable<?> token, String what) {
        while (true) {
            try {
                return Objects.requireNonNull(node.toObject(EngineWaits.await(() -> run(map, key, call), token, what)));
            } catch (ClusterException e) {
                if (!(e.getCause() instanceof OperationTimeoutException)) throw e;
            }
        }
    }

    /** Does what the map's {@code submitToKey} does, but the answer is not handed from thread to thread. */
    private CompletionStage<Object> run(String map, String key, EntryProcessor<?, ?, ?> call) {
        if (call instanceof HazelcastInstanceAware aware) aware.setHazelcastInstance(engine);
        Data name = node.toData(key);
        int partition = node.getPartitionService().getPartitionId(name);
        return node.getOperationService()
                .createInvocationBuilder(MapService.SERVICE_NAME, new EntryOperation(map, name, call), partition)
                .setResultDeserialized(false)
                .invoke();
    }

    /** Waits for a wake-up, for a second at most; true if there was one. */
    boolean awaitWakeUp(String key, CompletableFuture<Boolean> wakeUp, @Nullable Completable<?> token) {
        CompletableFuture<Boolean> either =
                wakeUp.copy().completeOnTimeout(false, ANSWER_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        boolean woken = false;
        try {
            woken = token == null ? Async.await(either) : Async.await(either, token);
        } finally {
            if (!woken) wakeUps.stopListening(key, wakeUp);
        }
        return woken;
    }

    // ---- topics and events

    /**
     * Begins a subscription, which ends at the latest when this member leaves.
     *
     * @param <T> type of the values
     * @param backlog how many may wait
     * @param dropping true to drop further ones, false to end the subscription with the first of them
     * @param what for messages
     * @param reader makes a value of what came, in the receiving coroutine
     * @param register begins to listen; blocks
     * @param deregister ends that; blocks
     */
    public <T> Feed<T> feed(
            int backlog,
            boolean dropping,
            String what,
            Function<Object, T> reader,
            Function<Consumer<Object>, UUID> register,
            Consumer<UUID> deregister) {
        var feed = new Feed<>(backlog, dropping, what, reader, deregister, feeds::remove);
        Async.protect(() -> {
            feed.begin(register);
            feeds.add(feed);
        });
        if (hasLeft) feed.end();
        return feed;
    }

    /**
     * Prepares to leave the cluster: ends subscriptions and channel ends.
     *
     * @param limit for each channel: for the answers that are still to come, and again for giving back what was not
     *     received
     */
    public void end(Duration limit) {
        for (Feed<?> feed : List.copyOf(feeds)) feed.end();
        for (ChannelEnd channel : List.copyOf(channels.values())) channel.leave(limit);
    }

    /** Wakes all waiters and ends what subscriptions are still open, as this member has left. */
    public void left() {
        hasLeft = true;
        wakeUps.wakeAll();
        for (Feed<?> feed : feeds) feed.end();
    }

    static ClusterException lost(String what) {
        return new ClusterException(what + " is lost: no member is left of those that kept it; open it again");
    }
}
