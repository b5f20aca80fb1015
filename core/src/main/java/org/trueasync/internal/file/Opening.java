package org.trueasync.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.internal.kernel.Scheduler;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;
import org.trueasync.spi.FileHandle;

/** Opens a file on a helper thread. */
final class Opening {
    private Opening() {}

    /** Fails if these don't go together; the words are ours, as each reactor would have others. */
    static void check(Path path, Set<? extends OpenOption> options) {
        if (!options.contains(StandardOpenOption.APPEND)) return;
        for (StandardOpenOption other :
                new StandardOpenOption[] {StandardOpenOption.READ, StandardOpenOption.TRUNCATE_EXISTING})
            if (options.contains(other))
                throw new IllegalArgumentException("open " + path + ": APPEND and " + other + " exclude each other");
    }

    /** Suspends. A file that comes when the caller has left is closed. */
    static FileHandle open(
            Scheduler scheduler,
            Path path,
            Set<? extends OpenOption> options,
            FileAttribute<?>[] attributes,
            @Nullable Completable<?> token) {
        String what = "open of " + path;
        Callable<FileHandle> opening = () -> scheduler.reactor.open(path, options, attributes);
        try {
            // A FIFO waits for its other side, perhaps for ever: on threads that files do not need.
            FileHandle file = new Work<FileHandle>(
                            scheduler,
                            Workers.FILES,
                            what,
                            () -> mayTakeLong(path) ? null : opening.call(),
                            Opening::discard)
                    .await(token);
            return file != null ? file : Work.await(scheduler, Workers.DEVICES, what, opening, Opening::discard, token);
        } catch (InputOutputException e) {
            throw IoRequest.again(e);
        }
    }

    private static boolean mayTakeLong(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).isOther();
        } catch (IOException e) {
            return false;
        }
    }

    private static void discard(FileHandle late) {
        Workers.FILES.execute(() -> {
            try {
                late.close();
            } catch (InputOutputException e) {
                // nobody is left who could be told
            }
        });
    }
}
