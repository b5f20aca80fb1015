package org.trueasync;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.time.TimeLimits;

/**
 * The part of {@link Async} that runs sections of the caller's own code, in a file of its own; use it as {@code Async}. What a section throws leaves these methods as it
 * is, and the compiler knows what that may be.
 *
 * <p>Loop thread only.
 */
public abstract sealed class Sections extends BlockingCalls permits Spawns {
    Sections() {}

    /**
     * Runs a section in which no cancellation is thrown. One that comes meanwhile ends the first wait after the outermost section, ours or
     * the JDK's, which is interrupted; a coroutine that does not wait any more ends as cancelled. One that is due already is thrown before an outermost section
     * begins. Deadlock and shutdown are not held up. An interrupt status is hidden from the section.
     *
     * @param section what must not be interrupted
     * @return the section's value
     * @throws X what the section throws, as it is
     * @throws AsyncCancellation if one was due before the section, which has not begun then; or if the section failed and a cancellation came meanwhile, and what
     *     the section threw is attached
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

    // ---- with a limit

    /**
     * Runs a section that may take so long. When the time is over the section is cancelled, as a coroutine is: the wait that it is in throws an
     * {@link AsyncCancellation}, or one of the JDK's is interrupted. It may clean up, and its end is awaited: nothing of it goes on when this returns or throws. The
     * coroutine itself is not cancelled by that.
     *
     * <p>A section that succeeds nevertheless has succeeded, and its value is returned: one that does not wait any more, or that catches the cancellation. What
     * defers a cancellation, as {@link #protect} inside of the section, defers the limit. Limits nest; the one that is over first counts.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section what has to end; the coroutines that it has spawned are not cancelled, a {@link Scope} that it closes sees to that
     * @return the section's value
     * @throws X what the section throws, as it is; also after the limit, unless that comes from the cancellation
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; names the limit
     * @throws IllegalArgumentException if the limit is negative
     * @throws AsyncCancellation if the coroutine itself was cancelled
     */
    public static <T, X extends Exception> T withTimeout(Duration limit, Section<T, X> section) throws X {
        return within(limit, Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #withTimeout(Duration, Section)}, for a section without a result.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section what has to end
     * @throws X what the section throws, as it is
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; names the limit
     */
    public static <X extends Throwable> void withTimeout(Duration limit, VoidSection<X> section) throws X {
        within(limit, Tasks.of(section));
    }

    /**
     * As {@link #withTimeout(Duration, Section)}, for one that is at hand.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section what has to end
     * @return the section's value
     * @throws Exception what the section throws, as it is
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; names the limit
     */
    public static <T> T withTimeout(Duration limit, Callable<T> section) throws Exception {
        return within(limit, Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #withTimeout(Duration, Section)}, for one that is at hand.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section what has to end
     * @throws Throwable what the section throws, as it is
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; names the limit
     */
    public static void withTimeout(Duration limit, Body section) throws Throwable {
        within(limit, Tasks.of(section));
    }

    private static <T> T within(Duration limit, Callable<T> section) {
        TimeLimits.notNegative(limit, "limit");
        return Runtimes.currentCoroutine("Async.withTimeout").within(limit, section);
    }
}
