package org.trueasync.bench.probe;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.trueasync.Async;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.io.AsyncFile;

/**
 * Goes through a file that is in memory, in blocks of one size: {@code FileProbe PEER FOLDER MILLIS} prints {@code FILE} and, for each of {@link
 * FileSuite#SIZES}, the microseconds that a block takes to read and to write; best of twenty.
 *
 * <p>The floor is the JDK's {@link FileChannel} on a plain thread, which is what a loop would do that does not mind being held.
 */
public final class FileProbe {
    private static final int FILE_SIZE = 32 << 20;
    private static final int ROUNDS = 20;
    private static final int WARM_UP = 20;

    /** One block, at the position that follows. */
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
        ParentWatch.start();
        Path path = Files.createTempFile(Path.of(arguments[1]), "file-probe", ".data");
        var probe = new FileProbe(path, Long.parseLong(arguments[2]) * 1_000_000);
        try {
            Files.write(path, new byte[FILE_SIZE]);
            StringBuilder line = new StringBuilder("FILE");
            Peer peer = Peer.valueOf(arguments[0]);
            Runnable all = () -> {
                for (int size : FileSuite.SIZES)
                    for (boolean write : new boolean[] {false, true})
                        line.append(' ').append(peer == Peer.OURS ? probe.ours(size, write) : probe.jdk(size, write));
            };
            switch (peer) {
                case OURS -> Async.run(all::run);
                case VIRTUAL_THREADS -> Thread.startVirtualThread(all).join();
                default -> all.run();
            }
            System.out.println(line);
        } finally {
            Files.delete(path);
        }
        System.exit(0);
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
        double[] each = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
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
            if (round >= 0) each[round] = taken / 1e3 / blocks;
        }
        return Arrays.stream(each).min().orElseThrow();
    }
}
