package org.trueasync.internal.error;

/**
 * Added as suppressed to an error that nobody handled. Says from which coroutine the error came, and where that
 * coroutine was spawned.
 */
public final class SpawnTrace extends Throwable {
    private static final long serialVersionUID = 1;

    private final String text;
    private boolean reported;

    /**
     * Creates the trace of a coroutine.
     *
     * @param coroutine its number and name
     * @param site the place where it was spawned
     */
    public SpawnTrace(String coroutine, String site) {
        super(null, null, false, false);
        text = "in coroutine " + coroutine + ", spawned at " + site;
    }

    /**
     * Notes that the error was reported in short when it happened. So readers of the second report see that it is the
     * same error.
     */
    public void reportedBefore() {
        reported = true;
    }

    /** Returns the coroutine and the place where it was spawned, as text. */
    public String place() {
        return text;
    }

    /**
     * Adds this to an error as suppressed, unless the error has one already.
     *
     * @param error the error; if it refuses suppressed errors, it stays as it is
     * @return false if it has one already
     */
    public boolean attachTo(Throwable error) {
        for (Throwable s : error.getSuppressed()) if (s instanceof SpawnTrace) return false;
        Causes.suppress(error, this);
        return true;
    }

    @Override
    public String getMessage() {
        return reported ? text + ", told of when it failed" : text;
    }

    @Override
    @SuppressWarnings(
            "OverrideThrowableToString") // the line in a stack trace; the class name says nothing to its reader
    public String toString() {
        return getMessage();
    }
}
