package org.trueasync.testkit;

import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Reactor;

/**
 * The reactor with virtual time. TCP, UDP and Unix sockets connect the coroutines of the run. Skipped is what it does
 * not have:
 *
 * <ul>
 *   <li>descriptors, so {@code poll} and what stands on it;
 *   <li>sockets that others reach: those tests have the JDK's for a peer, which are real outside of a simulated host;
 *   <li>files of Unix sockets: names are in no file system, so nothing is left behind, replaced or protected;
 *   <li>real time: helper threads for names and for real files. The disk has {@link SimulatedDiskConformanceTest}.
 * </ul>
 */
class VirtualReactorConformanceTest extends ReactorConformance {
    private static final ReactorKit KIT = new ReactorKit() {
        @Override
        public Reactor create() {
            return new VirtualReactor();
        }

        @Override
        public boolean hasSockets() {
            return false;
        }

        @Override
        public void burn(Reactor reactor, long nanos) {
            ((VirtualReactor) reactor).advance(nanos);
        }
    };

    VirtualReactorConformanceTest() {
        super(KIT);
    }
}
