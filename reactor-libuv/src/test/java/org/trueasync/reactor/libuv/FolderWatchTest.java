package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.WatchHandle;
import org.trueasync.testkit.TestLoop;

class FolderWatchTest {
    private final TestLoop<UvReactor> loop = new TestLoop<>(new UvReactor());
    private final long blocks = NativeMemory.liveBlocks();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        loop.close();
        assertThat(NativeMemory.liveBlocks()).isEqualTo(blocks);
    }

    /** Writes down what it hears, and does something then. */
    private static final class Recorder implements WatchHandle.Listener {
        final List<String> heard = new ArrayList<>();
        Consumer<String> then = name -> {};
        WatchHandle handle;

        @Override
        public void onChange(String name, boolean renamed, boolean changed) {
            heard.add(name + (renamed ? " R" : "") + (changed ? " C" : ""));
            then.accept(name);
        }

        @Override
        public void onOverflow() {
            heard.add("overflow");
        }

        @Override
        public void onError(SystemError error) {
            heard.add(error.errno());
        }

        boolean has(String text) {
            return heard.contains(text);
        }
    }

    private Recorder watch(Path path) {
        var recorder = new Recorder();
        recorder.handle = loop.reactor.watch(path, recorder);
        return recorder;
    }

    private void touch(String name) throws IOException {
        Files.createFile(folder.resolve(name));
    }

    @Test
    void severalWatchesOfOneFolder_allAreTold() throws IOException {
        List<Recorder> all = List.of(watch(folder), watch(folder), watch(folder.resolve(".")));
        touch("a");
        loop.until(() -> all.stream().allMatch(r -> r.has("a R")));
        all.get(0).handle.close();
        touch("b");
        loop.until(() -> all.get(1).has("b R") && all.get(2).has("b R"));
        assertThat(all.get(0).heard).containsExactly("a R");
        assertThat(all.get(0).handle.isClosed()).isTrue();
        assertThat(all.get(1).handle.isClosed()).isFalse();
    }

    @Test
    @Tag("F8")
    void closedInsideAnotherOnesListener_isNotToldAndNothingBreaks() throws IOException {
        for (int closer = 0; closer < 3; closer++) {
            List<Recorder> all = List.of(watch(folder), watch(folder), watch(folder));
            // it closes itself and the one behind it
            Recorder first = all.get(closer);
            Recorder second = all.get((closer + 1) % 3);
            Recorder other = all.get((closer + 2) % 3);
            first.then = name -> {
                first.handle.close();
                second.handle.close();
            };
            touch("a" + closer);
            touch("b" + closer);
            String last = "b" + closer + " R";
            loop.until(() -> other.has(last));
            assertThat(first.heard).hasSize(1);
            assertThat(second.heard).hasSizeLessThanOrEqualTo(1);
            other.handle.close();
            loop.collect(2);
        }
        assertThat(loop.reactor.openHandles()).isZero();
    }

    @Test
    @Tag("F8")
    void allClosedInsideAListener_thenOneIsOpenedThere() throws IOException {
        List<Recorder> all = List.of(watch(folder), watch(folder));
        var later = new ArrayList<Recorder>();
        for (Recorder recorder : all)
            recorder.then = name -> {
                all.forEach(r -> r.handle.close());
                later.add(watch(folder));
            };
        touch("a");
        touch("b");
        loop.until(() -> !later.isEmpty());
        touch("c");
        loop.until(() -> later.getFirst().has("c R"));
    }

    @Test
    void folderItself_hasNoName_anEntryOfItsNameHasOne() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("same"));
        Recorder recorder = watch(inner);
        Files.createFile(inner.resolve("same"));
        loop.until(() -> recorder.has("same R"));
        Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("rwx------"));
        loop.until(() -> recorder.has("null C"));
        assertThat(recorder.heard).doesNotContain("same C");
        Files.delete(inner.resolve("same"));
        Files.delete(inner);
        loop.until(() -> recorder.has("null R"));
        // one that comes again is another one
        Files.createDirectory(inner);
        Recorder again = watch(inner);
        recorder.handle.close();
        Files.createFile(inner.resolve("x"));
        loop.until(() -> again.has("x R"));
        assertThat(recorder.heard).doesNotContain("x R");
    }

    @Test
    void moreThanTheSystemKeeps_everyWatchIsTold() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Recorder busy = watch(folder);
        Recorder quiet = watch(other);
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        touch("one");
        // each of these is two events
        for (int i = 0; i < 4_250; i++) {
            Files.move(one, two);
            Files.move(two, one);
        }
        loop.until(() -> busy.has("overflow"));
        assertThat(quiet.heard).containsExactly("overflow");
        touch("after");
        loop.until(() -> busy.has("after R"));
        assertThat(busy.heard.stream().filter("overflow"::equals)).hasSize(1);
    }

    @Test
    @Tag("E46")
    void whatIsNoFolder_isRefusedAndNothingIsLeft() throws IOException {
        touch("file");
        for (var refused : List.of(
                java.util.Map.entry("missing", "ENOENT"),
                java.util.Map.entry("file", "ENOTDIR"),
                java.util.Map.entry("file/beneath", "ENOTDIR"))) {
            Path path = folder.resolve(refused.getKey());
            assertThatThrownBy(() -> watch(path))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageStartingWith("watch " + path + ": " + refused.getValue())
                    .extracting("errno")
                    .isEqualTo(refused.getValue());
        }
        loop.collect(2);
        assertThat(loop.reactor.openHandles()).isZero();
    }

    @Test
    @Tag("F22")
    void tenThousandTimesOpenedAndClosed_handlesAndMemoryReturnToTheirStart() throws IOException {
        Path sub = Files.createDirectory(folder.resolve("sub"));
        for (int i = 0; i < 10_000; i++) {
            Recorder one = watch(folder);
            Recorder two = watch(i % 2 == 0 ? folder : sub);
            if (i % 100 == 0) touch("f" + i);
            if (i % 3 == 0) loop.collect(1);
            one.handle.close();
            two.handle.close();
        }
        loop.collect(2);
        assertThat(loop.reactor.openHandles()).isZero();
        assertThat(NativeMemory.liveBlocks()).isEqualTo(blocks);
    }

    @Test
    void listenerThrows_theOthersAreToldAndTheTurnThrows() throws IOException {
        Recorder bad = watch(folder);
        Recorder good = watch(folder);
        bad.then = name -> {
            throw new IllegalStateException("bad listener");
        };
        touch("a");
        assertThatThrownBy(() -> loop.until(() -> good.has("a R")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("bad listener");
        assertThat(good.heard).contains("a R");
    }

    @Test
    void reactorClosed_refusesWithoutTouchingTheSystem() {
        loop.reactor.close();
        assertThatThrownBy(() -> watch(folder)).isInstanceOf(org.trueasync.AsyncException.class);
    }
}
