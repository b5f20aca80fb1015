package org.trueasync.internal.cluster;

import java.io.ObjectInputFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which classes may come from other members: those that the program allows, public ones of TrueAsync, and
 * values of the JDK. Everything else is refused before any of its code runs; so are graphs and arrays that are larger
 * than the bytes that came.
 */
public final class AllowedClasses {
    private static final int MAX_DEPTH = 200;

    /**
     * Packages of the JDK with values, collections and errors; nothing that opens, looks up or calls anything when it
     * is read.
     */
    private static final List<String> VALUES =
            List.of("java.time.", "java.math.", "java.util.", "java.sql.", "java.text.");

    private static final List<String> NO_VALUES = List.of(
            "java.util.jar.",
            "java.util.logging.",
            "java.util.prefs.",
            "java.util.zip.",
            "java.util.ServiceLoader",
            "java.util.concurrent.ForkJoin",
            "java.util.concurrent.locks.");

    private static final Set<String> SINGLE_CLASSES =
            Set.of("java.lang.invoke.SerializedLambda", "java.net.URI", "java.nio.charset.Charset");

    private final Set<String> names = new HashSet<>();
    private final List<String> prefixes;

    /** Answers of {@link #compute}, cached, as each object that comes is checked. */
    private final ClassValue<Boolean> known = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return compute(type);
        }
    };

    /**
     * Allows the JDK's values, and these.
     *
     * @param allowed names of classes, and of packages with a dot at the end
     */
    public AllowedClasses(List<String> allowed) {
        prefixes = allowed.stream().filter(name -> name.endsWith(".")).toList();
        allowed.stream().filter(name -> !name.endsWith(".")).forEach(names::add);
    }

    /** True if the class may come. */
    public boolean allows(Class<?> type) {
        return known.get(type);
    }

    private boolean compute(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) element = element.getComponentType();
        if (element.isPrimitive()) return true;
        String name = element.getName();
        return isAllowedByProgram(name) || isPublicOfTrueAsync(name) || isValue(element, name);
    }

    private boolean isAllowedByProgram(String name) {
        int nested = name.indexOf('$');
        if (names.contains(name) || (nested > 0 && names.contains(name.substring(0, nested)))) return true;
        return prefixes.stream().anyMatch(name::startsWith);
    }

    private static boolean isPublicOfTrueAsync(String name) {
        return name.startsWith("org.trueasync.") && !name.startsWith("org.trueasync.internal.");
    }

    private static boolean isValue(Class<?> type, String name) {
        if (SINGLE_CLASSES.contains(name)) return true;
        if (NO_VALUES.stream().anyMatch(name::startsWith)) return false;
        if (VALUES.stream().anyMatch(name::startsWith)) return true;
        // java.lang, but not its lower packages, and errors from everywhere in java.base
        if (name.startsWith("java.lang.") && name.indexOf('.', "java.lang.".length()) < 0) return true;
        return Throwable.class.isAssignableFrom(type) && type.getModule() == Object.class.getModule();
    }

    /**
     * Returns the filter for one object.
     *
     * @param length of the object's bytes
     */
    ObjectInputFilter filter(int length) {
        return info -> {
            if (info.depth() > MAX_DEPTH || info.references() > length || info.arrayLength() > length)
                return ObjectInputFilter.Status.REJECTED;
            Class<?> type = info.serialClass();
            if (type == null) return ObjectInputFilter.Status.UNDECIDED;
            return allows(type) ? ObjectInputFilter.Status.ALLOWED : ObjectInputFilter.Status.REJECTED;
        };
    }
}
