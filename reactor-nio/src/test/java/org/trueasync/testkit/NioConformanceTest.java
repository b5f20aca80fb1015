package org.trueasync.testkit;

import org.junit.jupiter.api.Nested;
import org.trueasync.reactor.nio.NioProvider;
import org.trueasync.spi.Reactor;

/** What every reactor must pass, on the JDK alone. What needs bare descriptors is skipped. */
class NioConformanceTest {
    private static final ReactorKit KIT = new ReactorKit() {
        @Override
        public Reactor create() {
            return new NioProvider().create();
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
    class Udp extends UdpConformance {
        Udp() {
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
    class LoopTurns extends LoopTurnConformance {
        LoopTurns() {
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
    class FailingListeners extends FailingListenerConformance {
        FailingListeners() {
            super(KIT);
        }
    }

    @Nested
    class StreamHandles extends StreamHandleConformance {
        StreamHandles() {
            super(KIT);
        }
    }

    @Nested
    class ListenHandles extends ListenHandleConformance {
        ListenHandles() {
            super(KIT);
        }
    }

    @Nested
    class Watching extends WatchConformance {
        Watching() {
            super(KIT);
        }
    }

    @Nested
    class FileLocks extends FileLockConformance {
        FileLocks() {
            super(KIT);
        }
    }

    @Nested
    class Children extends ChildConformance {
        Children() {
            super(KIT);
        }
    }

    @Nested
    class SystemSignals extends SignalConformance {
        SystemSignals() {
            super(KIT);
        }
    }

    @Nested
    class Sources extends EventsConformance {
        Sources() {
            super(KIT);
        }
    }
}
