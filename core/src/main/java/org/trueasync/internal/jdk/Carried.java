package org.trueasync.internal.jdk;

import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.ContextPropagator;

/** What the installed {@link ContextPropagator}s hand on of a thread's values. */
final class Carried {
    private static final ContextPropagator[] INSTALLED =
            ServiceLoader.load(ContextPropagator.class, ContextPropagator.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toArray(ContextPropagator[]::new);

    /** In the order of {@link #INSTALLED}. */
    private final @Nullable Object[] values;

    private Carried(@Nullable Object[] values) {
        this.values = values;
    }

    /** The values of the calling thread; null for none. Throws what a propagator throws. */
    static @Nullable Carried ofCaller() {
        @Nullable Object[] values = null;
        for (int i = 0; i < INSTALLED.length; i++) {
            Object captured = INSTALLED[i].capture();
            if (captured == null) continue;
            if (values == null) values = new Object[INSTALLED.length];
            values[i] = captured;
        }
        return values == null ? null : new Carried(values);
    }

    /** Sets the values on the calling thread. Throws what a propagator throws. */
    void give() {
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value != null) INSTALLED[i].give(value);
        }
    }

    /** What of the calling thread's values another process understands. Throws what a propagator throws. */
    static Map<String, String> textOfCaller() {
        Map<String, String> text = Map.of();
        for (ContextPropagator propagator : INSTALLED) {
            Object captured = propagator.capture();
            if (captured == null) continue;
            Map<String, String> own = propagator.toText(captured);
            if (own.isEmpty()) continue;
            if (text.isEmpty()) text = new HashMap<>();
            text.putAll(own);
        }
        return text;
    }

    /** Sets on the calling thread what another process has written. Throws what a propagator throws. */
    static void giveText(Map<String, String> text) {
        if (text.isEmpty()) return;
        for (ContextPropagator propagator : INSTALLED) {
            Object values = propagator.fromText(text);
            if (values != null) propagator.give(values);
        }
    }

    /**
     * Removes all such values from the calling helper thread.
     *
     * @param given what it was given, or null
     * @param earlier what its task has thrown, or null
     * @return that, joined with what the propagators throw; null for nothing
     */
    static @Nullable Throwable takeBack(@Nullable Carried given, @Nullable Throwable earlier) {
        Throwable thrown = earlier;
        for (int i = 0; i < INSTALLED.length; i++) {
            try {
                INSTALLED[i].takeBack(given == null ? null : given.values[i]);
            } catch (Throwable e) {
                VirtualThreads.removeLocals(Thread.currentThread());
                thrown = Causes.joined(thrown, e);
            }
        }
        return thrown;
    }
}
