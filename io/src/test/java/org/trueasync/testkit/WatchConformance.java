package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.FileSystemEvent;
import org.trueasync.io.FileSystemWatcher;
import org.trueasync.spi.SchedulerProvider;

/**
 * Watching real folders, on whatever reactor. How many events the system makes of a change is its business; that each
 * change is noticed is ours.
 */
public abstract class WatchConformance {
    private final TestRun run;

    @TempDir
    Path folder;

    protected WatchConformance(ReactorKit kit) {
        this.run = new TestRun(kit::create);
    }

    private void onFolder(Body body) {
        run.run(() -> {
            body.run();
            // closing takes a turn
            for (int i = 0; i < 200 && SchedulerProvider.get().reactor().openHandles() > 0; i++) Async.delay(1);
            assertThat(SchedulerProvider.get().reactor().openHandles())
                    .as("handles")
                    .isZero();
            assertThat(Async.runtimeStats().activeEvents()).as("active events").isZero();
        });
        assertThat(run.complaints()).isEmpty();
    }

    private FileSystemWatcher recursive() {
        return FileSystemWatcher.builder(folder).recursive().build();
    }

    private Path write(String name) throws IOException {
        return Files.writeString(folder.resolve(name), "content of " + name);
    }

    private Path makeFolders(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private static void deleteTree(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, IOException error) throws IOException {
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Takes events until one has this name; the names of all, it included. */
    private static Set<String> until(FileSystemWatcher watcher, String name) {
        return untilAll(watcher, name);
    }

    /** Takes events until all these names were seen. */
    private static Set<String> untilAll(FileSystemWatcher watcher, String... wanted) {
        var names = new HashSet<String>();
        while (!names.containsAll(List.of(wanted))) {
            FileSystemEvent event = watcher.next();
            assertThat(event)
                    .as("an event for %s, after %s", List.of(wanted), names)
                    .isNotNull();
            if (event.filename() != null) names.add(event.filename());
        }
        return names;
    }

    // ---- beginning

    @Test
    @Tag("E46")
    void missingPath_throwsInTheConstructorAndNamesIt() {
        onFolder(() -> {
            Path missing = folder.resolve("missing");
            for (FileSystemWatcher.Builder builder : List.of(
                    FileSystemWatcher.builder(missing),
                    FileSystemWatcher.builder(missing).recursive())) {
                assertThatThrownBy(builder::build)
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining(missing.toString())
                        .extracting("errno")
                        .isEqualTo("ENOENT");
            }
        });
    }

    @Test
    @Tag("E46")
    void changedBeforeTheIteration_isKept() {
        onFolder(() -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                write("early");
                Async.delay(1);
                assertThat(until(watcher, "early")).containsExactly("early");
            }
        });
    }

    @Test
    @Tag("E46")
    void existingSubFolders_areWatchedWhenTheConstructorReturns() {
        onFolder(() -> {
            makeFolders("a/b/c");
            Path old = write("a/b/c/old");
            try (var watcher = recursive()) {
                Files.writeString(old, "more", StandardOpenOption.APPEND);
                FileSystemEvent event = watcher.next();
                assertThat(event.filename()).isEqualTo("a/b/c/old");
                assertThat(event.changed()).isTrue();
                assertThat(event.path()).isEqualTo(folder);
            }
        });
    }

    // ---- events

    @Test
    @Tag("E47")
    void whatHappened_isInTheFlags() {
        onFolder(() -> {
            Path old = write("old");
            try (var watcher = new FileSystemWatcher(folder)) {
                Files.writeString(old, "more", StandardOpenOption.APPEND);
                FileSystemEvent changed = watcher.next();
                assertThat(changed.filename()).isEqualTo("old");
                assertThat(changed.changed()).isTrue();
                assertThat(changed.renamed()).isFalse();
                Files.createDirectory(folder.resolve("came"));
                assertThat(watcher.next()).isEqualTo(new FileSystemEvent(folder, "came", true, false));
                Files.delete(folder.resolve("came"));
                assertThat(watcher.next()).isEqualTo(new FileSystemEvent(folder, "came", true, false));
            }
        });
    }

    @Test
    @Tag("E47")
    void raw_keepsThatItCameAndThatItChanged() {
        onFolder(() -> {
            try (var watcher = FileSystemWatcher.builder(folder).raw().build()) {
                write("a");
                FileSystemEvent first = watcher.next();
                assertThat(first).isEqualTo(new FileSystemEvent(folder, "a", true, false));
                assertThat(watcher.next()).isEqualTo(new FileSystemEvent(folder, "a", false, true));
            }
        });
    }

    @Test
    @Tag("E47")
    void merged_oneEventForAFileThatWasWrittenAgainAndAgain() {
        onFolder(() -> {
            try (var watcher = new FileSystemWatcher(folder);
                    var probe = FileSystemWatcher.builder(folder).raw().build()) {
                for (int i = 0; i < 20; i++) write("a");
                write("b");
                until(probe, "b");
                Async.delay(1);
                FileSystemEvent first = watcher.next();
                assertThat(first).isEqualTo(new FileSystemEvent(folder, "a", true, true));
                assertThat(watcher.next().filename()).isEqualTo("b");
            }
        });
    }

    @Test
    void namesThatAreNotAscii_comeAsTheyAre() {
        assumeTrue(
                !"ANSI_X3.4-1968".equals(System.getProperty("sun.jnu.encoding")),
                "this JVM's file names are ASCII only");
        onFolder(() -> {
            try (var watcher = recursive()) {
                makeFolders("grün");
                until(watcher, "grün");
                write("grün/日本");
                until(watcher, "grün/日本");
            }
        });
    }

    // ---- taking

    @Test
    @Tag("E48")
    void closed_givesWhatWasKeptThenEnds_again() {
        onFolder(() -> {
            var watcher = new FileSystemWatcher(folder);
            try (var probe = new FileSystemWatcher(folder)) {
                write("a");
                write("b");
                until(probe, "b");
            }
            Async.delay(1);
            watcher.close();
            watcher.close();
            assertThat(watcher.isClosed()).isTrue();
            var names = new ArrayList<String>();
            for (FileSystemEvent event : watcher) names.add(event.filename());
            assertThat(names).containsExactly("a", "b");
            assertThat(watcher.next()).isNull();
        });
    }

    @Test
    @Tag("E48")
    @Tag("F5")
    void closedByAnotherCoroutine_iterationEndsNormally() {
        onFolder(() -> {
            var watcher = recursive();
            Coroutine<Integer> iteration = Async.spawn(() -> {
                int count = 0;
                for (FileSystemEvent event : watcher) count += event.renamed() ? 1 : 0;
                return count;
            });
            Async.delay(1);
            watcher.close();
            assertThat(Async.await(iteration)).isZero();
        });
    }

    @Test
    @Tag("E48")
    void iterationCancelled_nextOneGoesOn() {
        onFolder(() -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                Coroutine<?> iteration = Async.spawn(() -> {
                    for (FileSystemEvent event : watcher) assertThat(event).isNull();
                });
                Async.delay(1);
                iteration.cancel();
                assertThat(failureOf(iteration)).isInstanceOf(AsyncCancellation.class);
                write("a");
                until(watcher, "a");
            }
        });
    }

    @Test
    void severalIterate_eachEventGoesToOne() {
        onFolder(() -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                var seen = new ArrayList<String>();
                var iterations = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 4; i++)
                    iterations.add(Async.spawn(() -> {
                        for (FileSystemEvent event : watcher) seen.add(event.filename());
                    }));
                Async.delay(1);
                var names = new TreeSet<String>();
                for (int i = 0; i < 50; i++) {
                    Files.createDirectory(folder.resolve("f" + i));
                    names.add("f" + i);
                }
                while (seen.size() < 50) Async.delay(1);
                watcher.close();
                for (Coroutine<?> iteration : iterations) Async.await(iteration);
                assertThat(seen).containsExactlyInAnyOrderElementsOf(names);
            }
        });
    }

    @Test
    void tokenEndsFirst_watcherGoesOn() {
        onFolder(() -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                assertThatThrownBy(() -> watcher.next(Async.timeout(1))).isInstanceOf(OperationCanceledException.class);
                write("a");
                assertThat(watcher.next(Async.timeout(10_000)).filename()).isEqualTo("a");
            }
        });
    }

    @Test
    void otherThread_isRefused() {
        onFolder(() -> {
            try (var watcher = new FileSystemWatcher(folder)) {
                var thrown = new ArrayList<Throwable>();
                Thread thread = Thread.ofPlatform().start(() -> {
                    for (Runnable call : List.<Runnable>of(watcher::next, watcher::close)) {
                        try {
                            call.run();
                        } catch (Throwable e) {
                            thrown.add(e);
                        }
                    }
                });
                while (thread.isAlive()) Async.delay(1);
                assertThat(thrown).hasSize(2).allMatch(e -> e instanceof AsyncException);
                assertThat(watcher.isClosed()).isFalse();
            }
        });
    }

    // ---- alive or not

    @Test
    @Tag("F20")
    void everybodyWaits_aChangeByAnotherThreadWakes() {
        onFolder(() -> {
            try (var watcher = recursive()) {
                Thread.ofPlatform().daemon().start(() -> {
                    try {
                        write("a");
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                until(watcher, "a");
            }
        });
    }

    @Test
    @Tag("F21")
    void watcherLeftOpen_runEndsAllTheSame() {
        var left = new AtomicReference<FileSystemWatcher>();
        run.run(() -> {
            makeFolders("a/b");
            left.set(recursive());
            write("a/b/c");
            Async.delay(1);
        });
        assertThat(left.get().isClosed()).isTrue();
        assertThat(run.complaints()).isEmpty();
    }

    // ---- sub-folders

    @Test
    @Tag("E49")
    void foldersThatCome_areWatched_andWhatCameIntoThemBefore() {
        onFolder(() -> {
            try (var watcher = recursive()) {
                makeFolders("a/b/c");
                write("a/1");
                write("a/b/2");
                write("a/b/c/3");
                untilAll(watcher, "a", "a/1", "a/b", "a/b/2", "a/b/c", "a/b/c/3");
                write("a/b/c/4");
                assertThat(until(watcher, "a/b/c/4")).doesNotContain("c/4", "4");
            }
        });
    }

    @Test
    @Tag("E49")
    void manyFoldersAtOnce_noneIsMissed() {
        onFolder(() -> {
            try (var watcher = recursive()) {
                var wanted = new HashSet<String>();
                for (int i = 0; i < 40; i++) {
                    String name = "d" + i % 4 + "/e" + i % 8 + "/f" + i;
                    makeFolders(name);
                    write(name + "/file");
                    wanted.add(name + "/file");
                    if (i % 10 == 0) Async.delay(1);
                }
                untilAll(watcher, wanted.toArray(String[]::new));
            }
        });
    }

    @Test
    @Tag("E49")
    void folderRemoved_isDropped_andWatchedAgainWhenItComesBack() {
        onFolder(() -> {
            makeFolders("a/b");
            try (var watcher = recursive()) {
                int before = SchedulerProvider.get().reactor().openHandles();
                for (int i = 0; i < 5; i++) {
                    deleteTree(folder.resolve("a"));
                    // at once on even rounds: the new one may have the old one's number
                    if (i % 2 == 1) until(watcher, "a");
                    makeFolders("a/b");
                    write("a/b/" + i);
                    until(watcher, "a/b/" + i);
                    write("a/b/again" + i);
                    until(watcher, "a/b/again" + i);
                }
                deleteTree(folder.resolve("a"));
                for (int i = 0; i < 2000 && SchedulerProvider.get().reactor().openHandles() > before - 2; i++)
                    Async.delay(1);
                assertThat(SchedulerProvider.get().reactor().openHandles()).isLessThanOrEqualTo(before - 2);
            }
        });
    }

    @Test
    @Tag("E49")
    void folderRenamed_namesAreTheNewOnes() {
        onFolder(() -> {
            makeFolders("a/b");
            try (var watcher = recursive()) {
                Files.move(folder.resolve("a"), folder.resolve("z"));
                untilAll(watcher, "a", "z", "z/b");
                write("z/b/c");
                assertThat(until(watcher, "z/b/c")).doesNotContain("a/b/c");
            }
        });
    }

    @Test
    @Tag("E49")
    void folderReplacedByAnother_isWatchedAnew() {
        onFolder(() -> {
            makeFolders("a/b");
            makeFolders("other/c");
            try (var watcher = recursive()) {
                Files.move(folder.resolve("a"), folder.resolve("gone"));
                Files.move(folder.resolve("other"), folder.resolve("a"));
                untilAll(watcher, "gone/b", "a/c");
                write("a/c/new");
                until(watcher, "a/c/new");
            }
        });
    }

    @Test
    @Tag("E49")
    void linksToFolders_areNotFollowed(@TempDir Path elsewhere) {
        onFolder(() -> {
            Files.createDirectories(elsewhere.resolve("sub"));
            Files.createSymbolicLink(folder.resolve("old-link"), elsewhere);
            Files.createSymbolicLink(folder.resolve("circle"), folder);
            makeFolders("real");
            try (var watcher = recursive()) {
                Files.createSymbolicLink(folder.resolve("new-link"), elsewhere);
                until(watcher, "new-link");
                deleteTree(folder.resolve("real"));
                Files.createSymbolicLink(folder.resolve("real"), elsewhere);
                write("sentinel");
                until(watcher, "sentinel");
                Files.writeString(elsewhere.resolve("outside"), "x");
                Files.writeString(elsewhere.resolve("sub/outside"), "x");
                write("sentinel2");
                assertThat(until(watcher, "sentinel2")).noneMatch(name -> name.contains("outside"));
            }
        });
    }

    @Test
    @Tag("E49")
    void rootIsALink_itIsWatchedWhereItLeads(@TempDir Path elsewhere) {
        onFolder(() -> {
            Files.createDirectories(elsewhere.resolve("sub"));
            Path link = Files.createSymbolicLink(folder.resolve("link"), elsewhere);
            try (var watcher = FileSystemWatcher.builder(link).recursive().build()) {
                Files.writeString(elsewhere.resolve("sub/file"), "x");
                FileSystemEvent event = watcher.next();
                assertThat(event.filename()).isEqualTo("sub/file");
                assertThat(event.path()).isEqualTo(link);
            }
        });
    }

    @Test
    @Tag("E49")
    void notRecursive_subFoldersAreNobodysBusiness() {
        onFolder(() -> {
            makeFolders("a");
            try (var watcher = new FileSystemWatcher(folder)) {
                write("a/inside");
                write("sentinel");
                assertThat(until(watcher, "sentinel")).doesNotContain("a/inside", "inside");
            }
        });
    }

    @Test
    @Tag("E49")
    void foldersComeAndGoWithoutEnd_nothingIsLeft() {
        onFolder(() -> {
            try (var watcher = recursive()) {
                for (int i = 0; i < 200; i++) {
                    makeFolders("x/y");
                    write("x/y/z");
                    deleteTree(folder.resolve("x"));
                    if (i % 7 == 0) Async.delay(1);
                }
                makeFolders("last");
                until(watcher, "last");
                write("last/file");
                until(watcher, "last/file");
            }
        });
    }

    // ---- what is watched goes

    @Test
    void folderGoes_iterationEndsWithAnError() {
        onFolder(() -> {
            Path watched = makeFolders("watched");
            try (var watcher =
                    FileSystemWatcher.builder(watched).recursive().raw().build()) {
                Files.createDirectory(watched.resolve("a"));
                assertThat(watcher.next().filename()).isEqualTo("a");
                deleteTree(watched);
                assertThatThrownBy(() -> {
                            while (watcher.next() != null) {
                                // the rest
                            }
                        })
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining(watched.toString())
                        .extracting("errno")
                        .isEqualTo("ENOENT");
                assertThat(watcher.isClosed()).isTrue();
            }
        });
    }

    @Test
    void folderItselfChanges_watchingGoesOn() {
        onFolder(() -> {
            Path sub = makeFolders("watched/sub");
            Path watched = sub.getParent();
            try (var watcher =
                    FileSystemWatcher.builder(watched).recursive().raw().build()) {
                Files.setPosixFilePermissions(watched, PosixFilePermissions.fromString("rwx------"));
                Files.setPosixFilePermissions(sub, PosixFilePermissions.fromString("rwx------"));
                Files.createFile(sub.resolve("a"));
                for (FileSystemEvent event : watcher) {
                    if ("sub/a".equals(event.filename())) break;
                    assertThat(event.renamed()).isFalse();
                    assertThat(event.changed()).isTrue();
                }
            }
        });
    }

    @Test
    void file_isWatchedAlsoWhenItIsReplacedAndWhenItComesAgain() {
        onFolder(() -> {
            Path file = write("watched");
            try (var watcher = new FileSystemWatcher(file)) {
                write("other");
                Files.writeString(file, "more", StandardOpenOption.APPEND);
                FileSystemEvent event = watcher.next();
                assertThat(event.filename()).isNull();
                assertThat(event.path()).isEqualTo(file);
                assertThat(event.changed()).isTrue();
                assertThat(event.renamed()).isFalse();
                Files.move(folder.resolve("other"), file, StandardCopyOption.REPLACE_EXISTING);
                while (!watcher.next().renamed()) {
                    // the write in several steps
                }
                Files.delete(file);
                while (!watcher.next().renamed()) {
                    // as above
                }
                write("watched");
                assertThat(watcher.next().renamed()).isTrue();
            }
        });
    }

    // ---- filters, quiet windows

    @Test
    @Tag("E50")
    void extensions_whateverTheirCase() {
        onFolder(() -> {
            try (var watcher = FileSystemWatcher.builder(folder)
                    .recursive()
                    .extensions("java")
                    .build()) {
                makeFolders("sub");
                write("a.txt");
                write("sub/B.JAVA");
                write("sub/c.txt");
                until(watcher, "sub/B.JAVA");
                write("z.Java");
                assertThat(until(watcher, "z.Java"))
                        .allMatch(name -> name.toLowerCase().endsWith(".java"));
            }
        });
    }

    @Test
    @Tag("E50")
    void debounced_oneEventWithoutANameForAWholeBurst() {
        onFolder(() -> {
            try (var watcher = FileSystemWatcher.builder(folder)
                    .recursive()
                    .debounce(Duration.ofMillis(300), Duration.ofSeconds(60))
                    .build()) {
                for (int i = 0; i < 100; i++) write("f" + i);
                FileSystemEvent event = watcher.next();
                assertThat(event.filename()).isNull();
                assertThat(event.path()).isEqualTo(folder);
                assertThat(event.renamed()).isTrue();
                watcher.close();
                assertThat(watcher.next()).isNull();
            }
        });
    }

    @Test
    @Tag("E50")
    void burstWithoutEnd_isToldAllTheSame() {
        onFolder(() -> {
            try (var watcher = FileSystemWatcher.builder(folder)
                    .debounce(Duration.ofMillis(200), Duration.ofMillis(300))
                    .build()) {
                var over = new AtomicBoolean();
                var burst = Stream.of("a", "b", "c")
                        .map(name -> Thread.ofPlatform().daemon().start(() -> {
                            try {
                                while (!over.get()) write(name);
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        }))
                        .toList();
                assertThat(watcher.next().filename()).isNull();
                assertThat(watcher.next().filename()).isNull();
                assertThat(burst).allMatch(Thread::isAlive);
                over.set(true);
                while (burst.stream().anyMatch(Thread::isAlive)) Async.delay(1);
            }
        });
    }

    // ---- much

    @Test
    @Tag("deep")
    @Tag("E49")
    void gitClone_everyFileAndFolderIsNoticed(@TempDir Path elsewhere) throws Exception {
        assumeTrue(works("git", "--version"), "no git here");
        Path origin = repository(elsewhere.resolve("origin"));
        onFolder(() -> {
            try (var watcher = recursive()) {
                Process clone = start(folder, "git", "clone", "-q", "--no-local", origin.toString(), "clone");
                var seen = new HashSet<String>();
                var lost = new ArrayList<FileSystemEvent>();
                Coroutine<?> iteration = Async.spawn(() -> {
                    for (FileSystemEvent event : watcher) {
                        if (event.filename() == null) lost.add(event);
                        else seen.add(event.filename());
                    }
                });
                while (clone.isAlive()) Async.delay(1);
                assertThat(clone.exitValue()).isZero();
                write("clone/sentinel");
                while (!seen.contains("clone/sentinel")) Async.delay(1);
                Set<String> there = names(folder);
                // folders of the last moment may still be looked at
                for (int i = 0; i < 2000 && !seen.containsAll(there); i++) Async.delay(1);
                watcher.close();
                Async.await(iteration);
                assertThat(lost).isEmpty();
                assertThat(seen).containsAll(there);
                assertThat(there).hasSizeGreaterThan(200).contains("clone/src/p7/q3/File7.java", "clone/.git/HEAD");
            }
        });
    }

    /** Every file and folder below, as a watcher calls them. */
    private static Set<String> names(Path root) throws IOException {
        var names = new TreeSet<String>();
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : (Iterable<Path>) tree::iterator)
                if (!path.equals(root)) names.add(root.relativize(path).toString());
        }
        return names;
    }

    private static Path repository(Path origin) throws Exception {
        for (int i = 0; i < 200; i++) {
            Path file = origin.resolve("src/p" + i % 20 + "/q" + i % 4 + "/File" + i + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "class File" + i + " {}\n");
        }
        for (List<String> command : List.of(
                List.of("git", "init", "-q"),
                List.of("git", "add", "."),
                List.of("git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "all"))) {
            Process process = start(origin, command.toArray(String[]::new));
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
        return origin;
    }

    private static Process start(Path directory, String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static boolean works(String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 && !output.isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    @Tag("F22")
    void openedAndClosedAgainAndAgain_nothingIsLeft() {
        onFolder(() -> {
            makeFolders("a/b");
            int before = SchedulerProvider.get().reactor().openHandles();
            for (int i = 0; i < 200; i++) {
                var watcher = i % 2 == 0 ? recursive() : new FileSystemWatcher(folder);
                if (i % 3 == 0) write("a/b/" + i % 5);
                if (i % 5 == 0) Async.delay(1);
                watcher.close();
            }
            for (int i = 0; i < 200 && SchedulerProvider.get().reactor().openHandles() > before; i++) Async.delay(1);
            assertThat(SchedulerProvider.get().reactor().openHandles()).isEqualTo(before);
        });
    }
}
