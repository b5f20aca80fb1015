package org.trueasync.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.io.Serializable;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.internal.cluster.EngineWaits;
import org.trueasync.internal.cluster.data.MapCall;
import org.trueasync.internal.cluster.data.MapEvents;
import org.trueasync.internal.cluster.data.MapKeys;
import org.trueasync.internal.cluster.data.Shared;

/**
 * A map that all members share: the engine's {@code IMap}, spread over them, each entry with a copy on a second member.
 * Every call waits for the member that owns the entry, and only the calling coroutine waits. A cancelled or abandoned
 * wait does not stop its call: the call has taken effect, or will.
 *
 * <p>If the owner dies in the middle of a call, the engine asks the member that has the copy. A call that was done
 * already is then done again. With {@code put}, {@code remove} and their conditional forms only the returned value
 * shows that: {@link #replace(Object, Object, Object)} may return false although it has replaced. A {@link #compute}
 * function may be applied twice; one that returns what it finds, if that is its own work, tells for certain.
 *
 * <p>Keys and values are {@link Serializable}, never null, and kept serialised; keys are the same if their bytes are.
 * The engine reads them with a filter for the classes that the member allows.
 *
 * <p>Each call that waits throws a {@link ClusterException} if this member has left the cluster, if something can't be
 * serialised or read, or if the engine has no answer in its time; and an {@link org.trueasync.AsyncCancellation} if the
 * coroutine was cancelled.
 *
 * <p>Loop thread only, except {@code engineMap} and {@code name}.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class ClusterMap<K, V> {
    private static final int BACKLOG = 1_000;

    private final Shared shared;
    private final String name;
    private final @Nullable Completable<?> token;

    ClusterMap(Shared shared, String name, @Nullable Completable<?> token) {
        this.shared = shared;
        this.name = name;
        this.token = token;
    }

    /**
     * Makes a value from the one before, on the member that owns the entry: see {@link #compute}.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     */
    @FunctionalInterface
    public interface Update<K, V> extends Serializable {
        /**
         * Returns the new value.
         *
         * @param key of the entry
         * @param before null if there is no entry
         * @return null to have none
         */
        @Nullable
        V apply(K key, @Nullable V before);
    }

    /**
     * Returns this map with waits that give up when the token ends: {@code map.until(timeout(100)).get(key)}. Such a
     * wait throws an {@link org.trueasync.OperationCanceledException}. If the token has ended already, the call is not
     * made.
     *
     * @param cancellation the token
     */
    public ClusterMap<K, V> until(Completable<?> cancellation) {
        return new ClusterMap<>(shared, name, Objects.requireNonNull(cancellation, "cancellation"));
    }

    // ---- entries

    /**
     * Returns the value.
     *
     * @param key any
     * @return null if there is none
     */
    public @Nullable V get(K key) {
        return await(map -> map.getAsync(key));
    }

    /**
     * True if there is an entry.
     *
     * @param key any
     */
    public boolean containsKey(K key) {
        return get(key) != null;
    }

    /**
     * Puts a value.
     *
     * @param key any
     * @param value any
     * @return the value before, null if there was none
     */
    public @Nullable V put(K key, V value) {
        return await(map -> map.putAsync(key, value));
    }

    /**
     * Puts a value without asking for the one before, which costs less than {@link #put}.
     *
     * @param key any
     * @param value any
     */
    public void set(K key, V value) {
        await(map -> map.setAsync(key, value));
    }

    /**
     * Removes the entry.
     *
     * @param key any
     * @return the value before, null if there was none
     */
    public @Nullable V remove(K key) {
        return await(map -> map.removeAsync(key));
    }

    /**
     * Removes the entry if it has this value.
     *
     * @param key any
     * @param expected compared by {@link java.util.Objects#deepEquals}, on the owner
     * @return true if it was removed
     */
    public boolean remove(K key, V expected) {
        return Boolean.TRUE.equals(change(key, MapCall.Change.REMOVE_IF, expected, null));
    }

    /**
     * Puts a value if there is none.
     *
     * @param key any
     * @param value any
     * @return the value that is there, null if this one was put
     */
    public @Nullable V putIfAbsent(K key, V value) {
        return value(change(key, MapCall.Change.PUT_IF_ABSENT, value, null));
    }

    /**
     * Puts a value if there is one.
     *
     * @param key any
     * @param value any
     * @return the value before, null if there was none, and there is none now
     */
    public @Nullable V replace(K key, V value) {
        return value(change(key, MapCall.Change.REPLACE, value, null));
    }

    /**
     * Puts a value in place of an expected one.
     *
     * @param key any
     * @param expected compared by {@link java.util.Objects#deepEquals}, on the owner
     * @param value any
     * @return true if it was put
     */
    public boolean replace(K key, V expected, V value) {
        return Boolean.TRUE.equals(change(key, MapCall.Change.REPLACE_IF, expected, value));
    }

    /**
     * Puts what a function makes of the value, in one step: no other call sees or changes the entry in between. The
     * function travels to the owner, and runs there on the engine's thread, in no coroutine: it must be quick, and must
     * not wait. If the owner dies it may be applied again.
     *
     * @param key any
     * @param update a lambda that captures only what is serialisable
     * @return what it has made
     */
    public @Nullable V compute(K key, Update<K, V> update) {
        return value(change(key, MapCall.Change.COMPUTE, update, null));
    }

    @SuppressWarnings("unchecked") // of this map
    private @Nullable V value(@Nullable Object result) {
        return (V) result;
    }

    private @Nullable Object change(K key, MapCall.Change change, Object first, @Nullable Object second) {
        return await(map -> map.submitToKey(key, new MapCall<>(change, Objects.requireNonNull(first), second)));
    }

    // ---- all entries

    /**
     * Goes over the keys of the entries on all members, in no order; {@code hasNext} waits. Keys come in batches, so
     * the map may be larger than the memory of a member. Values do not come: {@link #get} asks for those that are
     * wanted.
     *
     * <p>A key that has an entry from the beginning to the end comes once, also if members join or leave meanwhile. One
     * whose entry is put or removed meanwhile comes once or not at all; the caller may remove entries as it goes.
     *
     * <p>{@code next} throws a {@link ClusterException} if a key can't be read here; the iteration can go on behind it.
     */
    public Iterable<K> keys() {
        return () -> new MapKeys<>(shared, name, token, what());
    }

    /** Returns how many entries there are, on all members. */
    public int size() {
        return EngineWaits.await(() -> MapEvents.onHelper(() -> engineMap().size()), token, what());
    }

    /** Removes all entries. */
    public void clear() {
        EngineWaits.await(
                () -> MapEvents.onHelper(() -> {
                    engineMap().clear();
                    return true;
                }),
                token,
                what());
    }

    // ---- changes

    /** As {@link #changes(int, Overflow)}: a backlog of 1,000, and {@link Overflow#FAIL}. */
    public ClusterSubscription<MapChange<K, V>> changes() {
        return changes(BACKLOG, Overflow.FAIL);
    }

    /**
     * Subscribes to the changes that any member makes to this map from now on. The changes of one key come in their
     * order; those of different keys may come in another order than they were made. {@link #clear} is not reported.
     * Waits until the engine has the subscription.
     *
     * @param backlog how many changes may wait here, >= 1
     * @param overflow what happens to further ones
     * @throws IllegalArgumentException if the backlog is below 1
     */
    public ClusterSubscription<MapChange<K, V>> changes(int backlog, Overflow overflow) {
        return new ClusterSubscription<>(
                MapEvents.<K, V>feed(shared, name, what(), backlog, overflow == Overflow.DROP));
    }

    /**
     * Calls back with each change from now on, one after another, in a coroutine of the caller's scope; a cancellation
     * of the coroutine ends the calls.
     *
     * @param callback may wait; up to 1,000 changes wait meanwhile, with one more the coroutine fails
     */
    public Coroutine<?> onChange(Consumer<? super MapChange<K, V>> callback) {
        ClusterSubscription<MapChange<K, V>> changes = changes();
        return Async.spawn(() -> {
            try (changes) {
                for (MapChange<K, V> change : changes) callback.accept(change);
            }
        });
    }

    // ---- about it

    /**
     * Returns the engine's own map, for what this class does not offer: queries, indexes, expiry. Its calls that wait
     * hold the loop.
     */
    public IMap<K, V> engineMap() {
        HazelcastInstance engine = shared.engine();
        return engine.getMap(name);
    }

    /** Returns its name, which is the same on all members. */
    public String name() {
        return name;
    }

    private <R extends @Nullable Object> R await(Function<IMap<K, V>, CompletionStage<R>> call) {
        return EngineWaits.await(() -> call.apply(engineMap()), token, what());
    }

    private String what() {
        return "cluster map '" + name + "'";
    }

    @Override
    public String toString() {
        return what();
    }
}
