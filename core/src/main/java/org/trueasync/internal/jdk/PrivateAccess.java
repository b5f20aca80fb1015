package org.trueasync.internal.jdk;

import java.lang.invoke.MethodHandles;

/** Access to what is private in {@code java.lang}, which is open to this module, for the modules above. */
public final class PrivateAccess {
    private PrivateAccess() {}

    /**
     * Looks into a class.
     *
     * @param type of {@code java.lang}
     * @throws IllegalAccessException if the package is not open to us
     */
    public static MethodHandles.Lookup in(Class<?> type) throws IllegalAccessException {
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    }
}
