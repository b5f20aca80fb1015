package org.trueasync.internal.http.routes;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A route that a path belongs to, with the parts of the path that it names. */
public final class RouteMatch<H> {
    private final Route<H> route;
    private final @Nullable String[] values;

    RouteMatch(Route<H> route) {
        this.route = route;
        this.values = new String[route.names().size()];
    }

    void set(int index, String value) {
        values[index] = value;
    }

    public H handler() {
        return route.handler();
    }

    /**
     * Returns a part by its name, decoded.
     *
     * @throws IllegalArgumentException if the route has none
     */
    public String get(String name) {
        int index = route.names().indexOf(name);
        if (index < 0)
            throw new IllegalArgumentException("the route " + route + " has no part {" + name + "}, it has "
                    + Arrays.toString(route.names().toArray()));
        String value = values[index];
        return value == null ? "" : value;
    }

    /** Returns the rest of the path, without its first slash; null if the route does not match by a beginning. */
    public @Nullable String tail() {
        return route.hasTail() ? get(route.names().getLast()) : null;
    }
}
