package org.trueasync.io;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.trueasync.io.Runs.bytes;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.testkit.TestRun;

/** Files and look-ups on a bad day: a full disk, no descriptors, a resolver that never answers. */
@Tag("deep")
public abstract class FileFaultsConformance {
    @TempDir
    Path folder;

    private static List<String> lines(String output) {
        assumeFalse(output.endsWith("exit 99"), "no namespaces for tests here: " + output);
        return output.lines().toList();
    }

    /** Fills a small file system, makes room, goes on. */
    static final class FullDisk {
        private FullDisk() {}

        public static void main(String[] arguments) {
            Path path = Path.of(arguments[0]).resolve("file");
            Runs.testRun().run(() -> {
                try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                    try {
                        while (true) file.write(ByteBuffer.allocate(300_000));
                    } catch (InputOutputException e) {
                        System.out.println(e.getMessage());
                        System.out.println(e.errno());
                    }
                    System.out.println("behind what was written: " + (file.position() == file.size()));
                    file.truncate(0);
                    file.seek(0);
                    file.write(bytes("room again"));
                    System.out.println("size " + file.size());
                }
            });
        }
    }

    @Test
    @Tag("E32")
    void diskIsFull_errorSaysSoAndTheFileGoesOn() throws Exception {
        String output = new ChildProgram()
                .namespaces("m", "mount -t tmpfs -o size=1m tmpfs " + folder)
                .options("-XX:TieredStopAtLevel=1")
                .run(FullDisk.class, folder.toString());
        List<String> lines = lines(output);
        assertThat(lines).as(output).hasSize(5);
        assertThat(lines.get(0)).contains("write to " + folder.resolve("file")).contains("ENOSPC");
        assertThat(lines.subList(1, 5)).containsExactly("ENOSPC", "behind what was written: true", "size 10", "exit 0");
    }

    /** Opens files until no descriptor is left. */
    static final class ManyFiles {
        private ManyFiles() {}

        public static void main(String[] arguments) throws Exception {
            ChildProgram.loadClasses();
            Path path = Path.of(arguments[0]);
            Runs.testRun().timeLimit(Duration.ofSeconds(60)).run(() -> {
                var open = new ArrayList<AsyncFile>();
                InputOutputException refused = null;
                while (refused == null) {
                    try {
                        open.add(AsyncFile.open(path, READ));
                    } catch (InputOutputException e) {
                        refused = e;
                    }
                }
                System.out.println(refused.getMessage());
                System.out.println(refused.errno());
                open.removeLast().close();
                AsyncFile last = AsyncFile.open(path, READ);
                System.out.println("read " + last.read(ByteBuffer.allocate(10)));
                last.close();
                for (AsyncFile file : open) file.close();
            });
        }
    }

    @Test
    void descriptorsRunOut_errorSaysSoAndClosingMakesRoom() throws Exception {
        Path path = Files.writeString(folder.resolve("file"), "data");
        String output = new ChildProgram()
                .limit("-n 120")
                .options("-XX:TieredStopAtLevel=1")
                .run(ManyFiles.class, path.toString());
        List<String> lines = output.lines().toList();
        assertThat(lines).as(output).hasSize(4);
        assertThat(lines.getFirst()).startsWith("open " + path).contains("EMFILE");
        assertThat(lines.subList(1, 4)).containsExactly("EMFILE", "read 4", "exit 0");
    }

    /** Asks a name server that takes questions and never answers. */
    static final class SilentNameServer {
        private SilentNameServer() {}

        public static void main(String[] arguments) throws Exception {
            try (var _ = new DatagramSocket(53, InetAddress.ofLiteral("127.0.0.1"))) {
                Path path = Path.of(arguments[0]);
                Runs.testRun().run(() -> {
                    List<Coroutine<?>> asking = new ArrayList<>();
                    int[] gaveUp = {0};
                    for (int i = 0; i < 80; i++) {
                        String host = "host" + i + ".example.com";
                        asking.add(Async.spawn(() -> {
                            try {
                                Dns.resolve(host, Async.timeout(300));
                            } catch (OperationCanceledException e) {
                                gaveUp[0]++;
                            }
                        }));
                    }
                    Async.delay(20);
                    try (var file = AsyncFile.open(path, READ)) {
                        System.out.println("read " + file.read(ByteBuffer.allocate(10)) + " of " + file.size());
                    }
                    System.out.println("blocking " + Async.<String>blocking(() -> "goes on"));
                    for (Coroutine<?> one : asking) Async.await(one);
                    System.out.println("gave up: " + gaveUp[0]);
                });
                System.out.println("ended");
            }
        }
    }

    @Test
    @Tag("E43")
    @Tag("F35")
    void resolverNeverAnswers_onlyWhoAsksWaitsAndNotLongerThanHeWants() throws Exception {
        Path path = Files.writeString(folder.resolve("file"), "data");
        Path servers = Files.writeString(folder.resolve("resolv.conf"), "nameserver 127.0.0.1\n");
        String output = new ChildProgram()
                .namespaces(
                        "mn",
                        "{ ip link set lo up || ifconfig lo up; } && mount --bind " + servers
                                + " $(readlink -f /etc/resolv.conf)")
                .options("-XX:TieredStopAtLevel=1")
                .run(SilentNameServer.class, path.toString());
        assertThat(lines(output))
                .as(output)
                .containsExactly("read 4 of 4", "blocking goes on", "gave up: 80", "ended", "exit 0");
    }

    @Test
    @Tag("F5")
    void peerHasResetTheStreamThatAFileIsSentTo_senderAndReaderAreTold() throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[1 << 20]);
        Runs.runClean(() -> {
            try (var pair = Runs.Foreign.open();
                    var file = AsyncFile.open(path, READ)) {
                pair.reset();
                String peer = "127.0.0.1:" + pair.stream().remoteAddress().getPort();
                String reason = ": ECONNRESET (connection reset by peer)";
                assertThatThrownBy(() -> file.sendTo(pair.stream(), 0, 1 << 20))
                        .hasMessage("write to " + peer + reason);
                assertThatThrownBy(() -> Runs.read(pair.stream(), 1)).hasMessage("read from " + peer + reason);
            }
        });
    }

    @Test
    void tenThousandRounds_memoryIsFlat() {
        Path path = folder.resolve("file");
        Runs.testRun().timeLimit(Duration.ofSeconds(60)).run(() -> {
            long before = 0;
            ByteBuffer into = ByteBuffer.allocate(1_000);
            for (int i = 0; i < 12_000; i++) {
                if (i == 2_000) before = Memory.resident();
                try (var file = AsyncFile.open(path, CREATE, READ, WRITE)) {
                    Coroutine<?> writer = Async.spawn(() -> file.write(ByteBuffer.allocate(16), 0));
                    Coroutine<?> locker = Async.spawn(() -> file.lock());
                    Async.suspend();
                    if (i % 2 == 0) writer.cancel();
                    if (i % 3 == 0) locker.cancel();
                    TestRun.failureOf(writer);
                    TestRun.failureOf(locker);
                    file.read(into.clear());
                }
            }
            assertThat(Memory.resident() - before).isLessThan(150L << 20);
        });
    }
}
