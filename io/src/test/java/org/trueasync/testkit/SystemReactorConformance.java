package org.trueasync.testkit;

import org.junit.jupiter.api.Nested;

/** What every reactor on a real operating system must pass. */
abstract class SystemReactorConformance extends ReactorConformance {
    private final ReactorKit kit;

    SystemReactorConformance(ReactorKit kit) {
        this.kit = kit;
        super(kit);
    }

    @Nested
    class LoopTurns extends LoopTurnConformance {
        LoopTurns() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class Saturation extends SaturationConformance {
        Saturation() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class TimedParks extends TimedParkConformance {
        TimedParks() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class VirtualThreads extends VirtualThreadConformance {
        VirtualThreads() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class JdkSocketInfo extends JdkSocketInfoConformance {
        JdkSocketInfo() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class JdkSockets extends JdkSocketConformance {
        JdkSockets() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class JdkSocketsOfRuns extends JdkSocketRunsConformance {
        JdkSocketsOfRuns() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class JdkSocketChurn extends JdkSocketChurnConformance {
        JdkSocketChurn() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class JdkSocketsAgain extends JdkSocketAgainConformance {
        JdkSocketsAgain() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class JdkSocketsWithoutMemory extends JdkSocketWithoutMemoryConformance {
        JdkSocketsWithoutMemory() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class JdkSocketsPinned extends JdkSocketPinnedConformance {
        JdkSocketsPinned() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class Triggers extends TriggerConformance {
        Triggers() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class FailingListeners extends FailingListenerConformance {
        FailingListeners() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class StreamHandles extends StreamHandleConformance {
        StreamHandles() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class ListenHandles extends ListenHandleConformance {
        ListenHandles() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class Children extends ChildConformance {
        Children() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class SystemSignals extends SignalConformance {
        SystemSignals() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class Watching extends WatchConformance {
        Watching() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class Sources extends EventsConformance {
        Sources() {
            super(SystemReactorConformance.this.kit);
        }
    }

    @Nested
    class LostHandles extends LostHandlesConformance {
        LostHandles() {
            super(SystemReactorConformance.this.kit);
        }
    }
}
