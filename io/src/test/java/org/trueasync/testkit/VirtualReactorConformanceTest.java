package org.trueasync.testkit;

import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Reactor;

/** The reactor with virtual time. What needs sockets or descriptors is skipped. */
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
