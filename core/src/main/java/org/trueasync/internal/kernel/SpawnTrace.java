package org.trueasync.internal.kernel;

/** Attached as suppressed to an error that nobody handled: tells which coroutine it came from and where that was spawned. */
final class SpawnTrace extends Throwable {
    private static final long serialVersionUID = 1;

    private final String text;
    private boolean told;

    SpawnTrace(CoroutineImpl<?> coroutine) {
        super(null, null, false, false);
        text = "in coroutine " + coroutine.label() + ", spawned at " + coroutine.spawnLocation();
    }

    /** The error was told of in short when it happened: whoever reads of it again sees that it is the same one. */
    void toldBefore() {
        told = true;
    }

    /** Which coroutine it was. */
    String place() {
        return text;
    }

    @Override
    public String getMessage() {
        return told ? text + ", told of when it failed" : text;
    }

    @Override
    @SuppressWarnings(
            "OverrideThrowableToString") // the line in a stack trace; the class name says nothing to its reader
    public String toString() {
        return getMessage();
    }
}
