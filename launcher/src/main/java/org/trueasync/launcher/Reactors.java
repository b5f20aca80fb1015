package org.trueasync.launcher;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.trueasync.spi.ReactorProvider;

/** The reactors on the launcher's class path, the preferred one first. */
final class Reactors {
    private Reactors() {}

    /** What {@code --reactor} takes. */
    static List<String> names() {
        return providers().map(ReactorProvider::name).toList();
    }

    /** What a program would get that does not choose, first; no others than those that work here. */
    static List<String> usable() {
        return providers()
                .filter(provider -> provider.unavailableBecause() == null)
                .map(ReactorProvider::name)
                .toList();
    }

    private static Stream<ReactorProvider> providers() {
        return ServiceLoader.load(ReactorProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(ReactorProvider::priority).reversed());
    }
}
