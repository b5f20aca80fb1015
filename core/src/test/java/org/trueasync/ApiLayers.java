package org.trueasync;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The two layers of each exported package. Below is what everything stands on: exceptions, {@link Body},
 * {@link Completable}, {@link Coroutine}, the SPI's events and handles. Above is the facade, what users call:
 * {@link Async}, {@link Scope}, {@link Channel}. A class belongs to the facade if it knows internals, or a class of the
 * facade.
 */
final class ApiLayers {
    private static final Set<String> EXPORTED = Set.of("org.trueasync", "org.trueasync.io", "org.trueasync.spi");

    private final Set<String> facade = new HashSet<>();
    private final Set<String> bottom;

    /**
     * Sorts them.
     *
     * @param bottom the internal packages that depend on the JDK alone: whoever knows these only is no facade
     */
    ApiLayers(JavaClasses classes, Set<String> bottom) {
        this.bottom = bottom;
        Map<String, Set<JavaClass>> named = new TreeMap<>();
        for (JavaClass type : classes) {
            if (!EXPORTED.contains(type.getPackageName())) continue;
            Set<JavaClass> targets = named.computeIfAbsent(topLevel(type), absent -> new HashSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf())
                targets.add(dependency.getTargetClass().getBaseComponentType());
        }
        boolean more = true;
        while (more) {
            more = false;
            for (var type : named.entrySet())
                if (type.getValue().stream().anyMatch(this::isAbove)) more |= facade.add(type.getKey());
        }
    }

    private boolean isAbove(JavaClass type) {
        String home = type.getPackageName();
        return facade.contains(topLevel(type))
                || (home.startsWith("org.trueasync.internal.") && !bottom.contains(home));
    }

    /** The package of a class; the facade of a package is a part of its own. */
    String part(JavaClass type) {
        return facade.contains(topLevel(type)) ? type.getPackageName() + " (facade)" : type.getPackageName();
    }

    /** The names of the facade's classes in a package. */
    Set<String> facadeOf(String home) {
        var names = new TreeSet<String>();
        for (String name : facade)
            if (name.lastIndexOf('.') == home.length() && name.startsWith(home))
                names.add(name.substring(home.length() + 1));
        return names;
    }

    private static String topLevel(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
