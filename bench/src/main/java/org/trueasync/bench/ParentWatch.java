package org.trueasync.bench;

import java.io.IOException;

/**
 * Ends a child when its standard input ends, that is, when the driver is gone: no server may outlive a run that was
 * interrupted. A child can also wait for lines of the driver.
 */
public final class ParentWatch {

    private ParentWatch() {}

    /** Watches in a thread of its own: for a child to which the driver sends no lines. */
    public static void start() {
        Thread.ofPlatform().daemon().name("parent-watch").start(() -> {
            await();
            Runtime.getRuntime().halt(0);
        });
    }

    /** Waits for one line; if the driver is gone, ends this process instead. */
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
