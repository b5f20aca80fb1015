package org.trueasync.bench;

import java.io.IOException;

/**
 * Ends a child when its standard input does, that is when the driver is gone: no server may outlive a run that was interrupted. What the driver
 * says before that is passed on.
 */
public final class ParentWatch {

    private ParentWatch() {}

    /** For a child to which nothing is said. */
    public static void start() {
        Thread.ofPlatform().daemon().name("parent-watch").start(() -> {
            await();
            Runtime.getRuntime().halt(0);
        });
    }

    /** Waits for one line; a driver that is gone ends this process instead. */
    public static void awaitLine() {
        if (!await()) {
            Runtime.getRuntime().halt(0);
        }
    }

    /** True for a line, false for the end of the input. */
    private static boolean await() {
        try {
            int read = System.in.read();
            while (read != -1 && read != '\n') {
                read = System.in.read();
            }
            return read == '\n';
        } catch (IOException e) {
            return false;
        }
    }
}
