package org.trueasync.testkit;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;
import org.trueasync.reactor.libuv.FileSystems;
import org.trueasync.reactor.libuv.LibuvProvider;
import org.trueasync.spi.Reactor;

/** The tests of files on the file systems where libuv's reactor writes on the loop thread. */
class FileSystemsTest {
    private static final ReactorKit KIT = new ReactorKit() {
        @Override
        public Reactor create() {
            return new LibuvProvider().create();
        }
    };

    private static final @Nullable Path TMPFS = FileSystems.on("tmpfs");
    private static final @Nullable Path XFS = FileSystems.on("xfs");

    static boolean hasTmpfs() {
        return TMPFS != null;
    }

    static boolean hasXfs() {
        return XFS != null;
    }

    @Nested
    @EnabledIf("org.trueasync.testkit.FileSystemsTest#hasTmpfs")
    class InMemory extends FileConformance {
        InMemory() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return TMPFS;
        }
    }

    @Nested
    @EnabledIf("org.trueasync.testkit.FileSystemsTest#hasTmpfs")
    class CancelledInMemory extends FileCancellationConformance {
        CancelledInMemory() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return TMPFS;
        }
    }

    @Nested
    @EnabledIf("org.trueasync.testkit.FileSystemsTest#hasXfs")
    class OnXfs extends FileConformance {
        OnXfs() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return XFS;
        }
    }

    @Nested
    @EnabledIf("org.trueasync.testkit.FileSystemsTest#hasXfs")
    class CancelledOnXfs extends FileCancellationConformance {
        CancelledOnXfs() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return XFS;
        }
    }
}
