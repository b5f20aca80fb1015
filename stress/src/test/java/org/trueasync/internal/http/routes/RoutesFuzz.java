package org.trueasync.internal.http.routes;

import java.util.List;
import org.trueasync.stress.fuzz.Inputs;

/** Patterns, each on a line, and the path on the last one: the route that is found fits. */
public final class RoutesFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "/a/{b}/c\n/a/x/{y...}\n/{z}\n/a/x/c",
            "/\n/{a...}\n\n/b/",
            "/a/\n/a\n/{b}/{c}/{d}\n/a//c",
            "/a/b/c/d\n/a/b/{x}\n/a/{y}/c/d\n/a/b/c");

    private RoutesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String[] lines = Inputs.latin1(input).split("\n", -1);
        var tree = new RouteTree<String>();
        for (int i = 0; i < lines.length - 1; i++) {
            try {
                tree.add(Route.of("GET", lines[i], false, lines[i]));
            } catch (IllegalArgumentException malformed) {
                // as it should be
            }
        }
        String path = "/" + lines[lines.length - 1];
        RouteMatch<String> match = tree.find("GET", path);
        boolean fits = tree.routes().stream().anyMatch(route -> fits(route.pattern(), path));
        Inputs.same(fits, match != null, path + " of " + tree.routes());
        Inputs.same(fits, !tree.methods(path).isEmpty(), "methods");
        if (match != null && !fits(match.handler(), path)) throw new AssertionError(match.handler() + " for " + path);
    }

    /** The same by segments, without a tree. */
    private static boolean fits(String pattern, String path) {
        String[] wanted = pattern.split("/", -1);
        String[] got = path.split("/", -1);
        for (int i = 1; i < wanted.length; i++) {
            if (Route.isTail(wanted[i])) return i < got.length;
            if (i >= got.length) return false;
            boolean isParameter = Route.isParameter(wanted[i]);
            if (isParameter ? got[i].isEmpty() : !wanted[i].equals(got[i])) return false;
        }
        return wanted.length == got.length;
    }
}
