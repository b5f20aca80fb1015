package org.trueasync;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.trueasync.internal.error.Causes;

/**
 * Several errors of one operation, in the order in which they were added. The first one is the cause, the others are
 * suppressed.
 *
 * <p>Belongs to whoever made it as long as errors are added; then any thread.
 */
public class CompositeException extends RuntimeException {
    private static final long serialVersionUID = 1;
    /** May be read on another thread while the next one is added. */
    private final transient List<Throwable> exceptions = new CopyOnWriteArrayList<>();

    /** Creates an exception without errors. */
    public CompositeException() {
        super("several errors");
    }

    /**
     * Adds an error.
     *
     * @param error the next one
     */
    public void add(Throwable error) {
        if (exceptions.isEmpty()) initCause(error);
        else addSuppressed(error);
        exceptions.add(error);
    }

    /** Returns the errors in the order in which they were added; never null. */
    public List<Throwable> exceptions() {
        return List.copyOf(exceptions);
    }

    @Override
    public String getMessage() {
        return exceptions.size() + (exceptions.size() == 1 ? " error: " : " errors: ") + Causes.texts(exceptions);
    }
}
