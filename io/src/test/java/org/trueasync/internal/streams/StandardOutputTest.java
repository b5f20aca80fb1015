package org.trueasync.internal.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Microtask;

/** Printing into a pipe that nobody reads for a while. */
@Tag("E42")
class StandardOutputTest {
    /** More than a pipe takes. */
    private static final int LINES = 3_000;

    @TempDir
    Path folder;

    private RandomAccessFile bothEnds;
    private FileInputStream reader;
    private static StandardOutput out;

    @BeforeEach
    void makePipe() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        bothEnds = new RandomAccessFile(fifo.toFile(), "rw"); // of a FIFO that does not wait for the other side
        reader = new FileInputStream(fifo.toFile());
        out = new StandardOutput(bothEnds.getFD(), "test output", true, UTF_8);
    }

    @AfterEach
    void closePipe() throws IOException {
        reader.close();
        bothEnds.close();
    }

    private static String line(String name, int i) {
        return name + i + " " + "x".repeat(60);
    }

    private static void print(String name, int lines) {
        for (int i = 0; i < lines; i++) out.println(line(name, i));
    }

    private static List<String> lines(String name, int lines) {
        var all = new ArrayList<String>();
        for (int i = 0; i < lines; i++) all.add(line(name, i));
        return all;
    }

    private <T> FutureTask<T> onAThread(Callable<T> body) {
        var task = new FutureTask<>(body);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /** Reads so many lines, each of which must be whole; once in a test, as it may read on. */
    private FutureTask<List<String>> reading(int lines) {
        return onAThread(() -> {
            var text = new BufferedReader(new InputStreamReader(reader, UTF_8));
            var found = new ArrayList<String>();
            while (found.size() < lines) found.add(text.readLine());
            return found;
        });
    }

    /** A coroutine that prints, and has come to where the pipe takes no more. */
    private static Coroutine<?> stuck(String name) {
        Coroutine<?> printer = spawn(() -> print(name, LINES));
        while (!printer.isSuspended()) suspend();
        return printer;
    }

    @Test
    void fullPipe_onlyThePrinterWaits_andNothingIsLost() throws Exception {
        FutureTask<List<String>> read = new TestRuntime().call(() -> {
            Coroutine<?> printer = stuck("a");
            for (int i = 0; i < 1_000; i++) suspend();
            assertThat(printer.isCompleted()).isFalse();
            FutureTask<List<String>> reading = reading(LINES);
            await(printer);
            return reading;
        });
        assertThat(read.get()).isEqualTo(lines("a", LINES));
    }

    @Test
    void printersOfAFullPipe_comeOneAfterAnother() throws Exception {
        List<String> read = new TestRuntime().call(() -> {
            var printers = new ArrayList<Coroutine<?>>();
            printers.add(stuck("a"));
            for (String name : List.of("b", "c", "d")) {
                printers.add(spawn(() -> out.println(line(name, 0))));
                suspend();
            }
            FutureTask<List<String>> reading = reading(LINES + 3);
            for (Coroutine<?> printer : printers) await(printer);
            return reading.get();
        });
        assertThat(read).containsAll(lines("a", LINES));
        assertThat(read.stream().filter(line -> !line.startsWith("a")).toList())
                .containsExactly(line("b", 0), line("c", 0), line("d", 0));
    }

    @Test
    void longText_isWrittenWholeAndInOrder() throws Exception {
        String text = "0123456789".repeat(30_000);
        List<String> read = new TestRuntime().call(() -> {
            Coroutine<?> printer = spawn(() -> out.println(text));
            while (!printer.isSuspended()) suspend();
            FutureTask<List<String>> reading = reading(1);
            await(printer);
            return reading.get();
        });
        assertThat(read).containsExactly(text);
    }

    @Test
    void cancelledPrinter_printsToTheEndOfTheCall_andIsCancelledAtItsNextWait() throws Exception {
        var reached = new ArrayList<String>();
        List<String> read = new TestRuntime().call(() -> {
            String text = "y".repeat(300_000);
            Coroutine<?> printer = spawn(() -> {
                out.println(text);
                reached.add("printed");
                suspend();
                reached.add("went on");
            });
            while (!printer.isSuspended()) suspend();
            printer.cancel();
            for (int i = 0; i < 10; i++) suspend();
            assertThat(reached).isEmpty();
            FutureTask<List<String>> reading = reading(1);
            assertThatThrownBy(() -> await(printer)).isInstanceOf(AsyncCancellation.class);
            return reading.get();
        });
        assertThat(reached).containsExactly("printed");
        assertThat(read).containsExactly("y".repeat(300_000));
    }

    @Test
    void printingWithACancellationDue_doesNotThrow() throws Exception {
        List<String> read = new TestRuntime().call(() -> {
            Coroutine<?> printer = spawn(() -> {
                try {
                    suspend();
                } finally {
                    print("cleaning up ", LINES);
                }
            });
            suspend();
            printer.cancel();
            FutureTask<List<String>> reading = reading(LINES);
            assertThatThrownBy(() -> await(printer)).isInstanceOf(AsyncCancellation.class);
            return reading.get();
        });
        assertThat(read).isEqualTo(lines("cleaning up ", LINES));
    }

    private static final class PrintsWhenInitialised {
        static final boolean DONE;

        static {
            print("pinned ", LINES);
            DONE = true;
        }
    }

    @Test
    void pinnedPrinter_holdsTheLoopUntilItsBytesAreOut_whoeverWaitsBeforeIt() throws Exception {
        List<String> read = new TestRuntime().call(() -> {
            Coroutine<?> printer = stuck("a");
            FutureTask<List<String>> reading = reading(2 * LINES);
            assertThat(PrintsWhenInitialised.DONE).isTrue();
            await(printer);
            return reading.get();
        });
        assertThat(read.stream().filter(line -> line.startsWith("a")).toList()).isEqualTo(lines("a", LINES));
        assertThat(read.stream().filter(line -> line.startsWith("p")).toList()).isEqualTo(lines("pinned ", LINES));
    }

    private static CountDownLatch pinnedHasBegun;

    private static final class PrintsBehindAGroup {
        static final boolean DONE;

        static {
            pinnedHasBegun.countDown();
            print("pinned ", 1);
            DONE = true;
        }
    }

    /**
     * As printStackTrace groups its lines. Suspended with the monitor, the one would keep out the other, which keeps
     * the loop from it.
     */
    @Test
    void printerThatHasTheMonitor_isNotSuspended_soThatAPinnedOneCanFollow() throws Exception {
        pinnedHasBegun = new CountDownLatch(1);
        FutureTask<List<String>> reading = onAThread(() -> {
            if (pinnedHasBegun.await(500, TimeUnit.MILLISECONDS)) return List.of("suspended in the monitor");
            FutureTask<List<String>> all = reading(LINES + 1);
            return all.get();
        });
        var expected = lines("grouped ", LINES);
        expected.add(line("pinned ", 0));
        List<String> read = new TestRuntime().call(() -> {
            Coroutine<?> printer = spawn(() -> {
                synchronized (out) {
                    print("grouped ", LINES);
                }
            });
            while (!printer.isSuspended() && !printer.isCompleted()) suspend();
            if (printer.isCompleted()) assertThat(PrintsBehindAGroup.DONE).isTrue();
            else pinnedHasBegun.countDown();
            return reading.get();
        });
        assertThat(read).isEqualTo(expected);
    }

    @Test
    void microtaskThatPrints_whileSomebodyWaitsToPrint_doesNotStopTheLoop() throws Exception {
        List<String> read = new TestRuntime().call(() -> {
            Coroutine<?> printer = stuck("a");
            FutureTask<List<String>> reading = reading(2 * LINES);
            Microtask.of(() -> print("microtask ", LINES)).enqueue();
            suspend();
            await(printer);
            return reading.get();
        });
        assertThat(read.stream().filter(line -> line.startsWith("m")).toList()).isEqualTo(lines("microtask ", LINES));
    }

    @Test
    void otherThread_waitsBehindThePrinterThatCameFirst() throws Exception {
        List<String> read = new TestRuntime().call(() -> {
            String text = "z".repeat(300_000);
            Coroutine<?> printer = spawn(() -> out.println(text));
            while (!printer.isSuspended()) suspend();
            var begins = new CountDownLatch(1);
            FutureTask<?> other = onAThread(() -> {
                begins.countDown();
                print("thread ", 1);
                return null;
            });
            begins.await();
            FutureTask<List<String>> reading = reading(2);
            await(printer);
            other.get();
            return reading.get();
        });
        assertThat(read).containsExactly("z".repeat(300_000), line("thread ", 0));
    }

    @Test
    void programsMonitor_keepsLinesTogether() throws Exception {
        FutureTask<List<String>> reading = reading(2_000);
        var printers = new ArrayList<FutureTask<?>>();
        for (String name : List.of("a", "b")) {
            printers.add(onAThread(() -> {
                for (int i = 0; i < 500; i++) {
                    synchronized (out) {
                        out.println(name + " first");
                        out.println(name + " second");
                    }
                }
                return null;
            }));
        }
        for (FutureTask<?> printer : printers) printer.get();
        List<String> read = reading.get();
        for (int i = 0; i < read.size(); i += 2)
            assertThat(read.get(i + 1)).isEqualTo(read.get(i).charAt(0) + " second");
    }

    @Test
    void streamThatFails_isTrouble_andNothingIsThrown() throws Exception {
        bothEnds.close();
        TestRuntime.run(() -> {
            out.println("to nobody");
            assertThat(out.checkError()).isTrue();
        });
    }

    @Test
    void protectedAndPlainSections_printAlike() throws Exception {
        List<String> read = new TestRuntime().call(() -> {
            FutureTask<List<String>> reading = reading(LINES);
            await(spawn(() -> protect(() -> print("p", LINES))));
            return reading.get();
        });
        assertThat(read).isEqualTo(lines("p", LINES));
    }

    @Test
    void fileAndFreePipe_areWrittenByThePrinterItself() throws Exception {
        Path file = folder.resolve("file");
        TestRuntime.run(() -> {
            try (var target = new RandomAccessFile(file.toFile(), "rw")) {
                var toFile = new StandardOutput(target.getFD(), "test output", false, UTF_8);
                Coroutine<?> other = spawn(() -> {});
                for (int i = 0; i < LINES; i++) toFile.println(i);
                out.println("fits");
                assertThat(other.isStarted()).isFalse();
            }
        });
        assertThat(Files.readAllLines(file)).hasSize(LINES).endsWith("2999");
        assertThat(reading(1).get()).containsExactly("fits");
    }
}
