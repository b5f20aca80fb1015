package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Threads that wait for one child each and do nothing else, as the JDK has them: for children that no loop watches. */
final class Orphans {
    private static final long STACK = 128 * 1024;

    private Orphans() {}

    /**
     * Reaps a child when it ends, so that no zombie stays behind.
     *
     * @param pid of a child that nobody else reaps
     */
    static void reap(int pid) {
        // Without a thread the system does it when this process ends.
        begin("trueasync-reaper-" + pid, (errno, scratch) -> ProcessCalls.waitpid(errno, pid, 0, 0));
    }

    /**
     * Closes a descriptor when a child has ended, which is left to be reaped.
     *
     * @return false if there is no thread to be had
     */
    static boolean closeAtEnd(int pid, int descriptor) {
        return begin("trueasync-child-" + pid, (errno, scratch) -> {
            ProcessCalls.awaitEnd(errno, pid, scratch);
            Libc.close(descriptor);
        });
    }

    private interface Wait {
        void run(MemorySegment errno, MemorySegment scratch);
    }

    private static boolean begin(String name, Wait wait) {
        try {
            Thread.ofPlatform()
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .stackSize(STACK)
                    .name(name)
                    .start(() -> {
                        try (Arena arena = Arena.ofConfined()) {
                            wait.run(
                                    arena.allocate(SocketCalls.ERRNO_LAYOUT),
                                    arena.allocate(ProcessCalls.scratchSize(), 8));
                        }
                    });
            return true;
        } catch (OutOfMemoryError noThread) {
            return false;
        }
    }
}
