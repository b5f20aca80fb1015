package org.trueasync.io;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.Chance;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.internal.testkit.disk.VirtualDisk;
import org.trueasync.internal.work.Workers;

/** Files of a simulated disk, as coroutines see them: in virtual time, on the loop alone. */
class SimulatedFileTest {
    private static final Path LOG = Path.of("/data.log");
    private final VirtualDisk disk = new VirtualDisk(new SplittableRandom(1));
    private VirtualReactor reactor = new VirtualReactor();

    @BeforeEach
    void mount() {
        reactor.mount(disk);
    }

    private void run(Body body) {
        Async.runtime().reactor(() -> reactor).run(body);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(AsyncFile file) {
        var into = ByteBuffer.allocate(100);
        file.read(into, 0);
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }

    private long nanos() {
        return reactor.now();
    }

    @Test
    void calls_takeTheirTimeAndNoOtherThread() {
        int threads = Workers.FILES.size() + Workers.DEVICES.size();
        run(() -> {
            var file = AsyncFile.open(LOG, CREATE, READ, WRITE);
            assertThat(nanos()).isEqualTo(10_000);
            file.write(bytes("one"));
            assertThat(nanos()).isEqualTo(20_000);
            file.sync(false);
            assertThat(nanos()).isEqualTo(120_000);
            assertThat(text(file)).isEqualTo("one");
            assertThat(file.size()).isEqualTo(3);
            file.lock().close();
            file.close();
            assertThat(nanos()).isEqualTo(160_000);
        });
        assertThat(Workers.FILES.size() + Workers.DEVICES.size()).isEqualTo(threads);
        assertThat(Files.exists(LOG)).as("the real one").isFalse();
    }

    @Test
    void slowDisk_letsOthersRunAndLimitsPass() {
        disk.faults().syncNanos = Duration.ofSeconds(10).toNanos();
        run(() -> {
            try (var file = AsyncFile.open(LOG, CREATE, WRITE)) {
                file.write(bytes("one"));
                assertThatThrownBy(() -> Async.withTimeout(Duration.ofSeconds(2), () -> file.sync(true)))
                        .isInstanceOf(AsyncTimeoutException.class);
                assertThat(nanos()).isBetween(2_000_000_000L, 2_001_000_000L);
                file.size(); // waits for the sync, which goes on
                assertThat(nanos()).isGreaterThan(10_000_000_000L);
            }
        });
    }

    @Test
    void writeOfACoroutineThatHasLeft_isMadeLater() {
        run(() -> {
            try (var file = AsyncFile.open(LOG, CREATE, READ, WRITE)) {
                Coroutine<?> writer = Async.spawn(() -> file.write(bytes("late")));
                Async.suspend();
                writer.cancel();
                assertThatThrownBy(() -> Async.await(writer)).isInstanceOf(AsyncCancellation.class);
                assertThat(nanos()).isEqualTo(10_000);
                file.write(bytes("next"));
                assertThat(nanos()).as("after the call that was left").isEqualTo(30_000);
                assertThat(text(file)).isEqualTo("latenext");
            }
        });
    }

    @Test
    void errors_areAsOfTheRealOnes() {
        run(() -> {
            assertThatThrownBy(() -> AsyncFile.open(LOG, READ))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("open /data.log: ENOENT (no such file or directory)");
            disk.faults().capacity = 4;
            try (var file = AsyncFile.open(LOG, CREATE, WRITE)) {
                assertThatThrownBy(() -> file.write(bytes("12345")))
                        .hasMessage("write to /data.log: ENOSPC (no space left on device)");
                assertThat(file.position()).isEqualTo(4);
                disk.faults().syncErrors = 1;
                assertThatThrownBy(() -> file.sync(true)).hasMessage("sync /data.log: EIO (input/output error)");
            }
        });
    }

    @Test
    void folder_isOpenedToSyncIt() {
        run(() -> {
            try (var folder = AsyncFile.open(Path.of("/tmp"), READ)) {
                folder.sync(true);
                assertThat(folder.status().isDirectory()).isTrue();
                assertThatThrownBy(() -> folder.read(ByteBuffer.allocate(1))).hasMessageContaining("EISDIR");
            }
        });
    }

    @Test
    void watching_isRefusedByName() {
        run(() -> {
            AsyncFile.open(LOG, CREATE, WRITE).close();
            assertThatThrownBy(() -> new FileSystemWatcher(Path.of("/tmp")).close())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("the reactor 'virtual time' has no file system watching");
        });
    }

    @Test
    void sentToAStream_andBack() {
        run(() -> {
            try (var server = TcpServer.listen("127.0.0.1", 0);
                    var file = AsyncFile.open(LOG, CREATE, READ, WRITE, DELETE_ON_CLOSE)) {
                file.write(bytes("a message"));
                Coroutine<String> reader = Async.spawn(() -> {
                    try (var peer = server.accept()) {
                        return new String(peer.inputStream().readAllBytes(), StandardCharsets.UTF_8);
                    }
                });
                try (var client = TcpStream.connect("127.0.0.1", server.port())) {
                    assertThat(file.sendTo(client, 2, 100)).isEqualTo(7);
                }
                assertThat(Async.await(reader)).isEqualTo("message");
            }
        });
    }

    /** The runtime is gone in the middle of a call; the next one finds the disk, and its locks are free. */
    @Test
    void programThatEnds_leavesTheDiskToTheNext() {
        run(() -> {
            var file = AsyncFile.open(LOG, CREATE, WRITE);
            file.write(bytes("kept"));
            file.lock();
            disk.programEnds();
            assertThatThrownBy(() -> file.write(bytes("x"))).hasMessageContaining("EBADF");
            try (var again = AsyncFile.open(LOG, READ, WRITE)) {
                assertThat(again.tryLock()).isNotNull();
                assertThat(text(again)).isEqualTo("kept");
            }
        });
        reactor = new VirtualReactor();
        reactor.mount(disk);
        run(() -> {
            try (var file = AsyncFile.open(LOG, READ)) {
                assertThat(text(file)).isEqualTo("kept");
            }
        });
    }

    /** Appends numbers, acknowledges each, and stops anywhere; returns what the next run finds less than that. */
    private static int lost(int seed, boolean syncs) {
        var random = new SplittableRandom(seed);
        var disk = new VirtualDisk(random.split());
        int[] acknowledged = {0};
        var first = new VirtualReactor();
        first.mount(disk);
        int last = random.nextInt(1, 60);
        Async.runtime().reactor(() -> first).run(() -> {
            var file = AsyncFile.open(LOG, CREATE, WRITE);
            for (int i = 1; i <= last; i++) {
                file.write(ByteBuffer.allocate(100).putInt(0, i));
                if (syncs) file.sync(false);
                acknowledged[0] = i;
            }
            if (random.nextBoolean()) file.write(ByteBuffer.allocate(100).putInt(0, last + 1));
        });
        disk.crash(random);
        var next = new VirtualReactor();
        next.mount(disk);
        int[] found = {0};
        Async.runtime().reactor(() -> next).run(() -> {
            try (var file = AsyncFile.open(LOG, CREATE, READ, WRITE)) {
                var record = ByteBuffer.allocate(100);
                while (file.read(record.clear()) == 100 && record.getInt(0) == found[0] + 1) found[0]++;
            }
        });
        return acknowledged[0] - found[0];
    }

    @Test
    void acknowledgedAfterASync_isFoundAfterACrash() {
        for (int seed = 0; seed < 50; seed++)
            assertThat(lost(seed, true)).as("seed %s", seed).isLessThanOrEqualTo(0);
    }

    @Test
    void acknowledgedWithoutASync_isLostWithSomeSeed() {
        assertThat(IntStream.range(0, 20).map(seed -> lost(seed, false))).anyMatch(lost -> lost > 0);
    }

    @Test
    void sameSeed_sameOrder() {
        assertThat(order(7)).isEqualTo(order(7));
        assertThat(List.of(order(1), order(2), order(3), order(4))).anyMatch(other -> !other.equals(order(7)));
    }

    private static List<String> order(long seed) {
        var order = new ArrayList<String>();
        var seeded = new VirtualReactor(seed, new Chance(seed));
        seeded.mount(new VirtualDisk(new SplittableRandom(seed)));
        Async.runtime().reactor(() -> seeded).run(() -> {
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                String name = "/" + i;
                all.add(Async.spawn(() -> {
                    try (var file = AsyncFile.open(Path.of(name), CREATE, WRITE)) {
                        file.write(bytes(name));
                        order.add(name);
                    }
                }));
            }
            Async.awaitAllOrFail(all);
        });
        return order;
    }
}
