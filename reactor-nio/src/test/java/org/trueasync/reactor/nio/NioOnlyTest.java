package org.trueasync.reactor.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestLoop.bytes;
import static org.trueasync.testkit.TestLoop.loopback;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.ChildHandle.Redirect;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.UdpHandle;
import org.trueasync.spi.WatchHandle;
import org.trueasync.testkit.TestLoop;
import org.trueasync.testkit.TestLoop.Pair;

/** What is special about this reactor: the JDK's ways, and what it can't do. */
class NioOnlyTest {
    @TempDir
    Path folder;

    private final TestLoop<NioReactor> loop = new TestLoop<>(new NioReactor());

    @AfterEach
    void close() {
        boolean interrupted = Thread.interrupted();
        loop.close();
        assertThat(interrupted).isFalse();
    }

    /** Writes down what it hears. */
    private static class Ear implements StreamHandle.Listener {
        final List<String> events = new ArrayList<>();
        final StringBuilder text = new StringBuilder();
        long received;

        @Override
        public void onConnected(SystemError error) {
            events.add("connected " + error);
        }

        @Override
        public void onBytes(ByteBuffer bytes) {
            received += bytes.remaining();
            if (text.length() < 1000) text.append(java.nio.charset.StandardCharsets.UTF_8.decode(bytes));
        }

        @Override
        public void onEnd() {
            events.add("end");
        }

        @Override
        public void onReadError(SystemError error) {
            events.add("read " + error);
        }

        @Override
        public void onWritten(SystemError error) {
            events.add("written " + error);
        }

        @Override
        public void onShutdown(SystemError error) {
            events.add("shutdown " + error);
        }

        @Override
        public void onClosed() {
            events.add("closed");
        }
    }

    // ---- what the JDK can't do

    @Test
    void bareDescriptors_areRefusedWithTheWayOut() {
        assertThatThrownBy(() -> loop.reactor.poll(0, null))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("libuv");
    }

    @Test
    void anyAddressForIpv6Only_isRefused() {
        var any = new InetSocketAddress(InetAddress.ofLiteral("::"), 0);
        assertThatThrownBy(() -> loop.reactor.listen(any, new ListenHandle.Options(1, false, true), null))
                .isInstanceOf(InputOutputException.class)
                .hasMessageContaining("ENOTSUP");
        assertThatThrownBy(() -> loop.reactor.bindUdp(any, new UdpHandle.Options(false, true), null))
                .isInstanceOf(InputOutputException.class)
                .hasMessageContaining("ENOTSUP");
    }

    @Test
    void noTerminal_isRefused() {
        for (int descriptor = 0; descriptor < 3; descriptor++) {
            int number = descriptor;
            if (System.console() != null) Assumptions.abort("this is a terminal");
            assertThatThrownBy(() -> loop.reactor.terminal(number, new Ear()))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("ENOTTY");
        }
    }

    // ---- interrupts

    @Test
    @Tag("F77")
    void loopThreadInterrupted_nothingIsClosedAndTheLoopStillSleeps() {
        Pair pair = loop.pair();
        pair.server().stream.startReading();
        Thread.currentThread().interrupt();
        long end = System.nanoTime() + 30_000_000;
        loop.reactor.alarm(end);
        int turns = 0;
        while (System.nanoTime() < end) {
            loop.reactor.execute(false);
            turns++;
        }
        assertThat(turns).isLessThan(10);
        assertThat(pair.client().stream.tryWrite(bytes("hello"))).isNull();
        loop.until(() -> pair.server().text.toString().equals("hello"));
        pair.server().stream.close();
        pair.listener().handle.close();
        loop.until(() -> loop.reactor.openHandles() == 1);
        assertThat(Thread.interrupted())
                .as("it is for whoever it was meant for")
                .isTrue();
    }

    @Test
    void interruptedWhileItSleeps_wakesOnceAndStaysUsable() throws Exception {
        Pair pair = loop.pair();
        Thread self = Thread.currentThread();
        // Again and again, as one that comes before the loop sleeps is put aside.
        var awake = new java.util.concurrent.atomic.AtomicBoolean();
        Thread other = Thread.ofPlatform().start(() -> {
            while (!awake.get()) {
                self.interrupt();
                Thread.onSpinWait();
            }
        });
        loop.reactor.execute(false);
        awake.set(true);
        while (other.isAlive()) Thread.onSpinWait();
        assertThat(Thread.interrupted()).isTrue();
        self.interrupt();
        pair.server().stream.startReading();
        pair.client().stream.tryWrite(bytes("x"));
        loop.until(() -> pair.server().text.toString().equals("x"));
        assertThat(Thread.interrupted()).isTrue();
    }

    // ---- descriptors

    @Test
    @Tag("F22")
    void listenerClosed_portIsFreeAtOnce() {
        for (int i = 0; i < 3; i++) {
            TestLoop.Server server = loop.serve();
            loop.collect(1);
            InetSocketAddress address = server.address();
            server.handle.close();
            loop.serve(address, ListenHandle.Options.DEFAULT).handle.close();
            var deaf = new UdpHandle.Listener() {
                @Override
                public void onReadable() {}

                @Override
                public void onWritable() {}
            };
            UdpHandle first = loop.reactor.bindUdp(loopback(0), UdpHandle.Options.DEFAULT, deaf);
            loop.collect(1);
            first.close();
            loop.reactor
                    .bindUdp(first.localAddress(), UdpHandle.Options.DEFAULT, deaf)
                    .close();
        }
    }

    @Test
    @Tag("F80")
    @Tag("deep")
    @Timeout(600)
    void tenThousandConnections_leaveNothing() throws Exception {
        TestLoop.Server server = loop.serve();
        for (int i = 0; i < 200; i++) once(server);
        long before = descriptors();
        for (int i = 0; i < 10_000; i++) once(server);
        loop.until(() -> loop.reactor.openHandles() == 1);
        assertThat(descriptors()).isLessThanOrEqualTo(before + 2);
    }

    private void once(TestLoop.Server server) {
        Pair pair = loop.pair(server);
        pair.client().stream.startReading();
        pair.client().stream.close();
        pair.server().stream.close();
    }

    private static long descriptors() throws Exception {
        Path directory = Path.of("/proc/self/fd");
        if (!Files.isDirectory(directory)) return 0;
        try (var entries = Files.list(directory)) {
            return entries.count();
        }
    }

    @Test
    @Tag("F22")
    void manyReactors_leaveNoDescriptorAndNoThread() throws Exception {
        watchSpawnAndClose();
        joinThreads();
        long before = descriptors();
        for (int i = 0; i < 20; i++) watchSpawnAndClose();
        joinThreads();
        assertThat(descriptors()).isLessThanOrEqualTo(before + 2);
    }

    /** They close their descriptors after the reactor's {@code close}. */
    private static void joinThreads() throws Exception {
        for (Thread thread : Thread.getAllStackTraces().keySet())
            if (thread.getName().startsWith("trueasync-nio-")) thread.join(60_000);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("trueasync-nio-"));
    }

    private void watchSpawnAndClose() {
        try (var other = new TestLoop<>(new NioReactor())) {
            other.reactor.watch(folder, new Changes());
            var ear = new Ear();
            ChildHandle child = other.reactor.spawn(cat(ear, ear, ear), (status, signal) -> ear.events.add("exit"));
            child.output().startReading();
            child.input().write(bytes("x"));
            other.until(() -> ear.text.toString().equals("x"));
            other.pair();
        }
    }

    // ---- the file of a Unix socket

    @Test
    void unixSocket_rightsAreExactAndNothingIsLeftBeside() throws Exception {
        Path path = folder.resolve("socket");
        for (int rights : new int[] {0600, 0666, 0, 0777}) {
            ListenHandle handle = loop.reactor.listenUnix(path, rights, ListenHandle.Options.DEFAULT, new Deaf());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo(text(rights));
            assertThat(names()).containsExactly("socket");
            handle.close();
            assertThat(names()).isEmpty();
        }
    }

    private static String text(int rights) {
        var text = new StringBuilder();
        for (int i = 0; i < 9; i++) text.append((rights & (0400 >> i)) != 0 ? "rwxrwxrwx".charAt(i) : '-');
        return text.toString();
    }

    private List<String> names() throws Exception {
        try (var entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    private static final class Deaf implements ListenHandle.Listener {
        @Override
        public void onConnection() {}

        @Override
        public void onError(SystemError error) {}
    }

    @Test
    void somethingIsThere_isNeitherReplacedNorFollowed() throws Exception {
        Path target = folder.resolve("target");
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        Path file = Files.writeString(folder.resolve("file"), "content");
        for (Path taken : List.of(link, file)) {
            assertThatThrownBy(() -> loop.reactor.listenUnix(taken, 0600, ListenHandle.Options.DEFAULT, new Deaf()))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining(taken.toString())
                    .hasMessageContaining("EADDRINUSE");
        }
        assertThat(target).doesNotExist();
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(file).hasContent("content");
        assertThat(names()).containsExactlyInAnyOrder("link", "file");
        assertThat(loop.reactor.openHandles()).isZero();
    }

    @Test
    void selectorRefusesTheUnixSocket_itsFileIsRemoved() throws Exception {
        var reactor = new NioReactor();
        reactor.selector().close();
        assertThatThrownBy(() ->
                        reactor.listenUnix(folder.resolve("socket"), 0600, ListenHandle.Options.DEFAULT, new Deaf()))
                .isInstanceOf(ClosedSelectorException.class);
        assertThat(folder).isEmptyDirectory();
        assertThat(reactor.openHandles()).isZero();
        reactor.close();
    }

    @Test
    void longestPath_isBoundAndAnswers() throws Exception {
        Path long1 = folder.resolve("n".repeat(107 - folder.toString().length() - 1));
        ListenHandle handle = loop.reactor.listenUnix(long1, 0600, ListenHandle.Options.DEFAULT, new Deaf());
        var client = new Ear();
        loop.reactor.connectUnix(long1, client);
        loop.until(() -> !client.events.isEmpty());
        assertThat(client.events).containsExactly("connected null");
        handle.close();
        assertThat(Files.exists(long1, LinkOption.NOFOLLOW_LINKS)).isFalse();
        Path longer = folder.resolve("n".repeat(108 - folder.toString().length() - 1));
        assertThatThrownBy(() -> loop.reactor.listenUnix(longer, 0600, ListenHandle.Options.DEFAULT, new Deaf()))
                .isInstanceOf(InputOutputException.class)
                .hasMessageContaining("ENAMETOOLONG");
        assertThat(names()).isEmpty();
    }

    // ---- children

    private static ChildHandle.Spec cat(
            StreamHandle.Listener in, StreamHandle.Listener out, StreamHandle.Listener err) {
        return new ChildHandle.Spec(
                Path.of("/bin/cat"),
                List.of("cat"),
                Map.of(),
                null,
                Redirect.PIPE,
                Redirect.PIPE,
                Redirect.PIPE,
                in,
                out,
                err);
    }

    @Test
    @Tag("E44")
    void childsPipes_oneChunkIsReadAheadAndNoMore() {
        var ear = new Ear();
        var exits = new ArrayList<String>();
        ChildHandle child = loop.reactor.spawn(
                new ChildHandle.Spec(
                        Path.of("/bin/sh"),
                        List.of("sh", "-c", "head -c 1000000 /dev/zero; exit 7"),
                        Map.of(),
                        null,
                        Redirect.DISCARD,
                        Redirect.PIPE,
                        Redirect.DISCARD,
                        null,
                        ear,
                        null),
                (status, signal) -> exits.add(status + " " + signal));
        child.output().startReading();
        loop.until(() -> ear.received > 0);
        child.output().stopReading();
        long got = ear.received;
        loop.collect(20);
        assertThat(ear.received).isEqualTo(got);
        child.output().startReading();
        loop.until(() -> ear.events.contains("end") && !exits.isEmpty());
        assertThat(ear.received).isEqualTo(1_000_000);
        assertThat(exits).containsExactly("7 0");
        assertThat(child.kill(15)).hasToString("ESRCH (no such process)");
        assertThat(child.output().tryWrite(bytes("x"))).hasToString("EBADF (the stream goes the other way only)");
        child.close();
        child.output().close();
        loop.until(() -> loop.reactor.openHandles() == 0);
    }

    @Test
    @Tag("E44")
    void childsInput_isWrittenEndedAndBrokenInOrder() {
        var in = new Ear();
        var out = new Ear();
        var exits = new ArrayList<String>();
        ChildHandle child =
                loop.reactor.spawn(cat(in, out, new Ear()), (status, signal) -> exits.add(status + " " + signal));
        child.output().startReading();
        child.input().write(bytes("one "));
        child.input().write(bytes("two"));
        child.input().shutdown();
        child.input().write(bytes("late"));
        assertThat(in.events).isEmpty();
        loop.until(() -> out.events.contains("end") && in.events.size() == 4 && !exits.isEmpty());
        assertThat(out.text).hasToString("one two");
        assertThat(in.events)
                .containsExactlyInAnyOrder(
                        "written null", "written null", "shutdown null", "written EPIPE (broken pipe)");
        assertThat(exits).containsExactly("0 0");
    }

    @Test
    @Tag("E44")
    void signals_arriveAndAreTold() {
        for (int signal : new int[] {15, 9, 12, 10}) {
            var exits = new ArrayList<String>();
            ChildHandle child =
                    loop.reactor.spawn(cat(new Ear(), new Ear(), new Ear()), (s, by) -> exits.add(s + " " + by));
            assertThat(child.kill(signal)).isNull();
            loop.until(() -> !exits.isEmpty());
            assertThat(exits).containsExactly((128 + signal) + " " + signal);
        }
    }

    @Test
    void noSuchProgramOrFolder_isNamedAndLeavesNothing() {
        var nowhere = new ChildHandle.Spec(
                Path.of("/nonexistent/program"),
                List.of("program"),
                Map.of(),
                null,
                Redirect.DISCARD,
                Redirect.DISCARD,
                Redirect.DISCARD,
                null,
                null,
                null);
        assertThatThrownBy(() -> loop.reactor.spawn(nowhere, (status, signal) -> {}))
                .isInstanceOf(InputOutputException.class)
                .hasMessage("start /nonexistent/program: ENOENT (no such file or directory)");
        assertThat(loop.reactor.openHandles()).isZero();
    }

    @Test
    void environment_isReplacedAsAWhole() {
        var out = new Ear();
        ChildHandle child = loop.reactor.spawn(
                new ChildHandle.Spec(
                        Path.of("/usr/bin/env"),
                        List.of("env"),
                        Map.of("ONE", "two"),
                        folder,
                        Redirect.DISCARD,
                        Redirect.PIPE,
                        Redirect.MERGE,
                        null,
                        out,
                        null),
                (status, signal) -> {});
        assertThat(child.input()).isNull();
        assertThat(child.error()).isNull();
        child.output().startReading();
        loop.until(() -> out.events.contains("end"));
        assertThat(out.text).hasToString("ONE=two\n");
    }

    // ---- watches

    private static final class Changes implements WatchHandle.Listener {
        final List<String> all = new ArrayList<>();

        @Override
        public void onChange(String name, boolean renamed, boolean changed) {
            all.add(name + (renamed ? " renamed" : "") + (changed ? " changed" : ""));
        }

        @Override
        public void onOverflow() {
            all.add("overflow");
        }

        @Override
        public void onError(SystemError error) {
            all.add("error " + error);
        }
    }

    @Test
    @Tag("E46")
    void folderWatchedTwice_eachHearsUntilItIsClosed() throws Exception {
        var first = new Changes();
        var second = new Changes();
        loop.reactor.watch(folder, first);
        WatchHandle closed = loop.reactor.watch(folder, second);
        Files.writeString(folder.resolve("one"), "1");
        loop.until(() -> first.all.contains("one renamed") && second.all.contains("one renamed"));
        closed.close();
        Files.writeString(folder.resolve("two"), "2");
        loop.until(() -> first.all.contains("two renamed"));
        assertThat(second.all).allMatch(change -> change.startsWith("one"));
        assertThatThrownBy(() -> loop.reactor.watch(folder.resolve("nothing"), first))
                .isInstanceOf(InputOutputException.class)
                .hasMessageContaining("ENOENT");
    }

    @Test
    @Tag("E46")
    void loopHeldWhileAFolderChanges_onePostIsKeptForIt() throws Exception {
        Path marker = Files.createDirectory(folder.resolve("marker"));
        Path busy = Files.createDirectory(folder.resolve("busy"));
        var changes = new Changes();
        loop.reactor.watch(busy, changes);
        loop.reactor.watch(marker, new Changes());
        int files = 2_000; // the JDK keeps 512 events of a folder
        for (int i = 0; i < files; i++) {
            Files.createFile(busy.resolve("f" + i));
            if (i == 0) awaitPosts(1);
        }
        // reported in the order of the changes, so everything of the other folder has been reported then
        Files.createFile(marker.resolve("last"));
        awaitPosts(2);
        assertThat(loop.reactor.pendingPosts()).isEqualTo(2);
        loop.until(() -> changes.all.contains("overflow"));
        Files.createFile(busy.resolve("after"));
        loop.until(() -> changes.all.contains("after renamed"));
        Files.delete(busy.resolve("after"));
        for (int i = 0; i < files; i++) Files.delete(busy.resolve("f" + i));
        Files.delete(busy);
        loop.until(() -> changes.all.contains("null renamed"));
    }

    /** Waits until so many are queued, while no turn of the loop runs. */
    private void awaitPosts(int count) {
        while (loop.reactor.pendingPosts() < count) Thread.onSpinWait();
    }

    // ---- datagrams

    @Test
    void datagramTooLongForTheBuffer_saysHowLongItWas() {
        var told = new ArrayList<String>();
        var listener = new UdpHandle.Listener() {
            @Override
            public void onReadable() {
                told.add("readable");
            }

            @Override
            public void onWritable() {
                told.add("writable");
            }
        };
        UdpHandle receiver = loop.reactor.bindUdp(loopback(0), UdpHandle.Options.DEFAULT, listener);
        UdpHandle sender = loop.reactor.bindUdp(loopback(0), UdpHandle.Options.DEFAULT, listener);
        assertThat(receiver.receive(ByteBuffer.allocate(1))).isNull();
        assertThat(sender.send(bytes("0123456789"), receiver.localAddress())).isTrue();
        assertThat(sender.send(bytes(""), receiver.localAddress())).isTrue();
        loop.until(() -> told.contains("readable"));
        ByteBuffer small = ByteBuffer.allocate(4);
        assertThat(receiver.receive(small)).isEqualTo(new UdpHandle.Received(sender.localAddress(), 10));
        assertThat(small.position()).isEqualTo(4);
        assertThat(receiver.receive(small.clear())).isEqualTo(new UdpHandle.Received(sender.localAddress(), 0));
        assertThat(receiver.receive(small)).isNull();
        loop.collect(3);
        assertThat(told).containsExactly("readable");
    }
}
