package org.trueasync.internal.kernel;

/** Attached as suppressed to an error that nobody handled: tells which coroutine it came from and where that was spawned. */
final class SpawnTrace extends Throwable {
    private static final long serialVersionUID = 1;

    private final String text;

    SpawnTrace(CoroutineImpl<?> coroutine) {
        super(null, null, false, false);
        text = "in coroutine " + coroutine.label() + ", spawned at " + coroutine.spawnLocation();
    }

    @Override
    public String getMessage() {
        return text;
    }

    @Override
    @SuppressWarnings(
            "OverrideThrowableToString") // the line in a stack trace; the class name says nothing to its reader
    public String toString() {
        return text;
    }
}
