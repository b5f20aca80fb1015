package org.trueasync.internal.http.routes;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;

/**
 * What belongs to each host; names in lower case.
 *
 * @param <T> what belongs to one
 */
public final class Hosts<T> {
    private static final String ANY = "*.";

    private final Map<String, T> byName = new LinkedHashMap<>();

    /** Makes an empty one. */
    public Hosts() {}

    /**
     * Adds one.
     *
     * @param name of a host, or {@code *.} and what its name ends with
     * @throws IllegalArgumentException if it has another form, or is there already
     */
    public void add(String name, T handler) {
        String lower = Checks.host(name).toLowerCase(Locale.ROOT);
        String bare = lower.startsWith(ANY) ? lower.substring(ANY.length()) : lower;
        boolean isAddress = bare.startsWith("[") && bare.endsWith("]");
        if (bare.isEmpty()
                || bare.indexOf('*') >= 0
                || bare.indexOf('/') >= 0
                || (!isAddress && bare.indexOf(':') >= 0))
            throw new IllegalArgumentException(
                    "a host must be a name without a port, as api.example.com or *.example.com, got '" + name + "'");
        if (byName.putIfAbsent(lower, handler) != null)
            throw new IllegalArgumentException("the host '" + name + "' has routes already");
    }

    /** True if there is none. */
    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Returns all, in the order in which they were added. */
    public Collection<T> all() {
        return byName.values();
    }

    /** Returns what belongs to a host, which may have a port, or null. */
    public @Nullable T find(String host) {
        int colon = host.lastIndexOf(':');
        String name = (colon > host.lastIndexOf(']') ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
        if (name.endsWith(".")) name = name.substring(0, name.length() - 1);
        T found = byName.get(name);
        for (int dot = name.indexOf('.'); found == null && dot >= 0; dot = name.indexOf('.', dot + 1))
            found = byName.get(ANY + name.substring(dot + 1));
        return found;
    }
}
