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
 * The tasks on this member, as a service of the engine. The engine calls it on its threads; these calls only hand over
 * to the loop. Each task that comes gets exactly one answer.
 */
public final class TaskHost implements ManagedService, MembershipAwareService {
    static final String SERVICE = "trueasync:tasks";
    /** How many cancellations are kept that came before their tasks, or after their ends. */
    private static final int MAX_EARLY = 10_000;

    private final Executor loop;
    private final ObjectCodec codec;
    private final int limit;
    private final ConcurrentHashMap<TaskKey, HostedTask> tasks = new ConcurrentHashMap<>();

    private final Map<TaskKey, Boolean> cancelledEarly = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskKey, Boolean> eldest) {
            return size() > MAX_EARLY;
        }
    });

    private volatile @Nullable NodeEngine engine;
    private volatile boolean closing;

    /**
     * A host.
     *
     * @param loop runs each action in a coroutine
     * @param codec reads tasks
     * @param limit how many tasks at once
     */
    public TaskHost(Executor loop, ObjectCodec codec, int limit) {
        this.loop = loop;
        this.codec = codec;
        this.limit = limit;
    }

    @Override
    public void init(NodeEngine nodeEngine, Properties properties) {
        engine = nodeEngine;
        closing = false; // an engine that was not let in has shut it down
    }

    /** Returns the engine's internal interface. */
    NodeEngine engine() {
        return Objects.requireNonNull(engine, "the engine has not begun");
    }

    ObjectCodec codec() {
        return codec;
    }

    Executor loop() {
        return loop;
    }

    /** True once it takes no more tasks. Any thread. */
    public boolean isClosing() {
        return closing;
    }

    /** Returns how many tasks are here, whoever sent them. Any thread. */
    public int count() {
        return tasks.size();
    }

    // ---- on the engine's threads

    void begin(RunTask operation) {
        if (closing) {
            operation.sendResponse(Answer.leftAlready());
            return;
        }
        if (tasks.size() >= limit) {
            operation.sendResponse(Answer.refused("it has " + limit + " tasks, which is its taskLimit"));
            return;
        }
        var task = new HostedTask(this, operation);
        tasks.put(operation.key(), task);
        // Checked after the task is in the map: close and cancel set their mark before they read the map.
        if (cancelledEarly.remove(operation.key()) != null || closing) task.withdraw();
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            ended(task, Answer.leftAlready());
        }
    }

    void cancel(TaskKey key) {
        HostedTask task = tasks.get(key);
        if (task == null) {
            cancelledEarly.put(key, true);
            task = tasks.get(key);
            if (task == null) return;
            cancelledEarly.remove(key);
        }
        task.withdraw();
    }

    @Override
    public void memberAdded(MembershipServiceEvent event) {}

    /** Cancels the tasks of a member that is gone. */
    @Override
    public void memberRemoved(MembershipServiceEvent event) {
        UUID gone = event.getMember().getUuid();
        withdraw(key -> key.caller().equals(gone));
    }

    /** Cancels all tasks after a split brain, as this member joins the others as a new one. */
    @Override
    public void reset() {
        withdraw(key -> true);
    }

    /** Cancels all tasks, also if the engine stops by itself: their callers can get no answer any more. */
    @Override
    public void shutdown(boolean terminate) {
        close();
    }

    private void withdraw(Predicate<TaskKey> which) {
        tasks.forEach((key, task) -> {
            if (which.test(key)) task.withdraw();
        });
    }

    /**
     * Refuses further tasks, and cancels those that are here; their callers are told if the engine still runs. Any
     * thread.
     */
    public void close() {
        closing = true;
        withdraw(key -> true);
    }

    // ---- on the loop, or on any thread once the run has ended

    void ended(HostedTask task, byte[] answer) {
        tasks.remove(task.key());
        try {
            task.operation().sendResponse(answer);
        } catch (HazelcastInstanceNotActiveException e) {
            // the engine has stopped by itself: the other members tell callers that this one is gone
        }
    }
}
