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
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;
import org.trueasync.spi.FileHandle;

/** Opens a file on a helper thread. */
final class Opening {
    private static final int FORMAT = 0xf000;
    private static final int FIFO = 0x1000;

    private Opening() {}

    /** Throws if options exclude each other. Checked here, so that the message is the same with every reactor. */
    static void check(Path path, Set<? extends OpenOption> options) {
        if (!options.contains(StandardOpenOption.APPEND)) return;
        for (StandardOpenOption other :
                new StandardOpenOption[] {StandardOpenOption.READ, StandardOpenOption.TRUNCATE_EXISTING})
            if (options.contains(other))
                throw new IllegalArgumentException("open " + path + ": APPEND and " + other + " exclude each other");
    }

    /** Opens a file; suspends. If the caller has left when the file is open, it is closed. */
    static FileHandle open(
            Loop loop,
            Path path,
            Set<? extends OpenOption> options,
            FileAttribute<?>[] attributes,
            @Nullable Completable<?> token) {
        String what = "open of " + path;
        Callable<FileHandle> opening = () -> loop.reactor().open(path, options, attributes);
        try {
            // a simulated disk has no FIFOs, and the system's are not asked for
            if (loop.reactor().helpers(Workers.FILES, what) != Workers.FILES)
                return Work.await(loop, Workers.FILES, what, opening, late -> discard(loop, late), token);
            Found found = Work.await(
                    loop, Workers.FILES, what, () -> openUnlessItWaits(path, opening), Found::discard, token);
            if (found.handle != null) return found.handle;
            // opening may wait, perhaps for ever: on threads that regular files do not need
            return found.fifo != null
                    ? FifoOpening.open(loop, what, found.fifo, opening, token)
                    : Work.await(loop, Workers.DEVICES, what, opening, Opening::discard, token);
        } catch (InputOutputException e) {
            throw IoRequest.again(e);
        }
    }

    /**
     * Result of the first attempt.
     *
     * @param handle the file; null if opening it may take long
     * @param fifo its real path, if it is a FIFO, else null
     */
    private record Found(
            @Nullable FileHandle handle, @Nullable Path fifo) {
        void discard() {
            if (handle != null) Opening.discard(handle);
        }
    }

    private static Found openUnlessItWaits(Path path, Callable<FileHandle> opening) throws Exception {
        try {
            var file = Files.readAttributes(path, BasicFileAttributes.class);
            if (file.isOther()) return new Found(null, isFifo(path) ? path.toRealPath() : null);
        } catch (IOException e) {
            // the file does not exist yet, or opening it fails with the right error
        }
        return new Found(opening.call(), null);
    }

    /** True if the path is a FIFO. Asks the disk. */
    private static boolean isFifo(Path path) {
        try {
            return ((int) Files.getAttribute(path, "unix:mode") & FORMAT) == FIFO;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Loop thread. */
    static void discard(Loop loop, FileHandle late) {
        loop.reactor().helpers(Workers.FILES, "close of a file").execute(() -> close(late));
    }

    static void discard(FileHandle late) {
        Workers.FILES.execute(() -> close(late));
    }

    /** Closes a file whose caller has left. Not on the loop thread. */
    static void close(FileHandle late) {
        if (LockTable.mayClose(late, () -> Workers.FILES.execute(() -> closeNow(late)))) closeNow(late);
    }

    private static void closeNow(FileHandle late) {
        try {
            late.close();
        } catch (InputOutputException e) {
            // there is no caller left to report to
        } finally {
            LockTable.closed(late);
        }
    }
}
