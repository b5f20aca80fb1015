package org.trueasync.io;

class AllocationTest extends AllocationConformance {
    /**
     * Four system calls, and for each the JDK makes a slice of the segment for {@code errno}. Whether the compiler
     * removes that differs from one JVM to the next.
     */
    @Override
    protected int slicesOfAMessage() {
        return 4 * 40;
    }
}
