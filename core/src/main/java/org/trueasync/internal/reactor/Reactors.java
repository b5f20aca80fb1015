package org.trueasync.internal.reactor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ReactorProvider;

/** Chooses a reactor among those that are installed. */
public final class Reactors {
    private Reactors() {}

    /**
     * Makes a reactor.
     *
     * @param name the one to take, or null for the best one that works here
     * @throws AsyncException if there is none; says what was tried
     */
    public static Reactor create(@Nullable String name) {
        List<ReactorProvider> known = providers();
        return name == null ? best(known).create() : named(known, name).create();
    }

    private static List<ReactorProvider> providers() {
        var found = new ArrayList<ReactorProvider>();
        ServiceLoader.load(ReactorProvider.class, Reactors.class.getClassLoader())
                .forEach(found::add);
        found.sort(Comparator.comparingInt(ReactorProvider::priority).reversed());
        return found;
    }

    private static ReactorProvider best(List<ReactorProvider> known) {
        var reasons = new ArrayList<String>();
        for (ReactorProvider provider : known) {
            String reason = provider.unavailableBecause();
            if (reason == null) return provider;
            reasons.add(provider.name() + ": " + reason);
        }
        throw new AsyncException(
                known.isEmpty()
                        ? "No reactor is installed; add trueasync-reactor-libuv to the class path"
                        : "No reactor works here. " + String.join(". ", reasons));
    }

    private static ReactorProvider named(List<ReactorProvider> known, String name) {
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
}
