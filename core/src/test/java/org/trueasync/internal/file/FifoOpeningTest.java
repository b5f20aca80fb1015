package org.trueasync.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.FileHandle;

/** A helper thread that enters the system's call when its opening was given up and the FIFO was made anew. */
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

    /** What was opened for somebody who has given up is the other side of the next opening until it is closed. */
    @Test
    void openedForSomebodyWhoHasGivenUp_isClosedBeforeTheNextOpeningBegins() {
        TestRuntime.run(() -> {
            Path fifo = fifo().toRealPath();
            var begun = new CountDownLatch(1);
            var late = new CountDownLatch(1);
            var mayClose = new CountDownLatch(1);
            var closes = (FileHandle) Proxy.newProxyInstance(
                    FileHandle.class.getClassLoader(), new Class<?>[] {FileHandle.class}, (proxy, method, args) -> {
                        if (method.getName().equals("close")) mayClose.await();
                        return method.getReturnType() == boolean.class ? false : null;
                    });
            Coroutine<?> first = Async.spawn(() -> open(fifo, begun, late, StandardOpenOption.READ, closes));
            Async.blocking(() -> {
                begun.await();
                return null;
            });
            first.cancel();
            assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);

            var entered = new CountDownLatch(1);
            Coroutine<?> second =
                    Async.spawn(() -> open(fifo, entered, new CountDownLatch(0), StandardOpenOption.WRITE, opened));
            Async.suspend();
            late.countDown();
            assertThat((boolean) Async.blocking(() -> entered.await(100, TimeUnit.MILLISECONDS)))
                    .isFalse();
            mayClose.countDown();
            Async.blocking(() -> {
                entered.await();
                FileChannel.open(fifo, StandardOpenOption.READ).close();
                return null;
            });
            assertThat(Async.await(second)).isSameAs(opened);
        });
    }

    private FileHandle open(Path fifo, CountDownLatch begun, CountDownLatch goOn, OpenOption option) {
        return open(fifo, begun, goOn, option, opened);
    }

    private static FileHandle open(
            Path fifo, CountDownLatch begun, CountDownLatch goOn, OpenOption option, FileHandle handle) {
        return FifoOpening.open(
                Runtimes.here("open"),
                "open",
                fifo,
                () -> {
                    begun.countDown();
                    goOn.await();
                    FileChannel.open(fifo, option).close();
                    return handle;
                },
                null);
    }

    @Test
    void fifoMadeAnewBeforeAThreadThatIsLate_isNotOpenedByIt() {
        TestRuntime.run(() -> {
            Path fifo = fifo().toRealPath();
            var begun = new CountDownLatch(1);
            var late = new CountDownLatch(1);
            Coroutine<?> first = Async.spawn(() -> open(fifo, begun, late, StandardOpenOption.READ));
            Async.blocking(() -> {
                begun.await();
                return null;
            });
            first.cancel();
            assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);

            Files.delete(fifo);
            fifo();
            var ready = new CountDownLatch(0);
            var entered = new CountDownLatch(1);
            Coroutine<?> second = Async.spawn(() -> open(fifo, entered, ready, StandardOpenOption.WRITE));
            Async.suspend();
            late.countDown();
            Async.blocking(() -> {
                entered.await();
                return null;
            });
            Async.blocking(() -> null);
            assertThat(second.isCompleted()).isFalse();
            Async.blocking(() -> {
                FileChannel.open(fifo, StandardOpenOption.READ).close();
                return null;
            });
            assertThat(Async.await(second)).isSameAs(opened);
        });
    }
}
