package org.trueasync.internal.cluster.data;

import com.hazelcast.core.HazelcastInstance;
import org.trueasync.Async;

/** What the keeper of a lock knows, for tests in other packages. */
public final class KeptLocks {
    private KeptLocks() {}

    /** True if a member holds the lock, and the keeper has another one in line. Only the calling coroutine waits. */
    public static boolean isWantedByOthers(HazelcastInstance engine, String name) {
        LockState state = Async.blocking(
                () -> engine.<String, LockState>getMap(SharedConfig.LOCKS).get(name));
        return state != null && state.holder != null && state.waiting.hasOthers(state.holder);
    }
}
