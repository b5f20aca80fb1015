package org.trueasync.internal.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.VirtualReactor;

/** The black box of real runs. */
@Isolated("it sets system properties")
class BlackBoxTest {
    private static final int SWITCHES = 20_000;

    private final List<String> reports = Collections.synchronizedList(new ArrayList<>());

    private void run(String size, Body main) {
        System.setProperty(BlackBox.PROPERTY, size);
        Async.runtime()
                .reactor(VirtualReactor::new)
                .name("boxed")
                .spawnSites(true)
                .diagnostics(reports::add)
                .run(main);
    }

    @AfterEach
    void noBlackBox() {
        System.clearProperty(BlackBox.PROPERTY);
    }

    private static String record() throws Exception {
        var text = new StringWriter();
        RecordFile.write(text, "asked for");
        return text.toString();
    }

    @Test
    void heldLoop_isRecordedWithWhoHoldsIt() {
        var text = new AtomicReference<String>();
        var holds = new CountDownLatch(1);
        run("1", () -> {
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    holds.await();
                    text.set(record());
                } catch (Exception e) {
                    text.set(e.toString());
                }
            });
            Coroutine<?> holder = Async.spawn("holder", () -> {
                holds.countDown();
                while (text.get() == null) Thread.onSpinWait();
                return 1;
            });
            Async.await(holder);
            while (reader.isAlive()) Async.suspend();
            assertThat(text.get())
                    .contains("runtime\tboxed\n", "\tholder BlackBoxTest.java:")
                    .endsWith("complete\n");
            List<String> runs =
                    text.get().lines().filter(line -> line.startsWith("run\t")).toList();
            assertThat(runs.getLast()).endsWith("\t" + holder.id());
            assertThat(text.get()).doesNotContain("known\t");
        });
    }

    @Test
    void endsAndWakes_areTold() {
        run("1", () -> {
            Coroutine<?> failing = Async.spawn(() -> {
                Async.delay(20);
                throw new IllegalStateException("planned");
            });
            Coroutine<?> cancelled = Async.spawn(() -> Async.delay(60_000));
            Async.suspend();
            cancelled.cancel();
            try {
                failing.await();
            } catch (IllegalStateException planned) {
                Async.delay(1);
            }
            var text = new AtomicReference<String>();
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    text.set(record());
                } catch (Exception e) {
                    text.set(e.toString());
                }
            });
            while (reader.isAlive()) Async.delay(1);
            assertThat(text.get())
                    .containsPattern("wake\t-\\d+\t" + failing.id() + "\t0\ttimer")
                    .containsPattern("end\t-\\d+\t" + failing.id() + "\tfailed")
                    .containsPattern("end\t-\\d+\t" + cancelled.id() + "\tcancelled")
                    .containsPattern("known\t\\d+\t#\\d+");
        });
    }

    @Test
    void switches_allocateNothing() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        run("1", () -> {
            Async.spawn(() -> {
                for (int i = 0; i < 3 * SWITCHES; i++) Async.suspend();
            });
            for (int i = 0; i < SWITCHES; i++) Async.suspend();
            long loop = carrier();
            long before = threads.getThreadAllocatedBytes(loop);
            for (int i = 0; i < SWITCHES; i++) Async.suspend();
            // what is compiled meanwhile costs some, an object for each switch would cost 16 bytes
            assertThat(threads.getThreadAllocatedBytes(loop) - before).isLessThan(4 * SWITCHES);
        });
    }

    private static long carrier() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread.getName().contains("boxed") && !thread.getName().contains("watch"))
                .findFirst()
                .orElse(Thread.currentThread())
                .threadId();
    }

    @Test
    void sizeThatMakesNoSense_isReported_andNothingIsRecorded() {
        run("3", () -> {
            assertThat(BlackBox.runs()).isEmpty();
        });
        assertThat(reports)
                .containsExactly("org.trueasync.blackBox must be off, or a power of two from 1 to 1024 MiB, got '3'; "
                        + "nothing is recorded");
    }

    @Test
    void files_areTheirOwnersAlone_andReplaceNothing(@TempDir Path directory) throws Exception {
        String before = System.setProperty(Limits.DIRECTORY, directory.toString());
        try {
            Path first = RecordFile.write("first");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(first)))
                    .isEqualTo("rw-------");
            String begin = "trueasync-" + ProcessHandle.current().pid() + "-";
            String name = first.getFileName().toString();
            int number = Integer.parseInt(name.substring(begin.length(), name.indexOf(".box")));
            Path victim = Files.writeString(directory.resolve("victim"), "mine");
            Files.createSymbolicLink(directory.resolve(begin + (number + 1) + ".box.part"), victim);
            Files.writeString(directory.resolve(begin + (number + 2) + ".box"), "of an earlier process");
            assertThat(RecordFile.write("second")).hasFileName(begin + (number + 3) + ".box");
            assertThat(victim).hasContent("mine");
        } finally {
            if (before == null) System.clearProperty(Limits.DIRECTORY);
            else System.setProperty(Limits.DIRECTORY, before);
        }
    }
}
