package org.trueasync.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
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
import org.trueasync.internal.cluster.Engine;
import org.trueasync.internal.cluster.EngineWaits;
import org.trueasync.internal.cluster.ObjectCodec;
import org.trueasync.internal.cluster.TaskHost;
import org.trueasync.internal.cluster.TaskSender;
import org.trueasync.internal.cluster.data.Shared;
import org.trueasync.internal.cluster.data.TopicEnd;
import org.trueasync.internal.cluster.data.Values;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.SchedulerProvider;

/**
 * This program as a member of a cluster: programs in several processes, on one machine or on many, that find each other
 * and share work. Each embeds the engine, Hazelcast; there is no server to install, and a member that is alone is a
 * cluster too.
 *
 * <p>A task runs in a coroutine on the other member's loop, and so does what it spawns. A task whose future is never
 * awaited runs to its end. If the future is cancelled, or all that have awaited it have given up, the task is cancelled
 * on its member. When a task ends, what it has spawned and not awaited is cancelled. A task is begun at most once; a
 * {@link RepeatableTask} that any member may run is perhaps begun more than once. Its future always ends: with the
 * task's outcome, or with an error that says whether it may have run.
 *
 * <p>A cluster belongs to the run in which it was joined, and is left when that ends. Only coroutines keep the run
 * alive, not the membership.
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

    private Cluster(ClusterConfig config, HazelcastInstance engine, TaskHost host, ObjectCodec codec) {
        this.config = config;
        this.engine = engine;
        this.host = host;
        sender = new TaskSender(engine, host);
        shared = new Shared(engine, new Values(codec));
        engine.getLifecycleService().addLifecycleListener(event -> {
            if (event.getState() == LifecycleEvent.LifecycleState.SHUTDOWN) hasLeft();
        });
        if (!engine.getLifecycleService().isRunning()) hasLeft();
    }

    /**
     * Ends the waits of {@link #awaitClosed} and {@link #awaitMembers}, those for shared objects, and subscriptions.
     * Any thread. Idempotent.
     */
    private void hasLeft() {
        left.complete(null);
        shared.left();
    }

    /**
     * Joins with the settings of the environment, see {@link ClusterConfig#fromEnvironment}; without any, this member
     * is alone until others come. Only this coroutine waits. If it is cancelled meanwhile, the member leaves again as
     * soon as it has joined.
     *
     * @throws IllegalArgumentException if the environment gives a port that is not 0 to 65535
     * @throws ClusterException if joining fails
     * @throws org.trueasync.AsyncException outside a coroutine
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled
     */
    public static Cluster join() {
        return join(ClusterConfig.fromEnvironment().build(), caller());
    }

    /**
     * Joins a cluster; only this coroutine waits. If it is cancelled meanwhile, the member leaves again as soon as it
     * has joined.
     *
     * @param config the settings
     * @throws ClusterException if joining fails: the port is taken, the address is not this machine's
     * @throws org.trueasync.AsyncException outside a coroutine
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled
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
        var codec = new ObjectCodec(new AllowedClasses(allowed), loader);
        var host = new TaskHost(Async.executor(), codec, config.taskLimit());
        var cluster = new Cluster(config, Engine.start(config, allowed, loader, host), host, codec);
        Cleanup.atEnd(cluster::close);
        return cluster;
    }

    // ---- members

    /**
     * Returns the members of the cluster, the oldest first.
     *
     * @throws IllegalStateException if this member has left the cluster
     */
    public List<ClusterMember> members() {
        return engine.getCluster().getMembers().stream().map(Cluster::member).toList();
    }

    /**
     * Waits until the cluster has at least {@code count} members; only this coroutine waits.
     *
     * @param count of members, this one included
     * @throws IllegalStateException if this member has left the cluster, or leaves it meanwhile
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled
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
            if (engine.getCluster().getMembers().size() >= count) return;
            EngineWaits.await(() -> CompletableFuture.anyOf(enough, left), null, "awaitMembers");
            if (!enough.isDone())
                throw new IllegalStateException("awaitMembers: this member has left its cluster meanwhile");
        } finally {
            stopListening(registration);
        }
    }

    private void stopListening(UUID registration) {
        try {
            engine.getCluster().removeMembershipListener(registration);
        } catch (HazelcastInstanceNotActiveException gone) {
            // and the listener with it
        }
    }

    /**
     * Returns this member.
     *
     * @throws IllegalStateException if it has left the cluster
     */
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
     * Returns the member that owns a key: the one on which the engine keeps the entry of that key in its maps. The
     * owner changes when members come and go, and for a moment two members may then give different answers.
     *
     * @param key a text, a number, or what else the engine can serialise
     * @throws ClusterException if this member has left the cluster
     */
    public ClusterMember ownerOf(Object key) {
        return member(sender.owner(Objects.requireNonNull(key, "key")));
    }

    // ---- tasks

    /**
     * Runs a task on the member that has the fewest unfinished tasks from this one; that may be this member. The
     * class's comment says how the task may end.
     *
     * @param task to run
     * @return its result, or an error: what it has thrown, as a {@link TaskFailedException}; a
     *     {@link MemberLostException} if its outcome is not known; a {@link TaskRefusedException} if it was not begun;
     *     a {@link ClusterException} if its result can't be read here, or if this member leaves the cluster meanwhile
     * @throws TaskRefusedException if it can't be serialised
     * @throws ClusterException if this member has left the cluster
     */
    public <T> Future<T> submit(ClusterTask<T> task) {
        return sender.toAny(Objects.requireNonNull(task, "task"));
    }

    /**
     * As {@link #submit}, on one member and no other. If that is not in the cluster, the task is refused.
     *
     * @param member one of {@link #members}
     * @param task to run
     */
    public <T> Future<T> submitTo(ClusterMember member, ClusterTask<T> task) {
        return sender.to(member.id(), member, Objects.requireNonNull(task, "task"));
    }

    /**
     * As {@link #submit}, on the member that owns a key, see {@link #ownerOf}: tasks with the same key run on the same
     * member, unless members come or go.
     *
     * @param key a text, a number, or what else the engine can serialise
     * @param task to run
     */
    public <T> Future<T> submitToOwner(Object key, ClusterTask<T> task) {
        return sender.toOwner(Objects.requireNonNull(key, "key"), Objects.requireNonNull(task, "task"));
    }

    /**
     * As {@link #submit}, on each member that there is now.
     *
     * @param task to run
     * @return one future for each, the oldest member first
     */
    public <T> Map<ClusterMember, Future<T>> submitToAll(ClusterTask<T> task) {
        var futures = new LinkedHashMap<ClusterMember, Future<T>>();
        for (ClusterMember member : members()) futures.put(member, submitTo(member, task));
        return futures;
    }

    /** Returns how many tasks of all members, this one included, are on this member now. Any thread. */
    public int taskCount() {
        return host.count();
    }

    // ---- shared objects

    /**
     * Returns a queue between members, which is made if there is none of that name. Waits for the member that keeps it.
     *
     * @param name all members that ask for it share it
     * @param capacity >= 1: how many values fit; the same on all members
     * @throws IllegalArgumentException if the capacity is below 1
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
     * Returns a map that all members share.
     *
     * @param name all members that ask for it share it
     */
    public <K, V> ClusterMap<K, V> map(String name) {
        return new ClusterMap<>(shared, Objects.requireNonNull(name, "name"), null);
    }

    /**
     * Returns a lock that one coroutine of one member holds at a time.
     *
     * @param name all members that ask for it share it
     */
    public ClusterLock lock(String name) {
        return new ClusterLock(shared.lock(Objects.requireNonNull(name, "name")), name);
    }

    /**
     * Returns a topic, whose messages reach all members that listen.
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

    /**
     * Leaves the cluster. Cancels the tasks on this member, and waits for at most 5 s until their callers are told.
     * Then waits until other members have taken over what this one kept. A pending cancellation does not prevent that;
     * the next wait throws it. A second call returns at once.
     */
    @Override
    public void close() {
        if (closed) return;
        closed = true;
        host.close();
        // even if a cancellation is pending: the engine would not be stopped later
        SchedulerProvider.get().shield(() -> {
            shared.end(LAST_ANSWERS);
            // callers are told meanwhile, unless a task computes without an end
            long limit = System.nanoTime() + LAST_ANSWERS.toNanos();
            while (host.count() > 0 && System.nanoTime() - limit < 0) Async.delay(1);
            Engine.stop(engine);
            return true;
        });
        hasLeft();
    }

    /**
     * Waits until this member has left the cluster, or its engine has stopped by itself: for a program that only runs
     * the tasks of others.
     *
     * @throws org.trueasync.AsyncCancellation if this coroutine was cancelled
     */
    public void awaitClosed() {
        EngineWaits.await(() -> left, null, "awaitClosed");
    }

    /**
     * Returns the engine itself, for what this class does not offer. Its calls that wait hold the loop; those that
     * return a {@code CompletionStage} can be awaited.
     */
    public HazelcastInstance engine() {
        return engine;
    }

    @Override
    public String toString() {
        return "cluster '" + config.name() + "' ("
                + (isClosed() ? "left" : self() + " of " + members().size()) + ")";
    }
}
