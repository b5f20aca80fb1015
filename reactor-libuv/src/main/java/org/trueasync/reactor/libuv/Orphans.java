package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Threads that each wait for the end of one child, as the JDK's do: for children without an open handle, and for
 * children that a loop can watch only by a pipe.
 */
final class Orphans {
    private static final long STACK = 128 * 1024;

    private Orphans() {}

    /**
     * Reaps a child when it ends, so that no zombie process is left.
     *
     * @param pid of a child that no other code reaps
     */
    static void reap(int pid) {
        // If no thread can be started, the system reaps it when this process has ended.
        begin("trueasync-reaper-" + pid, (errno, scratch) -> ProcessCalls.waitpid(errno, pid, 0, 0));
    }

    /**
     * Closes a descriptor when a child has ended; does not reap the child.
     *
     * @return false if no thread can be started
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
