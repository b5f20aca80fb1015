package org.trueasync.internal.kernel;

/** Attached as suppressed to an error that nobody handled: tells which coroutine it came from and where that was spawned. */
final class SpawnTrace extends Throwable {
    private static final long serialVersionUID = 1;

    SpawnTrace(long id, String spawnLocation) {
        super("in coroutine #" + id + ", spawned at " + spawnLocation, null, false, false);
    }

    @Override
    public String toString() {
        return getMessage();
    }
}
