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
 * Wakes waiters, here and on other members, so that they call the keeper again. A wake-up that is lost, with a member
 * or on its way, only costs time: a waiter calls again every second.
 *
 * <p>Any thread.
 */
final class WakeUps {
    static final String KEY = "org.trueasync.bells";

    private final HazelcastInstance engine;
    private final IExecutorService others;
    private final ConcurrentMap<String, CompletableFuture<Boolean>> waiting = new ConcurrentHashMap<>();

    WakeUps(HazelcastInstance engine) {
        this.engine = engine;
        others = engine.getExecutorService(SharedConfig.WAKE_UPS);
        engine.getUserContext().put(KEY, this);
    }

    /** Returns a future that completes with the next wake-up. */
    CompletableFuture<Boolean> listen(String key) {
        return waiting.computeIfAbsent(key, unknown -> new CompletableFuture<>());
    }

    /** Forgets a future of {@link #listen} that is not needed any more. */
    void stopListening(String key, CompletableFuture<Boolean> wakeUp) {
        waiting.remove(key, wakeUp);
    }

    /** Wakes those who wait for a key on this member. */
    void wake(String key) {
        CompletableFuture<Boolean> wakeUp = waiting.remove(key);
        if (wakeUp != null) wakeUp.complete(true);
    }

    /** Wakes all waiters on this member. */
    void wakeAll() {
        for (String key : List.copyOf(waiting.keySet())) wake(key);
    }

    /** Wakes those who wait for a key on these members. */
    void wake(Collection<UUID> members, String key) {
        if (members.isEmpty()) return;
        for (Member member : engine.getCluster().getMembers()) {
            if (!members.contains(member.getUuid())) continue;
            if (member.localMember()) wake(key);
            else wake(member, key);
        }
    }

    private void wake(Member member, String key) {
        try {
            // with a callback: without one the engine waits for the answer now and then
            others.submitToMember(new WakeUp(key), member, IGNORE_ANSWER);
        } catch (HazelcastException | RejectedExecutionException | IllegalStateException e) {
            // that member has left, or this one leaves
        }
    }

    private static final ExecutionCallback<Boolean> IGNORE_ANSWER = new ExecutionCallback<>() {
        @Override
        public void onResponse(@Nullable Boolean response) {}

        @Override
        public void onFailure(Throwable t) {}
    };
}
