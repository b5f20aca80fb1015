package org.trueasync.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Future;
import org.trueasync.internal.cluster.AllowedClasses;
import org.trueasync.internal.cluster.Carrier;
import org.trueasync.internal.cluster.Engine;
import org.trueasync.internal.cluster.EngineWaits;
import org.trueasync.internal.cluster.TaskHost;
import org.trueasync.internal.cluster.TaskSender;
import org.trueasync.internal.cluster.data.Shared;
import org.trueasync.internal.cluster.data.TopicEnd;
import org.trueasync.internal.cluster.data.Values;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.SchedulerProvider;

/**
 * This program as a member of a cluster: programs in several processes, on one machine or on many, that find each other and share work. Each embeds the
 * engine, Hazelcast; there is no server to install, and a member that is alone is a cluster too.
 *
 * <p>A task runs in a coroutine on the other member's loop, and with it what it spawns. Nobody has to wait for its future, then it just runs. Once somebody has waited for it and
 * nobody does any more, or when the future is cancelled, the task is cancelled over there; what it has spawned and not awaited is cancelled when it ends. It is begun at most
 * once, a {@link RepeatableTask} at least once; and its future always ends: with its outcome, or with an error that says whether it may have run.
 *
 * <p>A cluster belongs to the run in which it was joined, and is left when that ends. It keeps the run no longer alive than its coroutines do.
 *
 * <p>Loop thread only, except {@code members}, {@code self}, {@code engine}, {@code taskCount} and {@code isClosed}.
 */
public final class Cluster implements AutoCloseable {
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

    private final ClusterConfig config;
    private final HazelcastInstance engine;
    private final CompletableFuture<@Nullable Void> left = new CompletableFuture<>();
    private final TaskHost host;
    private final TaskSender sender;
    private final Shared shared;
    private boolean closed;

    private Cluster(ClusterConfig config, HazelcastInstance engine, TaskHost host, Carrier carrier) {
        this.config = config;
        this.engine = engine;
        this.host = host;
        sender = new TaskSender(engine, host);
        shared = new Shared(engine, new Values(carrier));
        engine.getLifecycleService().addLifecycleListener(event -> {
            if (event.getState() == LifecycleEvent.LifecycleState.SHUTDOWN) hasLeft();
        });
        if (!engine.getLifecycleService().isRunning()) hasLeft();
    }

    /** Any thread; again does nothing. */
    private void hasLeft() {
        left.complete(null);
        shared.left();
    }

    /**
     * Joins with what the environment says, see {@link ClusterConfig#fromEnvironment}; with nothing said, this member is alone until others come. Only
     * this coroutine waits.
     *
     * @throws ClusterException if that fails
     */
    public static Cluster join() {
        return join(ClusterConfig.fromEnvironment().build(), caller());
    }

    /**
     * Joins a cluster; only this coroutine waits. If it is cancelled meanwhile, the member leaves again as soon as it is there.
     *
     * @param config how
     * @throws ClusterException if that fails: the port is taken, the address is not this machine's
     */
    public static Cluster join(ClusterConfig config) {
        return join(Objects.requireNonNull(config, "config"), caller());
    }

    private static Class<?> caller() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(type -> type != Cluster.class)
                        .findFirst()
                        .orElse(Cluster.class));
    }

    private static Cluster join(ClusterConfig config, Class<?> caller) {
        Async.currentCoroutine(); // or an error that names Async.run
        List<String> allowed = config.allowed();
        if (allowed.isEmpty())
            allowed = List.of(caller.getPackageName().isEmpty() ? caller.getName() : caller.getPackageName() + ".");
        ClassLoader loader = caller.getClassLoader();
        var carrier = new Carrier(new AllowedClasses(allowed), loader);
        var host = new TaskHost(Async.executor(), carrier, config.taskLimit());
        var cluster = new Cluster(config, Engine.start(config, allowed, loader, host), host, carrier);
        Cleanup.atEnd(cluster::close);
        return cluster;
    }

    // ---- members

    /** Who is in the cluster, the oldest first. */
    public List<ClusterMember> members() {
        return engine.getCluster().getMembers().stream().map(Cluster::member).toList();
    }

    /**
     * Waits until there are as many members; only this coroutine does.
     *
     * @param count this one included
     */
    public void awaitMembers(int count) {
        var enough = new CompletableFuture<@Nullable Void>();
        UUID registration = engine.getCluster().addMembershipListener(new MembershipAdapter() {
            @Override
            public void memberAdded(MembershipEvent event) {
                if (event.getMembers().size() >= count) enough.complete(null);
            }
        });
        try {
            if (engine.getCluster().getMembers().size() < count) EngineWaits.await(() -> enough, null, "awaitMembers");
        } finally {
            engine.getCluster().removeMembershipListener(registration);
        }
    }

    /** This member. */
    public ClusterMember self() {
        return member(engine.getCluster().getLocalMember());
    }

    private static ClusterMember member(Member member) {
        return new ClusterMember(
                member.getUuid(),
                member.getAddress().getHost(),
                member.getAddress().getPort());
    }

    /**
     * The member that owns a key: where the engine keeps the entry of that key in its maps. It changes when members come and go, and for a moment
     * two members may then give different answers.
     *
     * @param key a text, a number, or what else the engine can serialise
     */
    public ClusterMember ownerOf(Object key) {
        return member(sender.owner(Objects.requireNonNull(key, "key")));
    }

    // ---- tasks

    /**
     * Has a task run by some member, this one included: the one that has the fewest tasks of this member. See the class's comment for what becomes of it.
     *
     * @param task what
     * @return its result, or what it has thrown as a {@link TaskFailedException}; {@link MemberLostException} if nobody knows; {@link
     *     TaskRefusedException} if it was not begun
     * @throws TaskRefusedException if it can't be serialised
     */
    public <T> Future<T> submit(ClusterTask<T> task) {
        return sender.toAny(Objects.requireNonNull(task, "task"));
    }

    /**
     * As {@link #submit}, by one member and no other.
     *
     * @param member one of {@link #members}
     * @param task what
     */
    public <T> Future<T> submitTo(ClusterMember member, ClusterTask<T> task) {
        return sender.to(member.id(), member, Objects.requireNonNull(task, "task"));
    }

    /**
     * As {@link #submit}, by the member that owns a key, see {@link #ownerOf}: tasks with the same key run on the same member, as long as members do not come or go.
     *
     * @param key a text, a number, or what else the engine can serialise
     * @param task what
     */
    public <T> Future<T> submitToOwner(Object key, ClusterTask<T> task) {
        return sender.toOwner(Objects.requireNonNull(key, "key"), Objects.requireNonNull(task, "task"));
    }

    /**
     * As {@link #submit}, by each member that there is now.
     *
     * @param task what
     * @return one future for each, the oldest member first
     */
    public <T> Map<ClusterMember, Future<T>> submitToAll(ClusterTask<T> task) {
        var futures = new LinkedHashMap<ClusterMember, Future<T>>();
        for (ClusterMember member : members()) futures.put(member, submitTo(member, task));
        return futures;
    }

    /** How many tasks of members, this one included, are here now. Any thread. */
    public int taskCount() {
        return host.count();
    }

    // ---- what is shared

    /**
     * A queue between members, which is made if there is none of that name. Waits for the member that keeps it.
     *
     * @param name all members that ask for it share it
     * @param capacity >= 1: how many values can be sent ahead; the same everywhere
     * @throws ClusterException if there is one with another capacity, or this member has left the cluster
     */
    public <T extends @Nullable Object> ClusterChannel<T> channel(String name, int capacity) {
        if (capacity < 1) throw new IllegalArgumentException("capacity must be >= 1, got " + capacity);
        return new ClusterChannel<>(shared.channel(Objects.requireNonNull(name, "name"), capacity));
    }

    /**
     * As {@link #channel(String, int)}, for 16 values.
     *
     * @param name all members that ask for it share it
     */
    public <T extends @Nullable Object> ClusterChannel<T> channel(String name) {
        return channel(name, 16);
    }

    /**
     * A map that all members share.
     *
     * @param name all members that ask for it share it
     */
    public <K, V> ClusterMap<K, V> map(String name) {
        return new ClusterMap<>(shared, Objects.requireNonNull(name, "name"), null);
    }

    /**
     * A lock that one coroutine of one member holds at a time.
     *
     * @param name all members that ask for it share it
     */
    public ClusterLock lock(String name) {
        return new ClusterLock(shared.lock(Objects.requireNonNull(name, "name")), name);
    }

    /**
     * A topic: tells all members that listen.
     *
     * @param name all members that ask for it share it
     */
    public <T extends @Nullable Object> ClusterTopic<T> topic(String name) {
        return new ClusterTopic<>(new TopicEnd(shared, Objects.requireNonNull(name, "name")));
    }

    // ---- the end

    /** True once {@link #close} has begun, or the engine has stopped by itself. */
    public boolean isClosed() {
        return host.isClosing() || !engine.getLifecycleService().isRunning();
    }

    /** Leaves the cluster: tasks of others that are here are cancelled, which their callers are told; waits until others have taken over what this member kept for all. A cancellation that is due does not prevent that; the next wait throws it. Idempotent. */
    @Override
    public void close() {
        if (closed) return;
        closed = true;
        host.close();
        // whatever is due: nobody would end the engine later
        SchedulerProvider.get().shield(() -> {
            shared.end(LAST_ANSWERS);
            // their callers are told, unless they compute without an end
            long limit = System.nanoTime() + LAST_ANSWERS.toNanos();
            while (host.count() > 0 && System.nanoTime() - limit < 0) Async.delay(1);
            Engine.stop(engine);
            return true;
        });
        hasLeft();
    }

    /** Waits until this member has left the cluster, or its engine has stopped by itself: for a program that only runs the tasks of others. */
    public void awaitClosed() {
        EngineWaits.await(() -> left, null, "awaitClosed");
    }

    /** The engine itself, for what is not here. Its calls that wait hold the loop; those that return a {@code CompletionStage} can be awaited. */
    public HazelcastInstance engine() {
        return engine;
    }

    @Override
    public String toString() {
        return "cluster '" + config.name() + "' ("
                + (isClosed() ? "left" : self() + " of " + members().size()) + ")";
    }
}
