package org.trueasync.internal.cluster;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.internal.services.ManagedService;
import com.hazelcast.internal.services.MembershipAwareService;
import com.hazelcast.internal.services.MembershipServiceEvent;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of others on this member, as a service of the engine's. Its calls come on the engine's threads and only hand over to the loop. Each task that comes gets exactly one
 * answer.
 */
public final class TaskHost implements ManagedService, MembershipAwareService {
    static final String SERVICE = "trueasync:tasks";
    /** Cancellations that came before their tasks, or after their ends; as many are kept. */
    private static final int EARLY = 10_000;

    private final Executor loop;
    private final Carrier carrier;
    private final int limit;
    private final ConcurrentHashMap<TaskKey, Visit> visits = new ConcurrentHashMap<>();

    private final Map<TaskKey, Boolean> early = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskKey, Boolean> eldest) {
            return size() > EARLY;
        }
    });

    private volatile @Nullable NodeEngine engine;
    private volatile boolean closing;

    /**
     * A host.
     *
     * @param loop runs what comes in coroutines
     * @param carrier reads tasks
     * @param limit how many tasks at once
     */
    public TaskHost(Executor loop, Carrier carrier, int limit) {
        this.loop = loop;
        this.carrier = carrier;
        this.limit = limit;
    }

    @Override
    public void init(NodeEngine nodeEngine, Properties properties) {
        engine = nodeEngine;
    }

    /** The engine's inside. */
    NodeEngine engine() {
        return Objects.requireNonNull(engine, "the engine has not begun");
    }

    Carrier carrier() {
        return carrier;
    }

    Executor loop() {
        return loop;
    }

    /** True once it takes no more tasks. Any thread. */
    public boolean isClosing() {
        return closing;
    }

    /** How many tasks of others are here. Any thread. */
    public int count() {
        return visits.size();
    }

    // ---- the engine's threads

    void begin(RunTask operation) {
        if (closing) {
            operation.sendResponse(Answer.leftAlready());
            return;
        }
        if (visits.size() >= limit) {
            operation.sendResponse(Answer.refused("it has " + limit + " tasks, which is its taskLimit"));
            return;
        }
        var visit = new Visit(this, operation);
        visits.put(operation.key(), visit);
        // it is to be here before this is asked: whoever closes, or cancels, looks at what is here afterwards
        if (early.remove(operation.key()) != null || closing) visit.withdraw();
        try {
            loop.execute(visit);
        } catch (RejectedExecutionException e) {
            ended(visit, Answer.leftAlready());
        }
    }

    void cancel(TaskKey key) {
        Visit visit = visits.get(key);
        if (visit == null) {
            early.put(key, true);
            visit = visits.get(key);
            if (visit == null) return;
            early.remove(key);
        }
        visit.withdraw();
    }

    @Override
    public void memberAdded(MembershipServiceEvent event) {}

    /** Nobody waits for the tasks of one that is gone. */
    @Override
    public void memberRemoved(MembershipServiceEvent event) {
        UUID gone = event.getMember().getUuid();
        withdraw(key -> key.caller().equals(gone));
    }

    /** After a split brain: this member joins the others as a new one. */
    @Override
    public void reset() {
        withdraw(key -> true);
    }

    /** Also if the engine stops by itself: whoever waits here for a task's end would wait in vain. */
    @Override
    public void shutdown(boolean terminate) {
        close();
    }

    private void withdraw(Predicate<TaskKey> which) {
        visits.forEach((key, visit) -> {
            if (which.test(key)) visit.withdraw();
        });
    }

    /** Takes no more tasks, and cancels those that are here; their callers are told, if they can be. Any thread. */
    public void close() {
        closing = true;
        withdraw(key -> true);
    }

    // ---- the loop

    void ended(Visit visit, byte[] answer) {
        visits.remove(visit.key());
        try {
            visit.operation().sendResponse(answer);
        } catch (HazelcastInstanceNotActiveException e) {
            // the engine has stopped by itself: its members tell callers that this one is gone
        }
    }
}
