package org.trueasync.testkit;

import org.trueasync.internal.testkit.Chance;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Reactor;

/**
 * The reactor with virtual time, with what a seed decides about the world outside: nothing that is promised depends on
 * that.
 */
class SeededReactorConformanceTest extends ReactorConformance {
    private static final ReactorKit KIT = new ReactorKit() {
        private long seed;

        @Override
        public Reactor create() {
            return new VirtualReactor(0, new Chance(++seed));
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

    SeededReactorConformanceTest() {
        super(KIT);
    }
}
