package org.trueasync.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.FileHandle;

/** A helper thread that enters the system's call when its opening was given up already. */
@Tag("F35")
class FifoOpeningTest {
    @TempDir
    Path folder;

    private final FileHandle opened = (FileHandle) Proxy.newProxyInstance(
            FileHandle.class.getClassLoader(),
            new Class<?>[] {FileHandle.class},
            (proxy, method, args) -> method.getReturnType() == boolean.class ? false : null);

    private Path fifo() throws IOException, InterruptedException {
        Path fifo = folder.resolve("fifo");
        int status = new ProcessBuilder("mkfifo", "-m", "600", fifo.toString())
                .start()
                .waitFor();
        assumeTrue(status == 0, "no mkfifo here");
        return fifo;
    }

    private FileHandle open(Path fifo, CountDownLatch begun, CountDownLatch goOn, CountDownLatch returned) {
        return FifoOpening.open(
                Runtimes.here("open"),
                "open",
                fifo,
                () -> {
                    begun.countDown();
                    goOn.await();
                    FileChannel.open(fifo, StandardOpenOption.READ).close();
                    returned.countDown();
                    return opened;
                },
                null);
    }

    /** The first attempt to free it comes before it is in the system's call. */
    @Test
    void threadThatIsLate_isFreed() {
        TestRuntime.run(() -> {
            Path fifo = fifo().toRealPath();
            var begun = new CountDownLatch(1);
            var late = new CountDownLatch(1);
            var returned = new CountDownLatch(1);
            Coroutine<?> first = Async.spawn(() -> open(fifo, begun, late, returned));
            Async.blocking(() -> {
                begun.await();
                return null;
            });
            first.cancel();
            assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);
            late.countDown();
            Async.blocking(() -> {
                returned.await();
                return null;
            });
        });
    }
}
