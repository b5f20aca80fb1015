package org.trueasync.internal.cluster.data;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.EntryEventType;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryEvictedListener;
import com.hazelcast.map.listener.EntryExpiredListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.trueasync.Async;
import org.trueasync.cluster.ClusterException;
import org.trueasync.cluster.MapChange;

/** Changes of a map, and calls of the engine's map that have no asynchronous form. */
public final class MapEvents {
    private MapEvents() {}

    /**
     * Subscribes to the changes of a map.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param shared of this member
     * @param name of the map
     * @param what for messages
     * @param backlog how many may wait
     * @param dropping true to drop further ones, false to end the subscription with the first of them
     */
    public static <K, V> Feed<MapChange<K, V>> feed(
            Shared shared, String name, String what, int backlog, boolean dropping) {
        return shared.feed(
                backlog,
                dropping,
                "changes of " + what,
                event -> MapEvents.<K, V>change(event, what),
                feed -> map(shared, name).addEntryListener(new Listener(feed), true),
                id -> map(shared, name).removeEntryListener(id));
    }

    private static IMap<Object, Object> map(Shared shared, String name) {
        return shared.engine().getMap(name);
    }

    /** Reads a change, in the receiving coroutine: the getters have the engine make objects of the bytes. */
    @SuppressWarnings("unchecked") // of that map
    private static <K, V> MapChange<K, V> change(Object event, String what) {
        var entry = (EntryEvent<K, V>) event;
        try {
            boolean there =
                    entry.getEventType() == EntryEventType.ADDED || entry.getEventType() == EntryEventType.UPDATED;
            return new MapChange<>(entry.getKey(), entry.getOldValue(), there ? entry.getValue() : null);
        } catch (com.hazelcast.nio.serialization.HazelcastSerializationException e) {
            throw new ClusterException(
                    "a change of " + what + " can't be read here, and is dropped: " + e.getMessage(), e);
        }
    }

    /**
     * Has a helper thread make a call that blocks. Waits for the call, and returns its outcome as a completed stage.
     *
     * @param <R> type of the result
     * @param call of the engine
     */
    public static <R> CompletionStage<R> onHelper(Callable<R> call) {
        var result = new CompletableFuture<R>();
        try {
            result.complete(Async.blocking(call));
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    private record Listener(Consumer<Object> feed)
            implements EntryAddedListener<Object, Object>,
                    EntryUpdatedListener<Object, Object>,
                    EntryRemovedListener<Object, Object>,
                    EntryEvictedListener<Object, Object>,
                    EntryExpiredListener<Object, Object> {
        @Override
        public void entryAdded(EntryEvent<Object, Object> event) {
            feed.accept(event);
        }

        @Override
        public void entryUpdated(EntryEvent<Object, Object> event) {
            feed.accept(event);
        }

        @Override
        public void entryRemoved(EntryEvent<Object, Object> event) {
            feed.accept(event);
        }

        @Override
        public void entryEvicted(EntryEvent<Object, Object> event) {
            feed.accept(event);
        }

        @Override
        public void entryExpired(EntryEvent<Object, Object> event) {
            feed.accept(event);
        }
    }
}
