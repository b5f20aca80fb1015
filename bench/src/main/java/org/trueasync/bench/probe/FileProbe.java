package org.trueasync.bench.probe;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.io.AsyncFile;

/**
 * Reads and writes a file that is in the system's cache, block by block: {@code FileProbe PEER FILE MILLIS}. For each
 * line that comes it makes one pass and prints {@code FILE} and, for each of {@link FileSuite#SIZES}, the microseconds
 * that a block takes to read and to write. Each of these figures is measured for {@code MILLIS} ms.
 *
 * <p>The floor is the JDK's {@link FileChannel} on a plain thread. It makes the calls that a loop would make if it were
 * allowed to block.
 */
public final class FileProbe {
    private static final int FILE_SIZE = 32 << 20;

    /** Moves one block, at the next position. */
    private interface Step {
        void move(ByteBuffer block) throws IOException;
    }

    private final Path path;
    private final long nanos;

    private FileProbe(Path path, long nanos) {
        this.path = path;
        this.nanos = nanos;
    }

    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments[1]);
        Files.write(path, new byte[FILE_SIZE]);
        var probe = new FileProbe(path, Long.parseLong(arguments[2]) * 1_000_000);
        Peer peer = Peer.valueOf(arguments[0]);
        switch (peer) {
            case OURS ->
                Async.run((Body) () -> {
                    while (true) {
                        Async.blocking(ParentWatch::awaitLine);
                        probe.pass(probe::ours);
                    }
                });
            case VIRTUAL_THREADS -> Thread.startVirtualThread(probe::passes).join();
            default -> probe.passes();
        }
    }

    private void passes() {
        while (true) {
            ParentWatch.awaitLine();
            pass(this::jdk);
        }
    }

    /** A way to read or write; returns the microseconds for each block. */
    private interface Way {
        double micros(int size, boolean write);
    }

    private void pass(Way way) {
        var line = new StringBuilder("FILE");
        for (int size : FileSuite.SIZES)
            for (boolean write : new boolean[] {false, true}) line.append(' ').append(way.micros(size, write));
        System.out.println(line);
    }

    private double ours(int size, boolean write) {
        try (var file = AsyncFile.open(path, READ, WRITE)) {
            return micros(size, write ? file::write : file::read, () -> file.seek(0));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private double jdk(int size, boolean write) {
        try (var file = FileChannel.open(path, READ, WRITE)) {
            return micros(size, write ? file::write : file::read, () -> file.position(0));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Rewind {
        void run() throws IOException;
    }

    private double micros(int size, Step step, Rewind rewind) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(size);
        long blocks = 0;
        long begin = System.nanoTime();
        long taken;
        do {
            rewind.run();
            for (int at = 0; at < FILE_SIZE; at += size) {
                step.move(block.clear());
                if (block.hasRemaining()) throw new IllegalStateException("short block");
                blocks++;
                if ((blocks & 63) == 0 && System.nanoTime() - begin > nanos) break;
            }
            taken = System.nanoTime() - begin;
        } while (taken < nanos);
        return taken / 1e3 / blocks;
    }
}
