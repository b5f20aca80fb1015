package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.testkit.TestLoop.bytes;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.testkit.TestLoop;

@Tag("F22")
class LifeTest {
    private static final PollHandle.Listener DEAF = new PollHandle.Listener() {
        @Override
        public void onReady(int ready) {}

        @Override
        public void onError(SystemError error) {}
    };

    /** A loop in the middle of everything, left to close() to clear up. */
    private static void liveABit() {
        int[] sockets = Sockets.pair();
        try (TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor())) {
            TestLoop.Pair pair = loop.pair();
            pair.server().stream.startReading();
            pair.client().stream.tryWrite(bytes("hello"));
            pair.client().stream.write(java.nio.ByteBuffer.allocate(1 << 22));
            pair.client().stream.shutdown();
            loop.collect(1);
            loop.reactor.poll(sockets[0], DEAF).watch(PollHandle.WRITABLE);
            loop.reactor.connect(pair.listener().address(), new TestLoop.Recorder());
            loop.reactor.alarm(loop.reactor.nanoTime() + 1_000_000_000_000L);
            loop.reactor.trigger();
            assertThat(loop.reactor.openHandles()).isEqualTo(5);
        }
        Libc.close(sockets[0]);
        Libc.close(sockets[1]);
    }

    @Test
    @Tag("F77")
    @Tag("deep")
    void hundredLoopsInARow_leaveNoMemoryAndNoDescriptor() throws Exception {
        liveABit();
        long blocks = NativeMemory.liveBlocks();
        long descriptors = descriptors();
        for (int i = 0; i < 100; i++) liveABit();
        assertThat(NativeMemory.liveBlocks()).isEqualTo(blocks);
        assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 2); // the VM opens its own now and then
    }

    private static long descriptors() throws Exception {
        Path directory = Path.of("/proc/self/fd");
        if (!Files.isDirectory(directory)) return 0;
        try (var entries = Files.list(directory)) {
            return entries.count();
        }
    }

    @Test
    void connectionsComeAndGo_handlesAndMemoryReturnToTheirStart() {
        try (TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor())) {
            TestLoop.Server server = loop.serve();
            long blocks = NativeMemory.liveBlocks();
            for (int i = 0; i < 100; i++) {
                TestLoop.Pair pair = loop.pair(server);
                pair.client().stream.close();
                pair.server().stream.close();
            }
            loop.until(() -> loop.reactor.openHandles() == 1);
            assertThat(NativeMemory.liveBlocks()).isEqualTo(blocks);
        }
    }

    @Test
    void twoLoopsOnTwoThreads_doNotMixTheirHandles() throws Exception {
        Throwable[] failure = new Throwable[1];
        Thread other = Thread.ofPlatform().start(() -> {
            try {
                for (int i = 0; i < 20; i++) liveABit();
            } catch (Throwable t) {
                failure[0] = t;
            }
        });
        for (int i = 0; i < 20; i++) liveABit();
        other.join();
        assertThat(failure[0]).isNull();
    }
}
