package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestLoop.loopback;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.spi.TcpHandle;
import org.trueasync.testkit.TestLoop;

/** No native block is lost where something is thrown. */
class BlocksTest {
    @Test
    void buffersMemoryBelongsToAnotherThread_noBlockIsLost() throws InterruptedException {
        try (var loop = new TestLoop<>(new UvReactor())) {
            TcpHandle client = loop.pair().client().stream;
            var made = new AtomicReference<ByteBuffer>();
            Thread.ofPlatform()
                    .start(() -> made.set(Arena.ofConfined().allocate(10).asByteBuffer()))
                    .join();
            long blocks = NativeMemory.liveBlocks();
            assertThatThrownBy(() -> client.tryWrite(made.get())).isInstanceOf(WrongThreadException.class);
            assertThatThrownBy(() -> client.write(made.get())).isInstanceOf(WrongThreadException.class);
            assertThat(NativeMemory.liveBlocks()).isEqualTo(blocks);
        }
    }

    @Test
    @Tag("F22")
    void pathTooLongToConnectTo_leavesNoHandle() {
        try (var loop = new TestLoop<>(new UvReactor())) {
            long blocks = NativeMemory.liveBlocks();
            Path tooLong = Path.of("/" + "x".repeat(200));
            assertThatThrownBy(() -> loop.reactor.connectUnix(tooLong, new TestLoop.Recorder()))
                    .hasMessageContaining("ENAMETOOLONG");
            assertThat(loop.reactor.openHandles()).isZero();
            assertThat(NativeMemory.liveBlocks()).isEqualTo(blocks);
        }
    }

    @Test
    void closedCallThrowsDuringClose_everyBlockIsFreed() {
        UvReactor reactor = new UvReactor();
        long blocks = NativeMemory.liveBlocks();
        reactor.connect(loopback(1), new TestLoop.Recorder() {
            @Override
            public void onClosed() {
                throw new IllegalStateException("onClosed");
            }
        });
        assertThatThrownBy(reactor::close).hasMessage("onClosed");
        assertThat(NativeMemory.liveBlocks()).isEqualTo(blocks);
    }
}
