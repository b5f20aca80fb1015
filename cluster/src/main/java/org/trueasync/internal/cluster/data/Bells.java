package org.trueasync.internal.cluster.data;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.ExecutionCallback;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Tells waiters, here and on other members, that it is time to ask again. A ring that is lost, with a member or on its way, only costs time: a waiter asks again every
 * second.
 *
 * <p>Any thread.
 */
final class Bells {
    static final String KEY = "org.trueasync.bells";

    private final HazelcastInstance engine;
    private final IExecutorService others;
    private final ConcurrentMap<String, CompletableFuture<Boolean>> waiting = new ConcurrentHashMap<>();

    Bells(HazelcastInstance engine) {
        this.engine = engine;
        others = engine.getExecutorService(SharedConfig.BELLS);
        engine.getUserContext().put(KEY, this);
    }

    /** Returns a future that completes with the next ring. */
    CompletableFuture<Boolean> listen(String bell) {
        return waiting.computeIfAbsent(bell, key -> new CompletableFuture<>());
    }

    /** Forgets a future of {@link #listen} that is not needed any more. */
    void stopListening(String bell, CompletableFuture<Boolean> heard) {
        waiting.remove(bell, heard);
    }

    /** Rings a bell on this member. */
    void ring(String bell) {
        CompletableFuture<Boolean> heard = waiting.remove(bell);
        if (heard != null) heard.complete(true);
    }

    /** Rings all bells on this member. */
    void ringAll() {
        for (String bell : List.copyOf(waiting.keySet())) ring(bell);
    }

    /** Rings a bell on these members. */
    void ring(Collection<UUID> members, String bell) {
        if (members.isEmpty()) return;
        for (Member member : engine.getCluster().getMembers()) {
            if (!members.contains(member.getUuid())) continue;
            if (member.localMember()) ring(bell);
            else ring(member, bell);
        }
    }

    private void ring(Member member, String bell) {
        try {
            // with a callback: without one the engine waits for the answer now and then
            others.submitToMember(new Wake(bell), member, NOBODY_ASKS);
        } catch (HazelcastException | RejectedExecutionException | IllegalStateException e) {
            // that member has left, or this one leaves
        }
    }

    private static final ExecutionCallback<Boolean> NOBODY_ASKS = new ExecutionCallback<>() {
        @Override
        public void onResponse(@Nullable Boolean response) {}

        @Override
        public void onFailure(Throwable t) {}
    };
}
