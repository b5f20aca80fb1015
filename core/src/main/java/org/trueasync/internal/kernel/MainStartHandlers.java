package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.trueasync.spi.SwitchHandler;
import org.trueasync.spi.SwitchHandlers;

/** Switch handlers for main coroutines that have not begun yet. Any thread. */
final class MainStartHandlers {
    private static final CopyOnWriteArrayList<ForEveryMain> FOR_EVERY_MAIN = new CopyOnWriteArrayList<>();
    private static final ThreadLocal<List<SwitchHandler>> FOR_NEXT_MAIN = ThreadLocal.withInitial(ArrayList::new);

    private MainStartHandlers() {}

    /** An entry of its own for each registration, as a handler may be registered twice. */
    private static final class ForEveryMain implements SwitchHandlers.Registration {
        final SwitchHandler handler;

        ForEveryMain(SwitchHandler handler) {
            this.handler = handler;
        }

        @Override
        public void close() {
            FOR_EVERY_MAIN.remove(this);
        }
    }

    static SwitchHandlers.Registration add(SwitchHandler handler) {
        var registration = new ForEveryMain(Objects.requireNonNull(handler, "handler"));
        FOR_EVERY_MAIN.add(registration);
        return registration;
    }

    static void addForThisThread(SwitchHandler handler) {
        FOR_NEXT_MAIN.get().add(Objects.requireNonNull(handler, "handler"));
    }

    /** Takes the handlers for a new main coroutine. On the thread that called {@code run}. */
    static List<SwitchHandler> take() {
        var handlers = new ArrayList<SwitchHandler>();
        for (ForEveryMain registration : FOR_EVERY_MAIN) handlers.add(registration.handler);
        handlers.addAll(FOR_NEXT_MAIN.get());
        FOR_NEXT_MAIN.remove();
        return handlers;
    }
}
