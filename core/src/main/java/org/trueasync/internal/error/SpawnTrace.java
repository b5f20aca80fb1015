package org.trueasync.internal.error;

/** Attached as suppressed to an error that nobody handled: tells which coroutine it came from and where that was spawned. */
public final class SpawnTrace extends Throwable {
    private static final long serialVersionUID = 1;

    private final String text;
    private boolean told;

    /**
     * Of one coroutine.
     *
     * @param coroutine its number and name
     * @param site where it was spawned
     */
    public SpawnTrace(String coroutine, String site) {
        super(null, null, false, false);
        text = "in coroutine " + coroutine + ", spawned at " + site;
    }

    /** The error was told of in short when it happened: whoever reads of it again sees that it is the same one. */
    public void toldBefore() {
        told = true;
    }

    /** Which coroutine it was. */
    public String place() {
        return text;
    }

    /**
     * Has an error carry this, unless it carries one already.
     *
     * @param error may refuse
     */
    public void attachTo(Throwable error) {
        for (Throwable s : error.getSuppressed()) if (s instanceof SpawnTrace) return;
        Causes.suppress(error, this);
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
