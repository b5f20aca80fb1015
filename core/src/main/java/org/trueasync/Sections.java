package org.trueasync;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.time.TimeLimits;

/**
 * The part of {@link Async} that runs sections of the caller's own code, in a file of its own; use it as {@code Async}.
 * These methods throw the exceptions of a section unchanged, and the compiler infers their type.
 *
 * <p>Loop thread only.
 */
public abstract sealed class Sections extends BlockingCalls permits Spawns {
    Sections() {}

    /**
     * Runs a section in which no cancellation is thrown. A cancellation that comes meanwhile ends the first wait after
     * the outermost section, either one of this library or one of the JDK, which is interrupted; a coroutine that does
     * not wait any more ends as cancelled. A cancellation that is pending before is thrown before an outermost section
     * begins. The cancellations of a deadlock and of a shutdown are not deferred. An interrupt status is hidden from
     * the section.
     *
     * @param section the work that must not be interrupted
     * @return the section's value
     * @throws X what the section throws, unchanged
     * @throws AsyncCancellation if one was pending before the section, which does not begin then; or if the section
     *     failed and a cancellation came meanwhile: then what the section threw is attached to it
     * @throws AsyncException outside a coroutine
     */
    public static <T, X extends Exception> T protect(Section<T, X> section) throws X {
        return Runtimes.currentCoroutine("Async.protect").protect(Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #protect(Section)}, for a section without a result.
     *
     * @param section the work that must not be interrupted
     * @throws X what the section throws, unchanged
     */
    public static <X extends Throwable> void protect(VoidSection<X> section) throws X {
        Runtimes.currentCoroutine("Async.protect").protect(Tasks.of(section));
    }

    /**
     * As {@link #protect(Section)}, for a section that is in a variable already.
     *
     * @param section the work that must not be interrupted
     * @return the section's value
     * @throws Exception what the section throws, unchanged
     */
    public static <T> T protect(Callable<T> section) throws Exception {
        return Runtimes.currentCoroutine("Async.protect").protect(Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #protect(Section)}, for a section that is in a variable already.
     *
     * @param section the work that must not be interrupted
     * @throws Throwable what the section throws, unchanged
     */
    public static void protect(Body section) throws Throwable {
        Runtimes.currentCoroutine("Async.protect").protect(Tasks.of(section));
    }

    // ---- with a time limit

    /**
     * Runs a section with a time limit. When the time is over, the section is cancelled as a coroutine is: its current
     * wait throws an {@link AsyncCancellation}, or is interrupted if it is one of the JDK. The section may clean up,
     * and this method returns or throws only when it has ended. The coroutine itself is not cancelled by that.
     *
     * <p>If the section succeeds nevertheless, because it does not wait any more or catches the cancellation, its value
     * is returned. Whatever defers a cancellation, as {@link #protect} inside the section does, defers the limit too.
     * Limits nest; the one that is over first counts.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section the work; coroutines that it has spawned are not cancelled, unless it closes a {@link Scope} that
     *     owns them
     * @return the section's value
     * @throws X what the section throws, unchanged; also after the limit, unless it was caused by the cancellation
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; the message
     *     names the limit
     * @throws IllegalArgumentException if the limit is negative
     * @throws AsyncCancellation if the coroutine itself was cancelled
     * @throws AsyncException outside a coroutine
     */
    public static <T, X extends Exception> T withTimeout(Duration limit, Section<T, X> section) throws X {
        return within(limit, Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #withTimeout(Duration, Section)}, for a section without a result.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section the work
     * @throws X what the section throws, unchanged
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; the message
     *     names the limit
     */
    public static <X extends Throwable> void withTimeout(Duration limit, VoidSection<X> section) throws X {
        within(limit, Tasks.of(section));
    }

    /**
     * As {@link #withTimeout(Duration, Section)}, for a section that is in a variable already.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section the work
     * @return the section's value
     * @throws Exception what the section throws, unchanged
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; the message
     *     names the limit
     */
    public static <T> T withTimeout(Duration limit, Callable<T> section) throws Exception {
        return within(limit, Objects.requireNonNull(section, "section"));
    }

    /**
     * As {@link #withTimeout(Duration, Section)}, for a section that is in a variable already.
     *
     * @param limit >= 0; with zero the section is not begun, and this throws
     * @param section the work
     * @throws Throwable what the section throws, unchanged
     * @throws AsyncTimeoutException if the section has ended because the time was over, or was not begun; the message
     *     names the limit
     */
    public static void withTimeout(Duration limit, Body section) throws Throwable {
        within(limit, Tasks.of(section));
    }

    private static <T> T within(Duration limit, Callable<T> section) {
        TimeLimits.notNegative(limit, "limit");
        return Runtimes.currentCoroutine("Async.withTimeout").within(limit, section);
    }
}
