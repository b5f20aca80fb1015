package org.trueasync.internal.testkit.disk;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.trueasync.InputOutputException;
import org.trueasync.spi.FileHandle;

/** What a crash may leave, over many seeds: all that it may, and nothing else. */
class CrashTest {
    private static final int SEEDS = 400;
    private static final Path A = Path.of("/a");
    private static final Path B = Path.of("/b");
    private static final Path ROOT = Path.of("/");

    private static FileHandle open(VirtualDisk disk, Path path, OpenOption... options) {
        return disk.open(path, Set.of(options));
    }

    private static FileHandle write(VirtualDisk disk, Path path, String text) {
        FileHandle file = open(disk, path, CREATE, WRITE, TRUNCATE_EXISTING);
        write(file, text, 0);
        return file;
    }

    private static void write(FileHandle file, String text, long at) {
        file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), at);
    }

    private static void sync(VirtualDisk disk, Path path) {
        try (FileHandle file = open(disk, path, READ)) {
            file.sync(true);
        }
    }

    /** The text; "none" if there is no such file. */
    private static String text(VirtualDisk disk, Path path) {
        try (FileHandle file = open(disk, path, READ)) {
            var into = ByteBuffer.allocate((int) file.size() + 1);
            while (file.read(into, into.position()) > 0) {
                // again
            }
            return new String(into.array(), 0, into.position(), StandardCharsets.ISO_8859_1);
        } catch (InputOutputException e) {
            if (e.errno().equals("ENOENT")) return "none";
            throw e;
        }
    }

    /** All that is found of some paths after a crash, over all seeds, joined by "|". */
    private static Set<String> outcomes(Consumer<VirtualDisk> program, Path... paths) {
        return outcomes(SEEDS, program, paths);
    }

    private static Set<String> outcomes(int seeds, Consumer<VirtualDisk> program, Path... paths) {
        var found = new TreeSet<String>();
        for (int seed = 0; seed < seeds; seed++) {
            var random = new SplittableRandom(seed);
            var disk = new VirtualDisk(random.split());
            program.accept(disk);
            disk.crash(random);
            var texts = new StringBuilder();
            for (Path path : paths) texts.append(texts.isEmpty() ? "" : "|").append(text(disk, path));
            found.add(texts.toString());
        }
        return found;
    }

    @Test
    void newFile_isThereOnlyAfterASync() {
        assertThat(outcomes(disk -> write(disk, A, "x"), A)).containsExactlyInAnyOrder("none", "", "x", "\0");
        assertThat(outcomes(disk -> write(disk, A, "x").sync(false), A)).containsExactly("x");
    }

    @Test
    void folderSynced_theNameIsThereAndTheBytesMayNotBe() {
        assertThat(outcomes(
                        disk -> {
                            write(disk, A, "x");
                            sync(disk, ROOT);
                        },
                        A))
                .containsExactlyInAnyOrder("", "x", "\0");
    }

    @Test
    void overwritten_theSyncedBytesOrTheNewOnesOrAPrefix() {
        assertThat(outcomes(
                        disk -> {
                            FileHandle file = write(disk, A, "1234");
                            file.sync(false);
                            write(file, "abcd", 0);
                        },
                        A))
                .containsExactlyInAnyOrder("1234", "abcd", "a234", "ab34", "abc4");
    }

    @Test
    void laterWriteOfASector_takesTheEarlierAlong() {
        Consumer<VirtualDisk> twice = disk -> {
            FileHandle file = write(disk, A, "....");
            file.sync(false);
            write(file, "1", 0);
            write(file, "2", 3);
        };
        assertThat(outcomes(twice, A)).containsExactlyInAnyOrder("....", "1...", "1..2");
    }

    @Test
    void writesOfTwoSectors_comeInAnyOrder() {
        String first = "1".repeat(512);
        String second = "2".repeat(512);
        assertThat(outcomes(
                        disk -> {
                            FileHandle file = write(disk, A, "-".repeat(1024));
                            file.sync(false);
                            write(file, first, 0);
                            write(file, second, 512);
                        },
                        A))
                .allMatch(text -> text.length() == 1024)
                .contains("-".repeat(512) + second, first + "-".repeat(512), first + second)
                .anyMatch(text -> text.startsWith("1-", 100) || text.contains("1-") && text.indexOf('-') % 512 != 0);
    }

    @Test
    void syncBetween_ordersTheWrites() {
        assertThat(outcomes(
                        disk -> {
                            FileHandle file = write(disk, A, "-".repeat(1024));
                            file.sync(false);
                            write(file, "1".repeat(512), 0);
                            file.sync(false);
                            write(file, "2".repeat(512), 512);
                        },
                        A))
                .allMatch(text -> text.startsWith("1".repeat(512)));
    }

    @Test
    void cutAndWrittenAgain_isNeverAMixture() {
        assertThat(outcomes(
                        disk -> {
                            write(disk, A, "old!").sync(false);
                            write(disk, A, "new");
                        },
                        A))
                .containsExactlyInAnyOrder("old!", "", "new", "\0\0\0", "n", "ne");
    }

    @Test
    void names_comeInTheOrderOfTheCalls() {
        assertThat(outcomes(
                        disk -> {
                            write(disk, A, "a").sync(false);
                            write(disk, B, "b");
                            disk.delete(A);
                        },
                        A,
                        B))
                .allMatch(found -> !found.equals("none|none"))
                .contains("a|none", "none|b", "a|b");
    }

    @Test
    void syncOfAFile_bringsItsNameAndThoseBefore() {
        assertThat(outcomes(
                        disk -> {
                            write(disk, A, "a").sync(false);
                            disk.move(A, B);
                            write(disk, A, "new").sync(false);
                        },
                        A,
                        B))
                .containsExactly("new|a");
    }

    /** The way to replace a file: all of the old or all of the new one, and the new one once the folder is synced. */
    private static void replace(VirtualDisk disk, boolean synced, boolean folderSynced) {
        write(disk, A, "old").sync(false);
        FileHandle file = write(disk, B, "new");
        if (synced) file.sync(false);
        file.close();
        disk.move(B, A);
        if (folderSynced) sync(disk, ROOT);
    }

    @Test
    void replacedByAMove_isOldOrNew() {
        assertThat(outcomes(disk -> replace(disk, true, false), A)).containsExactlyInAnyOrder("old", "new");
        assertThat(outcomes(disk -> replace(disk, true, true), A)).containsExactly("new");
    }

    @Test
    void replacedWithoutASync_isLostBySomeSeed() {
        assertThat(outcomes(disk -> replace(disk, false, false), A)).contains("old", "new", "", "\0\0\0");
        assertThat(outcomes(disk -> replace(disk, false, true), A)).contains("").doesNotContain("old");
    }

    /** The JDK deletes the target before such a move. */
    @Test
    void replacedByAMoveThatIsNotAtomic_mayBeGone() {
        assertThat(outcomes(
                        disk -> {
                            write(disk, A, "old").sync(false);
                            write(disk, B, "new").sync(false);
                            try {
                                disk.files().move(B, A, StandardCopyOption.REPLACE_EXISTING);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        A,
                        B))
                .containsExactlyInAnyOrder("old|new", "none|new", "new|none");
    }

    @Test
    void driveThatLies_isNoticed() {
        assertThat(outcomes(
                        disk -> {
                            disk.faults().ignoresSync = true;
                            replace(disk, true, true);
                        },
                        A))
                .contains("none", "old", "");
    }

    @Test
    void failedSync_isNotMadeGoodByTheNextOne() {
        Consumer<VirtualDisk> program = disk -> {
            FileHandle file = write(disk, A, "old");
            file.sync(false);
            write(file, "new", 0);
            disk.faults().syncErrors = 1;
            assertThatThrownBy(() -> file.sync(false))
                    .isInstanceOfSatisfying(InputOutputException.class, e -> assertThat(e.errno())
                            .isEqualTo("EIO"))
                    .hasMessage("sync /a: EIO (input/output error)");
            disk.faults().syncErrors = 0;
            file.sync(false);
            assertThat(text(disk, A)).isEqualTo("new");
        };
        assertThat(outcomes(program, A)).containsExactlyInAnyOrder("old", "new", "nld", "ned");
        assertThat(outcomes(
                        program.andThen(disk -> {
                            FileHandle file = open(disk, A, WRITE);
                            write(file, "N", 0);
                            file.sync(false);
                        }),
                        A))
                .containsExactly("New");
    }

    @Test
    void writeThatFails_writesNothing() {
        var disk = new VirtualDisk(new SplittableRandom(1));
        disk.faults().writeErrors = 1;
        FileHandle file = open(disk, A, CREATE, WRITE);
        assertThatThrownBy(() -> write(file, "x", 0)).hasMessage("write to /a: EIO (input/output error)");
        assertThat(file.size()).isZero();
    }

    @Test
    void fullDisk_takesWhatFits() {
        var disk = new VirtualDisk(new SplittableRandom(1));
        disk.faults().capacity = 5;
        FileHandle file = open(disk, A, CREATE, APPEND);
        write(file, "123", -1);
        ByteBuffer from = ByteBuffer.wrap(new byte[3]);
        file.write(from, -1);
        assertThat(from.remaining()).isEqualTo(1);
        assertThatThrownBy(() -> file.write(from, -1)).hasMessage("write to /a: ENOSPC (no space left on device)");
        assertThatThrownBy(() -> file.truncate(6)).hasMessageContaining("ENOSPC");
        disk.delete(A);
        assertThat(disk.free()).isZero();
        file.close();
        assertThat(disk.free()).isEqualTo(5);
    }

    @Test
    void handlesOfBefore_areDead() {
        var disk = new VirtualDisk(new SplittableRandom(1));
        FileHandle file = write(disk, A, "x");
        file.sync(false);
        disk.programEnds();
        assertThatThrownBy(() -> write(file, "y", 0)).hasMessage("write to /a: EBADF (bad file descriptor)");
        assertThatThrownBy(file::size).hasMessageContaining("EBADF");
        file.close();
        assertThat(text(disk, A)).isEqualTo("x");
        try (FileHandle again = open(disk, A, READ)) {
            assertThat(again.key()).isNotEqualTo(file.key());
        }
    }

    @Test
    void muchThatIsPending_isWrittenBackFromTheOldestOn() {
        String mega = "x".repeat(1 << 20);
        String found = outcomes(
                        3,
                        disk -> {
                            FileHandle file = write(disk, A, "");
                            file.sync(false);
                            for (int i = 0; i < 9; i++) write(file, mega, (long) i << 20);
                        },
                        A)
                .stream()
                .min(Comparator.comparing(String::length))
                .orElseThrow();
        assertThat(found).hasSizeGreaterThanOrEqualTo(4 << 20).startsWith(mega.repeat(4));
    }

    @Test
    void programThatEnds_losesNothing() {
        var disk = new VirtualDisk(new SplittableRandom(1));
        write(disk, A, "x");
        disk.programEnds();
        assertThat(text(disk, A)).isEqualTo("x");
    }

    /** Whatever was called: each synced byte is found, or one written since. */
    @Test
    void randomPrograms_neverLoseWhatWasSynced() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            var disk = new VirtualDisk(new SplittableRandom(seed));
            FileHandle file = open(disk, A, CREATE, WRITE);
            file.sync(false);
            byte[] now = new byte[3_000];
            List<byte[]> states = new ArrayList<>(List.of(now.clone())); // since the last sync
            for (int step = 0; step < 20; step++) {
                int at = random.nextInt(now.length);
                byte[] bytes = new byte[random.nextInt(1, now.length - at + 1)];
                random.nextBytes(bytes);
                file.write(ByteBuffer.wrap(bytes), at);
                System.arraycopy(bytes, 0, now, at, bytes.length);
                states.add(now.clone());
                if (random.nextInt(6) > 0) continue;
                file.sync(false);
                states = new ArrayList<>(List.of(now.clone()));
                if (random.nextInt(4) == 0) break;
            }
            disk.crash(new SplittableRandom(seed));
            byte[] found = Arrays.copyOf(text(disk, A).getBytes(StandardCharsets.ISO_8859_1), now.length);
            for (int i = 0; i < found.length; i++) {
                int place = i;
                if (states.stream().noneMatch(state -> state[place] == found[place]))
                    throw new AssertionError("seed " + seed + ": byte " + i + " was never " + found[i]);
            }
        }
    }

    @Test
    void sameSeed_sameRemains() {
        var one = outcomesInOrder();
        assertThat(outcomesInOrder()).isEqualTo(one);
    }

    private static String outcomesInOrder() {
        var all = new StringBuilder();
        for (int seed = 0; seed < 20; seed++) {
            var random = new SplittableRandom(seed);
            var disk = new VirtualDisk(random.split());
            replace(disk, false, false);
            disk.crash(random);
            all.append(text(disk, A)).append('|');
        }
        return all.toString();
    }
}
