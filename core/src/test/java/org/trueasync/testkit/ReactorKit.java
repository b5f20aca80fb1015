package org.trueasync.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.trueasync.spi.Reactor;

/** A reactor under test, and what its tests need besides. */
public interface ReactorKit {
    /** A new reactor for the calling thread. */
    Reactor create();

    /** Whether it listens and connects, also to and from what is not on the loop. */
    default boolean hasSockets() {
        return true;
    }

    /** Whether it connects the coroutines of a loop with each other. */
    default boolean hasNetwork() {
        return true;
    }

    /** Whether it starts child processes. */
    default boolean hasChildren() {
        return hasSockets();
    }

    /**
     * System calls that triggers have cost so far.
     *
     * @param reactor from {@link #create}
     */
    default int triggersSent(Reactor reactor) {
        throw new UnsupportedOperationException("this reactor makes no system calls");
    }

    /** Native blocks that are allocated now, in the whole process; 0 if the reactor has none. */
    default long nativeBlocks() {
        return 0;
    }

    /** Whether a loop on it polls the JDK's sockets itself. */
    default boolean pollsForTheJdk() {
        return false;
    }

    /** Bare descriptors to poll; null if the reactor knows none. */
    default Descriptors descriptors() {
        return null;
    }

    /**
     * Lets time pass on the reactor's clock without giving control away, as a long computation does.
     *
     * @param reactor whose clock
     * @param nanos how much
     */
    default void burn(Reactor reactor, long nanos) {
        long end = reactor.nanoTime() + nanos;
        while (reactor.nanoTime() - end < 0) Thread.onSpinWait();
    }

    /**
     * Skips the test on virtual time, which does not wait for what happens in real time while there is a time limit to
     * jump to.
     */
    default void requireRealTime() {
        assumeTrue(hasSockets(), "this reactor's time is virtual");
    }

    /** Skips the test where there are no sockets. */
    default void requireSockets() {
        assumeTrue(hasSockets(), "this reactor has no sockets");
    }

    /** Skips the test where coroutines of a loop can't reach each other. */
    default void requireNetwork() {
        assumeTrue(hasNetwork(), "this reactor has no network");
    }

    /** The descriptors; skips the test where there are none. */
    default Descriptors requireDescriptors() {
        Descriptors found = descriptors();
        assumeTrue(found != null, "this reactor has no descriptors");
        return found;
    }

    /** System calls on bare descriptors. */
    interface Descriptors {
        /** Two connected stream sockets. */
        int[] pair();

        /**
         * Writes bytes whose value does not matter.
         *
         * @param descriptor where to
         * @param count how many
         */
        void write(int descriptor, int count);

        /**
         * Reads what is there, at most so much.
         *
         * @param descriptor where from
         * @param most how many
         * @return how many were read
         */
        int read(int descriptor, int most);

        /**
         * Writes until no more is taken.
         *
         * @param descriptor where to
         */
        void fill(int descriptor);

        /**
         * Reads until nothing is left.
         *
         * @param descriptor where from
         */
        default void drain(int descriptor) {
            while (read(descriptor, 1 << 16) > 0) {
                // again
            }
        }

        /**
         * Closes it.
         *
         * @param descriptor no longer used
         */
        void close(int descriptor);
    }
}
