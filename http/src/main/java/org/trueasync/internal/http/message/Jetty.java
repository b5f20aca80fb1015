package org.trueasync.internal.http.message;

import org.eclipse.jetty.http.HttpParser;

/** Loads what is used of Jetty. */
public final class Jetty {
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private Jetty() {}

    /**
     * Loads the parser. It brings SLF4J, which warns on standard error of a program without a logging library; as such
     * a program has not asked for one, the warning is kept back. What the program itself sets wins.
     */
    public static void load() {
        if (System.getProperty(VERBOSITY) != null) {
            load(HttpParser.class);
            return;
        }
        System.setProperty(VERBOSITY, "ERROR");
        try {
            load(HttpParser.class);
        } finally {
            System.clearProperty(VERBOSITY);
        }
    }

    private static void load(Class<?> type) {
        try {
            Class.forName(type.getName(), true, type.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
