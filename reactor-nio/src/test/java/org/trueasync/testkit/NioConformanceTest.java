package org.trueasync.testkit;

import org.trueasync.reactor.nio.NioProvider;
import org.trueasync.reactor.nio.SentTriggers;
import org.trueasync.spi.Reactor;

/** What every reactor must pass, on the JDK alone. What needs bare descriptors is skipped. */
class NioConformanceTest extends SystemReactorConformance {
    private static final ReactorKit KIT = new ReactorKit() {
        @Override
        public Reactor create() {
            return new NioProvider().create();
        }

        @Override
        public int triggersSent(Reactor reactor) {
            return SentTriggers.of(reactor);
        }
    };

    NioConformanceTest() {
        super(KIT);
    }
}
