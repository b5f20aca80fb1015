package org.trueasync.testkit;

import org.trueasync.reactor.libuv.LibuvProvider;
import org.trueasync.reactor.libuv.NativeBlocks;
import org.trueasync.reactor.libuv.SentTriggers;
import org.trueasync.spi.Reactor;

/** What every reactor must pass, on libuv. */
class LibuvConformanceTest extends SystemReactorConformance {
    private static final ReactorKit KIT = new ReactorKit() {
        private final Descriptors descriptors = new NativeDescriptors();

        @Override
        public Reactor create() {
            return new LibuvProvider().create();
        }

        @Override
        public int triggersSent(Reactor reactor) {
            return SentTriggers.of(reactor);
        }

        @Override
        public long nativeBlocks() {
            return NativeBlocks.live();
        }

        @Override
        public boolean pollsForTheJdk() {
            return true;
        }

        @Override
        public Descriptors descriptors() {
            return descriptors;
        }
    };

    LibuvConformanceTest() {
        super(KIT);
    }
}
