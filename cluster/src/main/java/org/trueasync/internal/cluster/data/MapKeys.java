package org.trueasync.internal.cluster.data;

import com.hazelcast.internal.util.IterationType;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.query.Query;
import com.hazelcast.map.impl.query.QueryPartitionOperation;
import com.hazelcast.map.impl.query.QueryResult;
import com.hazelcast.map.impl.query.QueryResultRow;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.query.Predicates;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.cluster.EngineWaits;

/**
 * Goes over the keys of a map, partition by partition. A partition is the engine's unit that moves between members as a
 * whole; asking for it, the engine follows it. A key is always in the same one. So a key that stays comes once.
 *
 * <p>Loop thread only.
 *
 * @param <K> type of the keys
 */
public final class MapKeys<K> implements Iterator<K> {
    /** How many partitions, of the engine's 271, are asked for ahead: what is in memory at once. */
    private static final int AHEAD = 16;

    private final NodeEngine node;
    private final String name;
    private final @Nullable Completable<?> token;
    private final String what;
    private final Queue<CompletionStage<QueryResult>> asked = new ArrayDeque<>(AHEAD);
    private int next;
    private Iterator<QueryResultRow> keys = Collections.emptyIterator();

    /**
     * At the first key.
     *
     * @param shared of this member
     * @param name of the map
     * @param token ends the waits, null for none
     * @param what for messages
     */
    public MapKeys(Shared shared, String name, @Nullable Completable<?> token, String what) {
        node = shared.node();
        this.name = name;
        this.token = token;
        this.what = what;
    }

    @Override
    public boolean hasNext() {
        while (!keys.hasNext()) {
            if (next == partitions() && asked.isEmpty()) return false;
            keys = EngineWaits.await(this::ask, token, what).getRows().iterator();
            asked.remove();
        }
        return true;
    }

    /** Returns the answer to the first request. */
    private CompletionStage<QueryResult> ask() {
        for (; next < partitions() && asked.size() < AHEAD; next++) asked.add(ask(next));
        return asked.element();
    }

    private CompletionStage<QueryResult> ask(int partition) {
        Query query = Query.of()
                .mapName(name)
                .predicate(Predicates.alwaysTrue())
                .iterationType(IterationType.KEY)
                .build();
        return node.getOperationService()
                .createInvocationBuilder(MapService.SERVICE_NAME, new QueryPartitionOperation(query), partition)
                .invoke();
    }

    private int partitions() {
        return node.getPartitionService().getPartitionCount();
    }

    @Override
    public K next() {
        if (!hasNext()) throw new NoSuchElementException(what + " has no more keys");
        try {
            return node.toObject(keys.next().getKey());
        } catch (HazelcastSerializationException e) {
            throw EngineWaits.translate(e, what);
        }
    }
}
