package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.spi.PollHandle.DISCONNECT;
import static org.trueasync.spi.PollHandle.READABLE;
import static org.trueasync.spi.PollHandle.WRITABLE;

import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.PollException;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.testkit.TestLoop;

@Tag("E21")
class PollTest {
    private final TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor());
    private final int[] pair = Sockets.pair();
    private final Watcher watcher = new Watcher();

    @AfterEach
    void close() {
        loop.close();
        Libc.close(pair[0]);
        Libc.close(pair[1]);
    }

    private static class Watcher implements PollHandle.Listener {
        final List<Integer> ready = new ArrayList<>();
        final List<SystemError> errors = new ArrayList<>();

        @Override
        public void onReady(int mask) {
            ready.add(mask);
        }

        @Override
        public void onError(SystemError error) {
            errors.add(error);
        }
    }

    @Test
    void notWatchedYet_nothingIsReported() {
        Sockets.write(pair[1], 1);
        loop.reactor.poll(pair[0], watcher);
        loop.collect(3);
        assertThat(watcher.ready).isEmpty();
    }

    @Test
    void bytesThere_reportedEachTurnUntilRead() {
        PollHandle poll = loop.reactor.poll(pair[0], watcher);
        poll.watch(READABLE);
        loop.collect(2);
        assertThat(watcher.ready).isEmpty();
        Sockets.write(pair[1], 3);
        loop.collect(3);
        assertThat(watcher.ready).containsExactly(READABLE, READABLE, READABLE);
        assertThat(Sockets.read(pair[0], 10)).isEqualTo(3);
        loop.collect(2);
        assertThat(watcher.ready).hasSize(3);
    }

    @Test
    void interestChanged_onlyWhatIsWatchedIsReported() {
        PollHandle poll = loop.reactor.poll(pair[0], watcher);
        Sockets.write(pair[1], 1);
        poll.watch(WRITABLE);
        loop.collect(1);
        poll.watch(READABLE | WRITABLE);
        loop.collect(1);
        poll.watch(READABLE);
        loop.collect(1);
        poll.watch(0);
        loop.collect(2);
        poll.watch(WRITABLE);
        loop.collect(1);
        assertThat(watcher.ready).containsExactly(WRITABLE, READABLE | WRITABLE, READABLE, WRITABLE);
        assertThatThrownBy(() -> poll.watch(DISCONNECT)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("E22")
    void peerGone_disconnectReported() {
        int[] other = Sockets.pair();
        PollHandle poll = loop.reactor.poll(other[0], watcher);
        poll.watch(READABLE);
        Libc.close(other[1]);
        loop.until(() -> !watcher.ready.isEmpty());
        assertThat(watcher.ready.getFirst() & DISCONNECT).isEqualTo(DISCONNECT);
        poll.close();
        Libc.close(other[0]);
    }

    /** libuv stops watching a descriptor with an error. */
    @Test
    @Tag("E22")
    void pendingError_reportedEachTurnUntilNotWatched() {
        int[] other = Sockets.pair();
        PollHandle poll = loop.reactor.poll(other[0], watcher);
        poll.watch(READABLE);
        Sockets.write(other[0], 1);
        Libc.close(other[1]); // what it has not read makes this an error
        loop.until(() -> watcher.ready.size() == 3);
        assertThat(watcher.ready).containsOnly(READABLE | WRITABLE | DISCONNECT);
        poll.watch(0);
        loop.collect(2);
        assertThat(watcher.ready).hasSize(3);
        assertThat(watcher.errors).isEmpty();
        poll.close();
        Libc.close(other[0]);
    }

    @Test
    @Tag("E22")
    void closedWhenAPendingErrorIsReported_noMoreCalls() {
        int[] other = Sockets.pair();
        PollHandle[] poll = new PollHandle[1];
        Watcher closing = new Watcher() {
            @Override
            public void onReady(int mask) {
                super.onReady(mask);
                poll[0].close();
            }
        };
        poll[0] = loop.reactor.poll(other[0], closing);
        poll[0].watch(WRITABLE);
        Sockets.write(other[0], 1);
        Libc.close(other[1]);
        loop.until(() -> !closing.ready.isEmpty());
        loop.collect(2);
        assertThat(closing.ready).hasSize(1);
        assertThat(loop.reactor.openHandles()).isZero();
        Libc.close(other[0]);
    }

    @Test
    @Tag("E12")
    void ownerClosesTheDescriptorFirst_loopLivesAndTheNumberIsFree() {
        int[] other = Sockets.pair();
        PollHandle poll = loop.reactor.poll(other[0], watcher);
        poll.watch(READABLE);
        loop.collect(1);
        Libc.close(other[0]);
        poll.watch(WRITABLE);
        loop.collect(1);
        poll.watch(0);
        poll.watch(READABLE);
        // The number is taken again, by a socket of the loop itself.
        TestLoop.Pair streams = loop.pair();
        streams.server().stream.startReading();
        streams.client().stream.tryWrite(TestLoop.bytes("hello"));
        loop.until(() -> streams.server().text.toString().equals("hello"));
        poll.close();
        Libc.close(other[1]);
    }

    @Test
    void closed_refusesAndIsIdempotent() {
        PollHandle poll = loop.reactor.poll(pair[0], watcher);
        poll.watch(WRITABLE);
        poll.close();
        poll.close();
        assertThatThrownBy(() -> poll.watch(READABLE))
                .isInstanceOf(PollException.class)
                .hasMessageContaining("EBADF (handle is closed)");
        loop.collect(2);
        assertThat(watcher.ready).isEmpty();
        assertThat(loop.reactor.openHandles()).isZero();
        Sockets.write(pair[0], 1);
    }

    @Test
    void closedInsideItsListener_noMoreCalls() {
        PollHandle[] poll = new PollHandle[1];
        Watcher closing = new Watcher() {
            @Override
            public void onReady(int mask) {
                super.onReady(mask);
                poll[0].close();
            }
        };
        poll[0] = loop.reactor.poll(pair[0], closing);
        poll[0].watch(WRITABLE);
        loop.collect(3);
        assertThat(closing.ready).containsExactly(WRITABLE);
    }

    @Test
    void descriptorNotOpen_namesItAndTheError() {
        assertThatThrownBy(() -> loop.reactor.poll(987_654, watcher))
                .isInstanceOf(PollException.class)
                .hasMessage("poll of descriptor 987654: EBADF (bad file descriptor)");
        assertThatThrownBy(() -> loop.reactor.poll(-1, watcher)).isInstanceOf(PollException.class);
        assertThat(loop.reactor.openHandles()).isZero();
    }

    @Test
    void regularFile_refusedWithItsError(@TempDir Path directory) throws Exception {
        long blocks = NativeMemory.liveBlocks();
        try (var file = new RandomAccessFile(directory.resolve("file").toFile(), "rw")) {
            assertThat(file.length()).isZero();
            int descriptor = descriptorOf(directory.resolve("file"));
            assertThatThrownBy(() -> loop.reactor.poll(descriptor, watcher))
                    .isInstanceOf(PollException.class)
                    .hasMessage("poll of descriptor " + descriptor + ": EPERM (operation not permitted)");
        }
        assertThat(NativeMemory.liveBlocks()).isEqualTo(blocks);
    }

    private static int descriptorOf(Path file) throws Exception {
        try (var entries = java.nio.file.Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                if (java.nio.file.Files.exists(entry) && java.nio.file.Files.isSameFile(entry, file))
                    return Integer.parseInt(entry.getFileName().toString());
            }
        }
        return org.junit.jupiter.api.Assumptions.abort("no /proc here");
    }
}
