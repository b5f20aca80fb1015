package org.trueasync.races;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.AsyncFileLock;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.ScriptedSchedules;

/** On a simulated disk, whose calls end in any order. */
@Tag("sized")
class FileRacesTest {
    private static final Path PATH = Path.of("/data");
    private static final int RECORD = 4;

    private static AsyncFile open() {
        return AsyncFile.open(PATH, CREATE, READ, WRITE);
    }

    private static ByteBuffer record(int number) {
        return ByteBuffer.wrap("<%02d>".formatted(number).getBytes(StandardCharsets.UTF_8));
    }

    private static String content() {
        try (AsyncFile file = open()) {
            var into = ByteBuffer.allocate(400);
            while (into.hasRemaining() && file.read(into) >= 0) {
                // until the end
            }
            return StandardCharsets.UTF_8.decode(into.flip()).toString();
        }
    }

    /** A coroutine that may be cancelled, at any time or by nobody. */
    private static Coroutine<?> cancelledAtRandom(RandomGenerator random, Body body) {
        Coroutine<?> coroutine = Async.spawn(body);
        if (random.nextBoolean()) Outside.happens(coroutine::cancel);
        return coroutine;
    }

    private static void requireEnded(List<Coroutine<?>> all) {
        for (Coroutine<?> coroutine : all) {
            assertThat(coroutine.isCompleted())
                    .as(coroutine + " " + coroutine.awaitingInfo())
                    .isTrue();
            try {
                Async.await(coroutine);
            } catch (AsyncCancellation e) {
                assertThat(coroutine.isCancelled()).isTrue();
            }
        }
    }

    @Test
    void writesAreCancelledAtAnyTime_eachIsWholeOrAbsentAndTheOrderIsThatOfTheCalls() {
        Orders.exploreAllOnDisk(() -> {
            RandomGenerator random = Schedules.random();
            AsyncFile file = open();
            var called = new ArrayList<String>();
            var returned = new ArrayList<String>();
            var writers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                ByteBuffer from = record(i);
                String text = StandardCharsets.UTF_8.decode(from.duplicate()).toString();
                boolean byToken = random.nextInt(3) == 0;
                writers.add(cancelledAtRandom(random, () -> {
                    called.add(text);
                    try {
                        if (byToken) file.write(from, Outside.completes(null));
                        else file.write(from);
                        returned.add(text);
                    } catch (OperationCanceledException e) {
                        assertThat(byToken).isTrue();
                    }
                }));
            }
            Orders.settle();
            requireEnded(writers);
            long position = file.position();
            file.close();
            String content = content();
            assertThat(content.length()).isEqualTo((int) position);
            var written = new ArrayList<String>();
            for (int at = 0; at < content.length(); at += RECORD) written.add(content.substring(at, at + RECORD));
            assertThat(written).doesNotHaveDuplicates().containsAll(returned);
            assertThat(called).containsSubsequence(written);
        });
    }

    @Test
    void readsAreCancelledAtAnyTime_everyByteIsReadOnceAndInOrder() {
        Orders.exploreAllOnDisk(() -> {
            RandomGenerator random = Schedules.random();
            AsyncFile file = open();
            file.write(record(1), record(2), record(3));
            file.seek(0);
            var got = new StringBuilder();
            var left = new ArrayList<ByteBuffer>();
            boolean[] ended = {false};
            for (int turn = 0; !ended[0]; turn++) {
                var into = ByteBuffer.allocate(1 + random.nextInt(5));
                boolean byToken = turn < 20 && random.nextInt(3) == 0;
                Coroutine<?> read = Async.spawn(() -> {
                    try {
                        int count = byToken ? file.read(into, Outside.completes(null)) : file.read(into);
                        ended[0] = count < 0;
                        got.append(StandardCharsets.UTF_8.decode(into.flip()));
                    } catch (OperationCanceledException e) {
                        left.add(into);
                    }
                });
                if (turn < 20 && !byToken && random.nextBoolean()) Outside.happens(read::cancel);
                try {
                    Async.await(read);
                } catch (AsyncCancellation e) {
                    left.add(into);
                }
            }
            assertThat(got).hasToString("<01><02><03>");
            Orders.settle();
            assertThat(left).as("touched after its read was left").allMatch(into -> into.position() == 0);
            file.close();
        });
    }

    @Test
    void lockersLeaveAtAnyTime_locksExcludeAndNobodyWaitsBesideAFreeOne() {
        Orders.exploreAllOnDisk(() -> {
            RandomGenerator random = Schedules.random();
            AsyncFile one = open();
            AsyncFile other = open();
            int[] owners = new int[3]; // of each part: how many share it, or -1
            var lockers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                AsyncFile file = random.nextBoolean() ? one : other;
                int from = random.nextInt(3);
                int to = from + 1 + random.nextInt(3 - from);
                boolean shared = random.nextBoolean();
                lockers.add(cancelledAtRandom(random, () -> {
                    try (AsyncFileLock _ = file.lock(from, to - from, shared)) {
                        for (int part = from; part < to; part++) {
                            if (shared) assertThat(owners[part]++).isNotNegative();
                            else assertThat(owners[part]--).isZero();
                        }
                        try {
                            Async.await(Outside.completes(null));
                        } finally {
                            for (int part = from; part < to; part++) owners[part] += shared ? -1 : 1;
                        }
                    }
                }));
            }
            Orders.settle();
            requireEnded(lockers);
            assertThat(owners).containsOnly(0);
            one.lock(Async.timeout(100)).close();
            one.close();
            other.close();
        });
    }

    @Test
    void closedAtAnyTime_everybodyIsServedOrWokenWithAnError() {
        Orders.exploreAllOnDisk(() -> {
            RandomGenerator random = Schedules.random();
            AsyncFile file = open();
            AsyncFile other = open();
            AsyncFileLock lock = other.lock();
            int[] written = {0};
            var users = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                int kind = random.nextInt(4);
                int number = i;
                users.add(cancelledAtRandom(random, () -> {
                    try {
                        switch (kind) {
                            case 0 -> file.read(ByteBuffer.allocate(4));
                            case 1 -> {
                                file.write(record(number));
                                written[0] += RECORD;
                            }
                            case 2 -> file.sync(false);
                            default -> file.lock().close();
                        }
                    } catch (InputOutputException e) {
                        assertThat(e).hasMessageContaining("closed");
                    }
                }));
            }
            Outside.happens(file::close);
            Orders.settle();
            requireEnded(users);
            assertThat(file.isClosed()).isTrue();
            lock.close();
            other.lock(Async.timeout(100)).close();
            other.close();
            assertThat(content()).hasSizeGreaterThanOrEqualTo(written[0]);
        });
    }

    @Test
    void powerIsLostBesideSyncs_whatASyncHasConfirmedIsThere() {
        Orders.exploreAllOnDisk(() -> {
            RandomGenerator random = Schedules.random();
            AsyncFile file = open();
            var confirmed = new ArrayList<Integer>();
            boolean[] lost = {false};
            var writers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 4; i++) {
                int number = i;
                writers.add(cancelledAtRandom(random, () -> {
                    try {
                        file.write(record(number), (long) number * RECORD);
                        file.sync(false);
                        if (!lost[0]) confirmed.add(number);
                    } catch (InputOutputException e) {
                        assertThat(lost[0]).isTrue();
                    }
                }));
            }
            Outside.happens(() -> {
                ScriptedSchedules.disk().crash(new SplittableRandom(random.nextLong()));
                lost[0] = true;
            });
            Orders.settle();
            requireEnded(writers);
            assertThat(lost[0]).isTrue();
            file.close();
            String content = content();
            for (int number : confirmed)
                assertThat(content.substring(number * RECORD)).startsWith("<%02d>".formatted(number));
        });
    }
}
