package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.spi.SchedulerProvider;

/** What only inotify behind libuv does; the rest is in the conformance suite. */
public abstract class FileSystemWatcherConformance {
    @TempDir
    Path folder;

    /** In a folder of its own, with a watched folder in it: more is changed at once than the system keeps. */
    private final class Flood {
        final Path root;

        Flood(int round) throws IOException {
            root = folder.resolve("round" + round);
            Files.createDirectories(root.resolve("there/x"));
            Files.createFile(root.resolve("one"));
        }

        /** Holds the loop for longer than fs.inotify.max_queued_events last, each move being two. */
        void make() throws IOException {
            for (int i = 0; i < 4_250; i++) {
                Files.move(root.resolve("one"), root.resolve("two"));
                Files.move(root.resolve("two"), root.resolve("one"));
            }
            Files.createDirectory(root.resolve("late"));
            Files.delete(root.resolve("there/x"));
            Files.delete(root.resolve("there"));
            Files.createFile(root.resolve("last"));
        }

        /** True if events were lost; false if a thread beside the loop was fast enough to collect all. */
        boolean wasLossy(FileSystemWatcher watcher) {
            for (String name = ""; !"last".equals(name); ) {
                name = nextName(watcher);
                if (name == null) return true;
                // a folder in it may be reported out of turn; the turn of "late" has come: it is not lost
                if (!name.equals("one") && !name.equals("two") && !name.startsWith("there")) return false;
            }
            return false;
        }
    }

    private static @Nullable String nextName(FileSystemWatcher watcher) {
        FileSystemEvent event = watcher.next();
        if (event == null) throw new AssertionError("the watcher has ended");
        return event.filename();
    }

    @Test
    @Tag("E49")
    void loopHeldUntilTheSystemLosesEvents_oneWithoutANameSaysSo_andNoFolderIsMissed() {
        Runs.testRun().timeLimit(Duration.ofSeconds(120)).run(() -> {
            for (int round = 0; round < 50; round++) {
                var flood = new Flood(round);
                try (var watcher =
                        FileSystemWatcher.builder(flood.root).recursive().build()) {
                    flood.make();
                    if (!flood.wasLossy(watcher)) continue;
                    // the folder that nobody was told of is found; then it is watched
                    Coroutine<?> writer = Async.spawn(() -> {
                        for (int i = 0; ; i++) {
                            Files.createFile(flood.root.resolve("late/inside" + i));
                            Async.delay(1);
                        }
                    });
                    String name = "";
                    while (name == null || !name.startsWith("late/inside")) name = nextName(watcher);
                    writer.cancel();
                    // the folders that are gone are not watched any more: these are the root and "late"
                    for (int i = 0;
                            i < 5000 && SchedulerProvider.get().reactor().openHandles() != 2;
                            i++) Async.delay(1);
                    assertThat(SchedulerProvider.get().reactor().openHandles()).isEqualTo(2);
                    return;
                }
            }
            throw new AssertionError("no event was lost");
        });
    }

    @Test
    @Tag("deep")
    @Tag("F22")
    void tenThousandTimesOpenedAndClosed_nothingGrows() {
        Runs.testRun().timeLimit(Duration.ofSeconds(120)).run(() -> {
            Files.createDirectories(folder.resolve("a/b"));
            rounds(500);
            long descriptors = descriptors();
            long watches = inotifyWatches();
            long heap = Garbage.bytesThatStay();
            rounds(10_000);
            assertThat(SchedulerProvider.get().reactor().openHandles()).isZero();
            assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 2);
            assertThat(inotifyWatches()).isEqualTo(watches).isZero();
            assertThat(Garbage.bytesThatStay() - heap).isLessThan(8L << 20);
        });
    }

    private void rounds(int count) throws IOException {
        Path file = folder.resolve("a/file");
        for (int i = 0; i < count; i++) {
            try (var watcher = i % 4 == 0
                    ? FileSystemWatcher.builder(folder).recursive().build()
                    : new FileSystemWatcher(folder.resolve("a"))) {
                if (i % 3 == 0) {
                    Files.deleteIfExists(file);
                    Files.createFile(file);
                    if (i % 2 == 0) assertThat(watcher.next().renamed()).isTrue();
                }
            }
            if (i % 50 == 0) Async.delay(1);
        }
        Async.delay(5);
        // the NIO reactor ends a watch on threads of its own
        for (int i = 0; i < 4_000 && inotifyWatches() > 0; i++) Async.delay(5);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }

    /** Watches of this process, as the kernel counts them. */
    private static long inotifyWatches() throws IOException {
        long count = 0;
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fdinfo"))) {
            for (Path entry : entries.toList()) {
                try (Stream<String> lines = Files.lines(entry)) {
                    count += lines.filter(line -> line.startsWith("inotify ")).count();
                } catch (IOException | java.io.UncheckedIOException closedMeanwhile) {
                    // one of the JVM's
                }
            }
        }
        return count;
    }

    // ---- limits

    /** Watches folders until the limit, and says what happened. */
    static final class ManyFolders {
        private ManyFolders() {}

        public static void main(String[] arguments) {
            Runs.testRun().run(() -> {
                Path root = Path.of(arguments[0]);
                var open = new ArrayList<FileSystemWatcher>();
                try {
                    for (int i = 0; i < 10; i++)
                        open.add(new FileSystemWatcher(Files.createDirectory(root.resolve("d" + i))));
                } catch (InputOutputException e) {
                    System.out.println(open.size() + " " + e.errno() + " " + e.getMessage());
                }
                try {
                    FileSystemWatcher.builder(root).recursive().build();
                } catch (InputOutputException e) {
                    System.out.println("recursive " + e.errno());
                }
                // closing makes room
                open.removeLast().close();
                try (var watcher = FileSystemWatcher.builder(root.resolve("d0"))
                        .recursive()
                        .build()) {
                    Files.createDirectories(root.resolve("d0/a/b/c"));
                    while (watcher.next() != null) {
                        // until the limit ends it
                    }
                } catch (InputOutputException e) {
                    System.out.println("later " + e.errno());
                }
                for (FileSystemWatcher watcher : open) watcher.close();
                for (int i = 0; i < 100 && SchedulerProvider.get().reactor().openHandles() > 0; i++) Async.delay(1);
                System.out.println("left " + SchedulerProvider.get().reactor().openHandles());
            });
        }
    }

    private void assumeOwnUser() throws Exception {
        String said = new ChildProgram().kernelLimit("max_inotify_watches", 3).run(Hello.class);
        assumeTrue(said.startsWith("hello"), "no users of our own can be made here: " + said);
    }

    static final class Hello {
        private Hello() {}

        public static void main(String[] arguments) {
            System.out.println("hello");
        }
    }

    @Test
    @Tag("deep")
    @Tag("F22")
    void watchesUsedUp_errorNamesTheLimit_andNothingIsLeft() throws Exception {
        assumeOwnUser();
        String output =
                new ChildProgram().kernelLimit("max_inotify_watches", 3).run(ManyFolders.class, folder.toString());
        List<String> lines = output.lines().toList();
        assertThat(lines).as(output).hasSize(5);
        assertThat(lines.getFirst())
                .startsWith("3 ENOSPC watch " + folder.resolve("d3") + ": ENOSPC")
                .endsWith("no more folders can be watched, see fs.inotify.max_user_watches");
        assertThat(lines.subList(1, 5)).containsExactly("recursive ENOSPC", "later ENOSPC", "left 0", "exit 0");
    }

    /** Watches in a run within a limit of none. */
    static final class NoInstance {
        private NoInstance() {}

        public static void main(String[] arguments) {
            Runs.testRun().run(() -> {
                assertThatThrownBy(() -> new FileSystemWatcher(Path.of(arguments[0])))
                        .isInstanceOf(InputOutputException.class)
                        .satisfies(e -> System.out.println(((InputOutputException) e).errno() + " " + e.getMessage()));
                System.out.println("left " + SchedulerProvider.get().reactor().openHandles());
                Async.delay(1);
                System.out.println("left " + SchedulerProvider.get().reactor().openHandles());
            });
        }
    }

    @Test
    @Tag("deep")
    void instancesUsedUp_errorNamesTheLimit() throws Exception {
        assumeOwnUser();
        String output =
                new ChildProgram().kernelLimit("max_inotify_instances", 0).run(NoInstance.class, folder.toString());
        assertThat(output)
                .startsWith("EMFILE watch " + folder + ": EMFILE")
                .contains("fs.inotify.max_user_instances")
                .contains("left 0")
                .endsWith("exit 0");
    }
}
