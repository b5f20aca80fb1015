package org.trueasync.reactor.nio;

/** Daemon threads that wait in system calls for a loop. */
final class Pumps {
    private static final long STACK = 256 * 1024;

    private Pumps() {}

    /** Starts one. */
    static Thread start(String name, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .name("trueasync-nio-" + name)
                .inheritInheritableThreadLocals(false)
                .stackSize(STACK)
                .start(work);
    }
}
