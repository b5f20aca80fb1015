package org.trueasync;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.kernel.Tasks;

/**
 * The part of {@link Async} that runs sections of the caller's own code, in a file of its own; use it as {@code Async}. What a section throws leaves these methods as it
 * is, and the compiler knows what that may be.
 */
public abstract sealed class Sections permits Spawns {
    Sections() {}

    /**
     * Runs a section in which no cancellation is thrown. One that comes meanwhile is thrown at the first wait after the outermost section; a
     * coroutine that does not wait any more ends as cancelled. Deadlock and shutdown are not held up.
     *
     * @param section what must not be interrupted
     * @return the section's value
     * @throws X what the section throws, as it is
     * @throws AsyncCancellation if the section failed and a cancellation came meanwhile; what the section threw is attached
     */
    public static <T, X extends Exception> T protect(Section<T, X> section) throws X {
        return Runtimes.currentCoroutine("Async.protect").protect(Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #protect(Section)}, for a section without a result.
     *
     * @param section what must not be interrupted
     * @throws X what the section throws, as it is
     */
    public static <X extends Throwable> void protect(VoidSection<X> section) throws X {
        Runtimes.currentCoroutine("Async.protect").protect(Tasks.of(section));
    }

    /**
     * As {@link #protect(Section)}, for one that is at hand.
     *
     * @param section what must not be interrupted
     * @return the section's value
     * @throws Exception what the section throws, as it is
     */
    public static <T> T protect(Callable<T> section) throws Exception {
        return Runtimes.currentCoroutine("Async.protect").protect(Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #protect(Section)}, for one that is at hand.
     *
     * @param section what must not be interrupted
     * @throws Throwable what the section throws, as it is
     */
    public static void protect(Body section) throws Throwable {
        Runtimes.currentCoroutine("Async.protect").protect(Tasks.of(section));
    }
}
