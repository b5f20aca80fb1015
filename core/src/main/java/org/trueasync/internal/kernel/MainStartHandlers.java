package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.trueasync.spi.SwitchHandler;
import org.trueasync.spi.SwitchHandlers;

/** Switch handlers for main coroutines that have not begun yet. Any thread. */
final class MainStartHandlers {
    private static final CopyOnWriteArrayList<SwitchHandler> FOR_EVERY_MAIN = new CopyOnWriteArrayList<>();
    private static final ThreadLocal<List<SwitchHandler>> FOR_NEXT_MAIN = ThreadLocal.withInitial(ArrayList::new);

    private MainStartHandlers() {}

    static SwitchHandlers.Registration add(SwitchHandler handler) {
        FOR_EVERY_MAIN.add(Objects.requireNonNull(handler, "handler"));
        return () -> FOR_EVERY_MAIN.remove(handler);
    }

    static void addForThisThread(SwitchHandler handler) {
        FOR_NEXT_MAIN.get().add(Objects.requireNonNull(handler, "handler"));
    }

    /** Takes the handlers for a new main coroutine. On the thread that called {@code run}. */
    static List<SwitchHandler> take() {
        var handlers = new ArrayList<>(FOR_EVERY_MAIN);
        handlers.addAll(FOR_NEXT_MAIN.get());
        FOR_NEXT_MAIN.remove();
        return handlers;
    }
}
