package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.SwitchHandler;

/**
 * The switch handlers of one coroutine, in the order of registration, and whether it is between ENTER and LEAVE. A
 * handler may add handlers during the round, and is removed when it returns false. While the handlers run in the
 * coroutine's own context, it can't wait. While the {@link Service} runs them, the coroutine waits for them.
 *
 * <pre>
 *  left    -> entered  ENTER; or the first handler was added by the coroutine's own code
 *  entered -> left     LEAVE, and the end; or a handler was added when there was none
 * </pre>
 */
final class SwitchHandlerList {
    private final List<SwitchHandler> handlers = new ArrayList<>(2);
    /** Between ENTER and LEAVE; guards against a second LEAVE or ENTER in a row. */
    private boolean entered;
    /** The service runs them, and the coroutine waits for them. */
    private boolean served;
    /** The coroutine has become ready in JDK code, and goes on when the service has run its handlers. */
    private boolean returns;

    /**
     * Adds a handler.
     *
     * @param inside true if the coroutine's own code runs: its next round is LEAVE
     */
    void add(SwitchHandler handler, boolean inside) {
        if (handlers.isEmpty()) entered = false;
        handlers.add(handler);
        if (inside) entered = true;
    }

    boolean isEmpty() {
        return handlers.isEmpty();
    }

    boolean isEntered() {
        return entered;
    }

    // ---- rounds; each returns what the handlers threw

    /** ENTER, unless that was the last round. */
    @Nullable
    Throwable enter(CoroutineImpl<?> coroutine) {
        if (entered || handlers.isEmpty()) return null;
        entered = true;
        return round(coroutine, true, false);
    }

    /** LEAVE, unless that was the last round. */
    @Nullable
    Throwable leave(CoroutineImpl<?> coroutine) {
        if (!entered || handlers.isEmpty()) return null;
        entered = false;
        return round(coroutine, false, false);
    }

    /** The last round of a coroutine that has begun. */
    @Nullable
    Throwable finish(CoroutineImpl<?> coroutine) {
        Throwable thrown = round(coroutine, false, true);
        entered = false;
        return thrown;
    }

    private @Nullable Throwable round(CoroutineImpl<?> coroutine, boolean entering, boolean finishing) {
        if (served) return run(coroutine, entering, finishing);
        boolean refusing = coroutine.refuseWaits();
        try {
            return run(coroutine, entering, finishing);
        } finally {
            if (refusing) coroutine.allowWaits();
        }
    }

    /**
     * Calls the handlers that were there at the start, and removes each that returns false.
     *
     * @return the first error with the others suppressed; null if there is none
     */
    private @Nullable Throwable run(Coroutine<?> coroutine, boolean entering, boolean finishing) {
        Throwable thrown = null;
        for (SwitchHandler handler : handlers.toArray(new SwitchHandler[0])) {
            boolean keep = true;
            try {
                keep = handler.onSwitch(coroutine, entering, finishing);
            } catch (Throwable e) {
                thrown = Causes.joined(thrown, e);
            }
            if (!keep) handlers.remove(handler);
        }
        return thrown;
    }

    // ---- the service

    boolean isServed() {
        return served;
    }

    void setServed(boolean served) {
        this.served = served;
    }

    void returnLater() {
        returns = true;
    }

    /** True if the coroutine has become ready while the service ran its handlers; clears that mark. */
    boolean takeReturn() {
        boolean taken = returns;
        returns = false;
        return taken;
    }
}
