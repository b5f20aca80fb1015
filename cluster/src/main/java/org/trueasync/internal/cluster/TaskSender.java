package org.trueasync.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LocalMemberResetException;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.exception.CallerNotMemberException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.OperationService;
import com.hazelcast.spi.impl.operationservice.impl.InvocationFuture;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Future;
import org.trueasync.cluster.ClusterException;
import org.trueasync.cluster.ClusterMember;
import org.trueasync.cluster.ClusterTask;
import org.trueasync.cluster.MemberLostException;
import org.trueasync.cluster.RepeatableTask;
import org.trueasync.cluster.TaskRefusedException;
import org.trueasync.spi.ContextPropagator;

/** Sends tasks to members, and tells how they have ended. Loop thread only. */
public final class TaskSender {
    private final HazelcastInstance engine;
    private final TaskHost host;
    private final OperationService operations;
    /** How many tasks of this member each member has now, in an array of one element. */
    private final Map<UUID, int[]> underWay = new HashMap<>();

    private long sent;
    private int turn;

    /**
     * A sender.
     *
     * @param engine this member
     * @param host its service
     */
    public TaskSender(HazelcastInstance engine, TaskHost host) {
        this.engine = engine;
        this.host = host;
        operations = host.engine().getOperationService();
    }

    // ---- targets

    /**
     * Sends a task to the member that has the fewest unfinished tasks from this one. If that member leaves before it
     * has begun the task, sends it to another one.
     *
     * @param task to run
     */
    public <T> Future<T> toAny(ClusterTask<T> task) {
        return send(task, this::leastBusy, true);
    }

    /**
     * Sends a task to one member and no other.
     *
     * @param id of the member
     * @param shown the member, for messages
     * @param task to run
     */
    public <T> Future<T> to(UUID id, ClusterMember shown, ClusterTask<T> task) {
        return send(task, () -> member(id, shown), false);
    }

    /**
     * Sends a task to the member that owns the key now. If that member leaves before it has begun the task, sends it to
     * the next owner.
     *
     * @param key any that the engine can serialise
     * @param task to run
     */
    public <T> Future<T> toOwner(Object key, ClusterTask<T> task) {
        return send(task, () -> owner(key), true);
    }

    /**
     * Returns the member that owns a key now.
     *
     * @param key any that the engine can serialise
     */
    public Member owner(Object key) {
        requireOpen();
        Member owner = engine.getPartitionService().getPartition(key).getOwner();
        // No owner yet: the first member assigns all keys when it is first asked.
        return owner != null ? owner : engine.getCluster().getLocalMember();
    }

    private Member member(UUID id, ClusterMember shown) {
        for (Member member : engine.getCluster().getMembers())
            if (member.getUuid().equals(id)) return member;
        throw new NotBegunException(shown + " is not in the cluster; the task was not sent", null);
    }

    private Member leastBusy() {
        Member[] members = engine.getCluster().getMembers().toArray(new Member[0]);
        Member best = null;
        int least = Integer.MAX_VALUE;
        int first = turn++; // equally busy members take turns
        for (int i = 0; i < members.length; i++) {
            Member member = members[Math.floorMod(first + i, members.length)];
            int busy = count(member)[0];
            if (busy < least) {
                best = member;
                least = busy;
            }
        }
        if (best == null) throw new ClusterException("the cluster has no member");
        return best;
    }

    private int[] count(Member member) {
        return underWay.computeIfAbsent(member.getUuid(), id -> new int[1]);
    }

    // ---- sending

    private <T> Future<T> send(ClusterTask<T> task, Target target, boolean isMovable) {
        requireOpen();
        byte[] bytes;
        try {
            bytes = ObjectCodec.write(0, task);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw new TaskRefusedException("the task can't be serialised: " + Refusals.reason(e), e);
        }
        var key = new TaskKey(engine.getCluster().getLocalMember().getUuid(), ++sent);
        var call = new TaskCall<T>(
                this, key, bytes, ContextPropagator.callersText(), target, isMovable, task instanceof RepeatableTask);
        try {
            call.send();
        } catch (ClusterException e) {
            call.completeExceptionally(e);
        }
        return Future.from(call, reason -> call.withdraw());
    }

    /** Sends a task once. {@code then} gets the answer or the engine's error, in a coroutine. */
    void send(RunTask task, Member to, BiConsumer<byte @Nullable [], @Nullable Throwable> then) {
        int[] busy = count(to);
        busy[0]++;
        InvocationFuture<byte[]> answer;
        try {
            answer = operations
                    .createInvocationBuilder(TaskHost.SERVICE, task, to.getAddress())
                    .setTryCount(1)
                    // also to this member: on the caller's thread the task would belong to the caller's scope
                    .setAsync()
                    .invoke();
        } catch (RuntimeException e) {
            busy[0]--;
            throw new ClusterException("the task was not sent to " + shown(to) + ": " + e.getMessage(), e);
        }
        var _ = answer.whenCompleteAsync(
                (bytes, thrown) -> onLoop(() -> {
                    if (--busy[0] == 0) underWay.remove(to.getUuid(), busy);
                    then.accept(bytes, thrown);
                }),
                Runnable::run);
    }

    private void onLoop(Runnable action) {
        try {
            host.loop().execute(action);
        } catch (RejectedExecutionException e) {
            // the run has ended: nothing waits any more
        }
    }

    void sendWithoutAnswer(Operation operation, Member to) {
        if (to.localMember())
            operations.execute(operation.setNodeEngine(host.engine()).setService(host));
        else operations.send(operation, to.getAddress());
    }

    // ---- outcomes

    ObjectCodec codec() {
        return host.codec();
    }

    ClusterMember shown(Member member) {
        return new ClusterMember(
                member.getUuid(),
                member.getAddress().getHost(),
                member.getAddress().getPort());
    }

    void requireOpen() {
        if (host.isClosing() || !engine.getLifecycleService().isRunning())
            throw new ClusterException("this member has left its cluster; join again");
    }

    /** Returns an error that says what is known of a task for which the engine has no answer. */
    RuntimeException translate(ClusterMember at, @Nullable Throwable thrown) {
        Throwable error =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (error instanceof CallerNotMemberException)
            return new NotBegunException(
                    at + " does not know this member as one of its cluster; the task was not begun", error, true);
        if (error instanceof TargetNotMemberException)
            return new NotBegunException(at + " is not in the cluster; the task was not begun", error);
        if (error instanceof MemberLeftException)
            return new MemberLostException(
                    at, at + " was lost while it had the task, which may have run or not", error);
        if (error instanceof LocalMemberResetException)
            return new MemberLostException(
                    at,
                    "this member was apart from the others, and lost its task on " + at + ", which may have run or not",
                    error);
        if (error instanceof OperationTimeoutException)
            return new MemberLostException(
                    at, at + " gives no sign of the task within the engine's time; it may have run or not", error);
        if (error instanceof HazelcastInstanceNotActiveException) {
            if (engine.getLifecycleService().isRunning() && !host.isClosing())
                return new NotBegunException(at + " leaves the cluster, and has not begun the task", error);
            return new ClusterException(
                    "this member has left its cluster while its task was on " + at + "; it may have run or not", error);
        }
        if (error instanceof HazelcastSerializationException)
            return new TaskRefusedException(
                    at + " does not take tasks; does it run the same version of TrueAsync?", error);
        return new MemberLostException(
                at, "the connection to " + at + " failed, and its task may have run or not: " + error, error);
    }
}
