package org.trueasync.http;

/** The parts of a path that a route names. */
final class PathValues {
    static final PathValues NONE = new PathValues(new String[0], new String[0]);

    private final String[] names;
    private final String[] values;

    PathValues(String[] names, String[] values) {
        this.names = names;
        this.values = values;
    }

    String get(String name) {
        for (int i = 0; i < names.length; i++) if (names[i].equals(name)) return values[i];
        throw new IllegalArgumentException("the route has no part {" + name + "}; it has " + String.join(", ", names));
    }
}
