package org.trueasync.internal.http.routes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Routes as a tree of the segments of their patterns. A look-up tries the literal child of a node before its parameter,
 * and that before its tail, and comes back where that leads nowhere; so it visits a node at most once, and the order in
 * which the routes were added does not matter. It makes nothing but the match and the values.
 */
public final class RouteTree<H> {
    private final Node<H> root = new Node<>();
    private final List<Route<H>> routes = new ArrayList<>();

    /** All routes, in the order in which they were added. */
    public List<Route<H>> routes() {
        return routes;
    }

    /**
     * Adds a route.
     *
     * @throws IllegalArgumentException if another one answers the same requests
     */
    public void add(Route<H> route) {
        Node<H> node = root;
        for (String segment : Route.segments(route.pattern())) node = node.child(segment);
        if (route.isMount()) {
            Node<H> below = node.child("{...}");
            below.requireFree(route);
            node.add(route);
            below.add(route);
        } else node.add(route);
        routes.add(route);
    }

    /**
     * Finds the route of a request.
     *
     * @param path decoded, with a slash at its begin
     * @return null if there is none
     */
    public @Nullable RouteMatch<H> find(String method, String path) {
        return find(root, method, path, 0, 0);
    }

    private static <H> @Nullable RouteMatch<H> find(Node<H> node, String method, String path, int slash, int count) {
        if (slash == path.length()) return node.match(method);
        int from = slash + 1;
        int next = path.indexOf('/', from);
        int to = next < 0 ? path.length() : next;
        Node<H> literal = node.literal(path, from, to);
        if (literal != null) {
            RouteMatch<H> found = find(literal, method, path, to, count);
            if (found != null) return found;
        }
        if (node.parameter != null && to > from) {
            RouteMatch<H> found = find(node.parameter, method, path, to, count + 1);
            if (found != null) {
                found.set(count, path.substring(from, to));
                return found;
            }
        }
        RouteMatch<H> found = node.tail == null ? null : node.tail.match(method);
        if (found != null) found.set(count, path.substring(from));
        return found;
    }

    /** The methods of all routes that a path belongs to; empty if there is none. */
    public Set<String> methods(String path) {
        var all = new TreeSet<String>();
        methods(root, path, 0, all);
        return withImplied(all);
    }

    /** The methods of all routes. */
    public Set<String> methods() {
        var all = new TreeSet<String>();
        for (Route<H> route : routes) if (route.method() != null) all.add(route.method());
        return withImplied(all);
    }

    private static Set<String> withImplied(Set<String> methods) {
        if (methods.contains("GET")) methods.add("HEAD");
        if (!methods.isEmpty()) methods.add("OPTIONS");
        return methods;
    }

    private static <H> void methods(Node<H> node, String path, int slash, Set<String> into) {
        if (slash == path.length()) {
            node.methods(into);
            return;
        }
        int from = slash + 1;
        int next = path.indexOf('/', from);
        int to = next < 0 ? path.length() : next;
        Node<H> literal = node.literal(path, from, to);
        if (literal != null) methods(literal, path, to, into);
        if (node.parameter != null && to > from) methods(node.parameter, path, to, into);
        if (node.tail != null) node.tail.methods(into);
    }

    private static final class Node<H> {
        private final List<Route<H>> here = new ArrayList<>(1);
        private @Nullable Node<H> parameter;
        private @Nullable Node<H> tail;
        /** A table of names and children, at least half of it empty. */
        private @Nullable String[] names = new String[4];

        private @Nullable Node<H>[] children = table(4);
        private int count;

        @SuppressWarnings("unchecked")
        private static <H> @Nullable Node<H>[] table(int size) {
            return (Node<H>[]) new Node<?>[size];
        }

        Node<H> child(String segment) {
            if (Route.isTail(segment)) {
                if (tail == null) tail = new Node<>();
                return tail;
            }
            if (Route.isParameter(segment)) {
                if (parameter == null) parameter = new Node<>();
                return parameter;
            }
            Node<H> known = literal(segment, 0, segment.length());
            return known == null ? put(segment, new Node<>()) : known;
        }

        private Node<H> put(String name, Node<H> child) {
            if (2 * ++count > names.length) {
                @Nullable String[] oldNames = names;
                @Nullable Node<H>[] old = children;
                names = new String[2 * oldNames.length];
                children = table(2 * old.length);
                for (int i = 0; i < old.length; i++) if (old[i] != null) place(oldNames[i], old[i]);
            }
            place(name, child);
            return child;
        }

        private void place(@Nullable String name, @Nullable Node<H> child) {
            int at = hash(name == null ? "" : name, 0, name == null ? 0 : name.length()) & names.length - 1;
            while (names[at] != null) at = at + 1 & names.length - 1;
            names[at] = name;
            children[at] = child;
        }

        @Nullable
        Node<H> literal(String path, int from, int to) {
            if (count == 0) return null;
            int at = hash(path, from, to) & names.length - 1;
            for (String name = names[at]; name != null; name = names[at]) {
                if (name.length() == to - from && path.startsWith(name, from)) return children[at];
                at = at + 1 & names.length - 1;
            }
            return null;
        }

        private static int hash(String text, int from, int to) {
            int hash = to - from;
            for (int i = from; i < to; i++) hash = 31 * hash + text.charAt(i);
            return hash ^ hash >>> 16;
        }

        void requireFree(Route<H> route) {
            for (Route<H> other : here)
                if (java.util.Objects.equals(other.method(), route.method()))
                    throw new IllegalArgumentException("the routes " + other + " and " + route
                            + " answer the same requests; leave one of them out");
        }

        void add(Route<H> route) {
            requireFree(route);
            here.add(route);
        }

        @Nullable
        RouteMatch<H> match(String method) {
            Route<H> best = null;
            for (Route<H> route : here) {
                String own = route.method();
                if (method.equals(own)) return new RouteMatch<>(route);
                if (own == null ? best == null : own.equals("GET") && method.equals("HEAD")) best = route;
            }
            return best == null ? null : new RouteMatch<>(best);
        }

        void methods(Set<String> into) {
            for (Route<H> route : here) if (route.method() != null) into.add(route.method());
        }
    }
}
