package org.trueasync.testkit;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.AsyncFile;

/** Who leaves a file in the middle of something, and what that leaves. */
public abstract class FileCancellationConformance extends FileSuite {
    private static final long HOUR = 3_600_000;

    protected FileCancellationConformance(ReactorKit kit) {
        super(kit);
    }

    @Test
    @Tag("E40")
    @Tag("F34")
    void cancelledInTheMiddle_leavesAndTheFileGoesOn() {
        run(() -> {
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                // So much that others run in between also where it is written at once.
                Coroutine<?> writer = Async.spawn(() -> file.write(ByteBuffer.allocate(8 << 20)));
                Coroutine<?> next = Async.spawn(() -> file.write(bytes("next")));
                Coroutine<?> third = Async.spawn(() -> file.write(bytes("third")));
                Async.suspend();
                writer.cancel();
                third.cancel();
                assertThat(failureOf(writer)).isInstanceOf(AsyncCancellation.class);
                assertThat(failureOf(third)).isInstanceOf(AsyncCancellation.class);
                Async.await(next);
                long written = file.position() - 4;
                assertThat(written).isBetween(0L, 8L << 20);
                assertThat(file.size()).isEqualTo(file.position());
                file.seek(written);
                assertThat(read(file, 10)).isEqualTo("next");
            }
        });
    }

    @Test
    @Tag("F36")
    void cancelledReads_loseNoBytes() {
        byte[] content = random(500_000);
        run(() -> {
            Files.write(path, content);
            try (var file = AsyncFile.open(path, READ)) {
                var random = new Random(1);
                ByteBuffer all = ByteBuffer.allocate(content.length + 1);
                while (!file.isEof()) {
                    ByteBuffer into = ByteBuffer.allocateDirect(1 + random.nextInt(3_000));
                    Coroutine<?> reader = Async.spawn(() -> file.read(into));
                    if (random.nextBoolean()) Async.suspend();
                    if (random.nextBoolean()) reader.cancel();
                    Throwable thrown = failureOf(reader);
                    if (thrown != null) {
                        assertThat(thrown).isInstanceOf(AsyncCancellation.class);
                        assertThat(into.position()).isZero();
                    }
                    all.put(into.flip());
                }
                assertThat(Arrays.equals(content, Arrays.copyOf(all.array(), all.position())))
                        .isTrue();
            }
        });
    }

    @Test
    @Tag("F37")
    void tokens_endTheWaitAndAreLeft() {
        kit.requireRealTime();
        run(() -> {
            Coroutine<?> over = Async.spawn(() -> {});
            Async.await(over);
            var later = Async.timeout(HOUR);
            try (var file = AsyncFile.open(path, Set.of(CREATE, READ, WRITE), later)) {
                file.write(bytes("1234"), later);
                file.write(bytes("5"), 4, later);
                file.read(ByteBuffer.allocate(10), later);
                file.read(ByteBuffer.allocate(10), 1, later);
                file.sync(true, later);
                file.flush(later);
                file.truncate(1);
                assertThat(Async.runtimeStats().timers()).isZero();
                assertThatThrownBy(() -> file.write(bytes("x"), over)).isInstanceOf(OperationCanceledException.class);
                assertThat(file.size()).isEqualTo(1);
            }
            assertThatThrownBy(() -> AsyncFile.open(path, Set.of(READ), over))
                    .isInstanceOf(OperationCanceledException.class);
        });
    }

    @Test
    @Tag("A8")
    @Tag("D19")
    void spentToken_refusesBeforeAnyEffect() {
        run(() -> {
            var spent = Future.completed(null);
            try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                file.write(bytes("12345"));
                List<Body> calls = List.of(
                        () -> file.read(ByteBuffer.allocate(1), spent),
                        () -> file.read(ByteBuffer.allocate(1), 1, spent),
                        () -> file.write(bytes("x"), spent),
                        () -> file.write(bytes("x"), 0, spent),
                        () -> file.sync(true, spent),
                        () -> file.flush(spent),
                        () -> file.lock(spent));
                for (Body call : calls) assertThatThrownBy(call::run).isInstanceOf(OperationCanceledException.class);
                assertThat(file.position()).isEqualTo(5);
                file.seek(0);
                assertThat(read(file, 10)).isEqualTo("12345");
                file.lock(0, Long.MAX_VALUE, false).close();
            }
        });
    }

    /**
     * What every program of readers, writers and cancellations through one handle must leave: whole writes, one behind
     * the other.
     */
    @Test
    @Tag("F74")
    @Tag("deep")
    void randomWriters_neitherOverwriteNorMix() {
        for (int seed = 0; seed < 10; seed++) {
            var random = new Random(seed);
            boolean append = random.nextBoolean();
            Path file = folder.resolve("random" + seed);
            run(() -> {
                int[] written = {0};
                try (var out = append ? AsyncFile.open(file, CREATE, APPEND) : AsyncFile.open(file, CREATE, WRITE)) {
                    List<Coroutine<?>> writers = new ArrayList<>();
                    for (int w = 0; w < 10; w++) {
                        int letter = 'a' + w;
                        int[] sizes = random.ints(10, 1, 40_000).toArray();
                        writers.add(Async.spawn(() -> {
                            for (int size : sizes) {
                                byte[] block = new byte[size];
                                Arrays.fill(block, (byte) letter);
                                block[0] = '<';
                                out.write(ByteBuffer.wrap(block));
                                written[0] += size;
                                if (size % 3 == 0) Async.suspend();
                            }
                        }));
                    }
                    for (int i = 0; i < 3; i++) writers.get(random.nextInt(10)).cancel();
                    Async.delay(1);
                    writers.get(random.nextInt(10)).cancel();
                    for (Coroutine<?> writer : writers) failureOf(writer);
                    out.flush();
                    assertThat(out.position()).isEqualTo(Files.size(file)).isGreaterThanOrEqualTo(written[0]);
                }
                byte[] all = Files.readAllBytes(file);
                for (int i = 1; i < all.length; i++)
                    if (all[i] != all[i - 1] && all[i] != '<' && all[i - 1] != '<')
                        throw new AssertionError("mixed at " + i);
            });
        }
    }
}
