package org.trueasync.testkit;

import org.junit.jupiter.api.Nested;

/** What every reactor must pass; each suite skips what a reactor does not have. */
abstract class ReactorConformance {
    private final ReactorKit kit;

    ReactorConformance(ReactorKit kit) {
        this.kit = kit;
    }

    @Nested
    class Events extends EventConformance {
        Events() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class EventRounds extends EventRoundConformance {
        EventRounds() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class EventWaiters extends EventWaiterConformance {
        EventWaiters() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class Turns extends TurnConformance {
        Turns() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class Timers extends TimerConformance {
        Timers() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class Polling extends PollConformance {
        Polling() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class Tcp extends TcpConformance {
        Tcp() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class Pipes extends PipeConformance {
        Pipes() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class Udp extends UdpConformance {
        Udp() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class Files extends FileConformance {
        Files() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class FileCancellation extends FileCancellationConformance {
        FileCancellation() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class FileSending extends FileSendingConformance {
        FileSending() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class SpecialFiles extends SpecialFileConformance {
        SpecialFiles() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class FileLocks extends FileLockConformance {
        FileLocks() {
            super(ReactorConformance.this.kit);
        }
    }

    @Nested
    class Names extends DnsConformance {
        Names() {
            super(ReactorConformance.this.kit);
        }
    }
}
