package org.trueasync.reactor.nio;

/** Starts daemon threads that make blocking calls for a loop. */
final class Pumps {
    private static final long STACK = 256 * 1024;

    private Pumps() {}

    /** Starts a thread; its name gets the prefix {@code trueasync-nio-}. */
    static Thread start(String name, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .name("trueasync-nio-" + name)
                .inheritInheritableThreadLocals(false)
                .stackSize(STACK)
                .start(work);
    }
}
