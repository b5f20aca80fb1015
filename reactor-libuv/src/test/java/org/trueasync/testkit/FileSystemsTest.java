package org.trueasync.testkit;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.trueasync.reactor.libuv.LibuvProvider;
import org.trueasync.spi.Reactor;

/** The tests of files on the file systems where libuv's reactor writes on the loop thread. {@code -Dorg.trueasync.test.xfs} names a folder on XFS, if the usual one is not there. */
class FileSystemsTest {
    private static final ReactorKit KIT = new ReactorKit() {
        @Override
        public Reactor create() {
            return new LibuvProvider().create();
        }
    };

    private static Path on(String type, String... folders) {
        for (String folder : folders) {
            Path path = Path.of(folder);
            try {
                if (Files.isWritable(path) && Files.getFileStore(path).type().equals(type)) return path;
            } catch (IOException e) {
                // the next one
            }
        }
        return abort("no " + type + " in " + List.of(folders));
    }

    private static Path tmpfs() {
        return on("tmpfs", System.getProperty("java.io.tmpdir"), "/dev/shm", "/run/user/0");
    }

    private static Path xfs() {
        return on("xfs", System.getProperty("org.trueasync.test.xfs", "/"), System.getProperty("java.io.tmpdir"));
    }

    @Nested
    class InMemory extends FileConformance {
        InMemory() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return tmpfs();
        }
    }

    @Nested
    class CancelledInMemory extends FileCancellationConformance {
        CancelledInMemory() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return tmpfs();
        }
    }

    @Nested
    class OnXfs extends FileConformance {
        OnXfs() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return xfs();
        }
    }

    @Nested
    class CancelledOnXfs extends FileCancellationConformance {
        CancelledOnXfs() {
            super(KIT);
        }

        @Override
        protected Path fileSystem() {
            return xfs();
        }
    }
}
