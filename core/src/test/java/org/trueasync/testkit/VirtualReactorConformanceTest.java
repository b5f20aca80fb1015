package org.trueasync.testkit;

import org.junit.jupiter.api.Nested;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Reactor;

/** The reactor with virtual time. What needs sockets or descriptors is skipped. */
class VirtualReactorConformanceTest {
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

    @Nested
    class Events extends EventConformance {
        Events() {
            super(KIT);
        }
    }

    @Nested
    class Turns extends TurnConformance {
        Turns() {
            super(KIT);
        }
    }

    @Nested
    class Timers extends TimerConformance {
        Timers() {
            super(KIT);
        }
    }

    @Nested
    class Polling extends PollConformance {
        Polling() {
            super(KIT);
        }
    }

    @Nested
    class Tcp extends TcpConformance {
        Tcp() {
            super(KIT);
        }
    }

    @Nested
    class Pipes extends PipeConformance {
        Pipes() {
            super(KIT);
        }
    }

    @Nested
    class Files extends FileConformance {
        Files() {
            super(KIT);
        }
    }

    @Nested
    class Udp extends UdpConformance {
        Udp() {
            super(KIT);
        }
    }

    @Nested
    class Names extends DnsConformance {
        Names() {
            super(KIT);
        }
    }

    @Nested
    class FileLocks extends FileLockConformance {
        FileLocks() {
            super(KIT);
        }
    }
}
