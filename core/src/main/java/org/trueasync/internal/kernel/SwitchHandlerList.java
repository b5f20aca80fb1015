package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.SwitchHandler;

/** The switch handlers of one coroutine, in the order of registration. A handler may add and remove handlers during the round. */
final class SwitchHandlerList {
    private final List<SwitchHandler> handlers = new ArrayList<>(2);

    void add(SwitchHandler handler) {
        handlers.add(handler);
    }

    boolean isEmpty() {
        return handlers.isEmpty();
    }

    /**
     * Calls those that were there at the start; one that returns false is gone.
     *
     * @return what handlers threw, the first with the others suppressed; null if none did
     */
    @Nullable
    Throwable run(Coroutine<?> coroutine, boolean entering, boolean finishing) {
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
}
