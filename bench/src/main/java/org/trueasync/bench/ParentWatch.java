package org.trueasync.bench;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Ends a child when its standard input ends, that is, when the driver is gone: no server may outlive a run that was
 * interrupted. A child can also wait for lines of the driver.
 */
public final class ParentWatch {

    private ParentWatch() {}

    /** Watches in a thread of its own: for a child to which the driver sends no lines. */
    public static void start() {
        start(line -> {});
    }

    /** Watches in a thread of its own, which hands over each line that the driver sends. */
    public static void start(Consumer<String> lines) {
        Thread.ofPlatform().daemon().name("parent-watch").start(() -> {
            while (true) lines.accept(awaitLine());
        });
    }

    /** Waits for one line; if the driver is gone, ends this process instead. */
    public static String awaitLine() {
        var line = new StringBuilder();
        try {
            int read = System.in.read();
            while (read != -1 && read != '\n') {
                line.append((char) read);
                read = System.in.read();
            }
            if (read == '\n') return line.toString();
        } catch (IOException e) {
            // the driver is gone
        }
        Runtime.getRuntime().halt(0);
        throw new AssertionError("halted");
    }
}
