package org.trueasync.internal.jdk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.ContextPropagator;

/** What the installed {@link ContextPropagator}s hand on of a thread's values. */
final class Carried {
    private static final Queue<String> REFUSALS = new ConcurrentLinkedQueue<>();
    private static final ContextPropagator[] INSTALLED = find();

    /** In the order of {@link #INSTALLED}. */
    private final @Nullable Object[] values;

    private Carried(@Nullable Object[] values) {
        this.values = values;
    }

    private static ContextPropagator[] find() {
        List<ContextPropagator> found = new ArrayList<>();
        var services = ServiceLoader.load(ContextPropagator.class, loader()).iterator();
        for (boolean more = true; more; ) {
            try {
                more = services.hasNext();
                if (more) found.add(services.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                // most likely a library that it needs is missing; what else is installed still counts
                REFUSALS.add("A context propagator can't be used, and its values are not handed on: " + e
                        + (e.getCause() == null ? "" : ", " + e.getCause()));
            }
        }
        return found.toArray(new ContextPropagator[0]);
    }

    /**
     * TrueAsync's own class loader, as in a container; the system class loader where that sees the same classes and
     * more: the command has the program, and the libraries that it names, on a loader below TrueAsync's.
     */
    private static ClassLoader loader() {
        ClassLoader own = ContextPropagator.class.getClassLoader();
        for (ClassLoader below = ClassLoader.getSystemClassLoader(); below != null; below = below.getParent())
            if (below == own) return ClassLoader.getSystemClassLoader();
        return own;
    }

    /** Says which propagators are not used, and why. Each is returned once. */
    static List<String> takeRefusals() {
        List<String> taken = new ArrayList<>();
        for (String next = REFUSALS.poll(); next != null; next = REFUSALS.poll()) taken.add(next);
        return taken;
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
