package org.trueasync.internal.cluster;

import java.io.ObjectInputFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which classes the objects from other members may have. These are the classes that the program names, those
 * of TrueAsync outside its internal packages, and values of the JDK. Any other class is refused before any of its code
 * runs. A graph of objects is refused if it is very deep, or if it claims more references or a longer array than bytes
 * have come.
 */
public final class AllowedClasses {
    private static final int MAX_DEPTH = 200;

    /**
     * Packages of the JDK with values, collections and errors. Apart from {@link #NO_VALUES}, none of their classes
     * opens, looks up or calls anything when it is read.
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

    /** The answers of {@link #compute}. They are cached, because the class of each object that comes is looked up. */
    private final ClassValue<Boolean> known = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return compute(type);
        }
    };

    /**
     * Makes a list that allows what the program names, besides the classes of TrueAsync and the JDK.
     *
     * @param allowed names of classes, and of packages; that of a package ends with a dot
     */
    public AllowedClasses(List<String> allowed) {
        prefixes = allowed.stream().filter(name -> name.endsWith(".")).toList();
        allowed.stream().filter(name -> !name.endsWith(".")).forEach(names::add);
    }

    /** True if objects of the class may come. */
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
        if (names.contains(name)) return true;
        for (int end = name.indexOf('$'); end >= 0; end = name.indexOf('$', end + 1))
            if (names.contains(name.substring(0, end))) return true;
        return prefixes.stream().anyMatch(name::startsWith);
    }

    private static boolean isPublicOfTrueAsync(String name) {
        return name.startsWith("org.trueasync.") && !name.startsWith("org.trueasync.internal.");
    }

    private static boolean isValue(Class<?> type, String name) {
        if (SINGLE_CLASSES.contains(name)) return true;
        if (NO_VALUES.stream().anyMatch(name::startsWith)) return false;
        if (VALUES.stream().anyMatch(name::startsWith)) return true;
        // The classes of java.lang itself, not of the packages below it; and the errors of all packages of java.base.
        if (name.startsWith("java.lang.") && name.indexOf('.', "java.lang.".length()) < 0) return true;
        return Throwable.class.isAssignableFrom(type) && type.getModule() == Object.class.getModule();
    }

    /**
     * Returns the filter for one object with all that it holds.
     *
     * @param length how many bytes have come for it
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
