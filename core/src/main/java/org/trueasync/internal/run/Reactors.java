package org.trueasync.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.trueasync.AsyncException;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ReactorProvider;

/** Chooses a reactor among those that are installed. */
public final class Reactors {
    /** What has been said about reactors that do not work: once is enough for a process. */
    private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

    private Reactors() {}

    /**
     * Makes the best reactor that works here.
     *
     * @param diagnostics gets one line, once for each text, if a better one is installed and does not work
     * @throws AsyncException if there is none, and says what was tried; or if two of them have the same name
     */
    public static Reactor best(Consumer<String> diagnostics) {
        var reasons = new ArrayList<String>();
        ReactorProvider best = best(ReactorProvider.installed(), reasons);
        if (!reasons.isEmpty()) {
            String line = "Reactor '" + best.name() + "' is used, as the better one does not work here: "
                    + String.join(". ", reasons);
            if (REPORTED.add(line)) diagnostics.accept(line);
        }
        return best.create();
    }

    /**
     * Makes a reactor of one kind.
     *
     * @param name its name
     * @throws AsyncException if there is none of that name, if it does not work here, or if two of those installed have
     *     the same name
     */
    public static Reactor named(String name) {
        return named(ReactorProvider.installed(), name).create();
    }

    static ReactorProvider best(List<ReactorProvider> known, List<String> reasons) {
        requireDistinctNames(known);
        for (ReactorProvider provider : known) {
            String reason = provider.unavailableBecause();
            if (reason == null) return provider;
            reasons.add(provider.name() + ": " + reason);
        }
        throw new AsyncException(
                known.isEmpty()
                        ? "No reactor is installed; add trueasync-reactor-libuv or trueasync-reactor-nio to the class path"
                        : "No reactor works here. " + String.join(". ", reasons));
    }

    static ReactorProvider named(List<ReactorProvider> known, String name) {
        requireDistinctNames(known);
        for (ReactorProvider provider : known) {
            if (!provider.name().equals(name)) continue;
            String reason = provider.unavailableBecause();
            if (reason != null) throw new AsyncException("Reactor '" + name + "' does not work here: " + reason);
            return provider;
        }
        String names = known.stream().map(ReactorProvider::name).collect(Collectors.joining(", "));
        throw new AsyncException("Unknown reactor '" + name + "'; known: "
                + (names.isEmpty() ? "none, is one on the class path?" : names));
    }

    /** Fails if two reactors have one name: which one is taken would depend on the order of the class path. */
    private static void requireDistinctNames(List<ReactorProvider> known) {
        for (int i = 0; i < known.size(); i++) {
            for (int k = 0; k < i; k++) {
                if (!known.get(i).name().equals(known.get(k).name())) continue;
                throw new AsyncException(
                        "Two reactors are named '" + known.get(i).name() + "': "
                                + known.get(k).getClass().getName() + " and "
                                + known.get(i).getClass().getName()
                                + "; take one of them from the class path, or give a runtime its reactor itself with the builder's reactor(factory)");
            }
        }
    }
}
