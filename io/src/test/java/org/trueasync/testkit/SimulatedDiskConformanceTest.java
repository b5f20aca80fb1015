package org.trueasync.testkit;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.trueasync.internal.testkit.Chance;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.internal.testkit.disk.VirtualDisk;
import org.trueasync.spi.Reactor;

/**
 * The files of a simulated disk, each run with another seed. Left out: {@link SpecialFileConformance}, as the disk has
 * no FIFOs and devices, and the locks of other processes, since none uses it.
 */
class SimulatedDiskConformanceTest {
    private static final VirtualDisk DISK = new VirtualDisk(new SplittableRandom(1));
    private static final Path TMP = new DiskPaths(DISK.files()).getPath("/tmp");

    private static final ReactorKit KIT = new ReactorKit() {
        private long seed;

        @Override
        public Reactor create() {
            var reactor = new VirtualReactor(0, new Chance(++seed));
            reactor.mount(DISK);
            return reactor;
        }

        @Override
        public boolean hasSockets() {
            return false;
        }

        /** TCP is enough for these suites. */
        @Override
        public void requireSockets() {}

        /** The time that a file takes is virtual too. */
        @Override
        public void requireRealTime() {}

        @Override
        public void burn(Reactor reactor, long nanos) {
            ((VirtualReactor) reactor).advance(nanos);
        }
    };

    @Nested
    class Files extends FileConformance {
        Files() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return TMP;
        }
    }

    @Nested
    class Cancellation extends FileCancellationConformance {
        Cancellation() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return TMP;
        }
    }

    @Nested
    @Tag("deep")
    class Sending extends FileSendingConformance {
        Sending() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return TMP;
        }
    }

    @Nested
    class Locks extends FileLockConformance {
        Locks() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return TMP;
        }

        /** No test: no other process uses the disk. */
        @Override
        void otherProcess_isWaitedForAndALateLockIsGivenBack() {}
    }
}
