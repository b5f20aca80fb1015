package org.trueasync.internal.file;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.file.ScriptedFile.Machine;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.work.Workers;
import org.trueasync.io.AsyncFile;

/** The handle of a file is closed, once, also if nobody is left to wait for that. */
class UnclosedFileTest {
    private static AsyncFile open() {
        return AsyncFile.open(Path.of("some"), READ, WRITE);
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) throw new AssertionError("nobody counts down");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void collectUntil(WeakReference<?> gone) {
        for (int i = 0; i < 100 && gone.get() != null; i++) System.gc();
        assertThat(gone.get()).isNull();
    }

    /** The collector has taken the file from those that the end of the run closes; that it is lost is told later. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("F21")
    void fileThatIsLost_isClosedAlthoughTheRunEndsBeforeThatIsTold(boolean closingLosesLocks) {
        var machine = new Machine(closingLosesLocks);
        var telling = new CountDownLatch(1);
        var mayTell = new CountDownLatch(1);
        try {
            machine.run().run(() -> {
                Handles.whenUnreachable(new Object(), () -> {
                    telling.countDown();
                    await(mayTell);
                });
                while (telling.getCount() > 0) {
                    System.gc();
                    Async.blocking(() -> telling.await(1, TimeUnit.SECONDS));
                }
                collectUntil(Async.await(Async.spawn(() -> new WeakReference<>(open()))));
            });
            assertThat(machine.openFiles()).isEqualTo(1);
        } finally {
            mayTell.countDown();
        }
        machine.check();
        Garbage.collect();
        machine.check();
    }

    /** Its initialiser pins the coroutine. */
    private static final class Initialised {
        static {
            pinnedFile.close();
        }

        private Initialised() {}

        static void initialise() {}
    }

    private static AsyncFile pinnedFile;

    /** All threads for files are busy, so the call that closes the file has not begun when its caller leaves. */
    @Test
    @Tag("F80")
    void fileThatAPinnedCoroutineCloses_isClosedAlthoughNobodyWaits() {
        var machine = new Machine(true);
        var mayEnd = new CountDownLatch(1);
        machine.run().run(() -> {
            pinnedFile = open();
            for (int i = 0; i < 64; i++) Workers.FILES.execute(() -> await(mayEnd));
            try {
                Async.await(Async.spawn(Initialised::initialise));
                assertThat(machine.openFiles()).isEqualTo(1);
            } finally {
                mayEnd.countDown();
            }
            Async.blocking(machine::check);
            // no lock waits for the end of that call
            try (var file = open();
                    var lock = file.lock(0, 10, false)) {
                assertThat(lock.isValid()).isTrue();
            }
        });
        machine.check();
    }
}
