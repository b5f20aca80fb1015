package org.trueasync.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.Scope;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.AsyncFileLock;
import org.trueasync.io.ByteStream;
import org.trueasync.io.ChildProcess;
import org.trueasync.io.Exec;
import org.trueasync.io.ExecResult;
import org.trueasync.io.FileSystemWatcher;
import org.trueasync.io.Pipe;
import org.trueasync.io.PipeServer;
import org.trueasync.io.Signal;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;
import org.trueasync.io.UdpSocket;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.UdpHandle;

/**
 * Small programs that together reach each call of the system. Each leaves nothing open, also if it fails. If
 * something is not as it has to be, it throws {@link Unexpected}.
 */
public final class FaultScenarios {
    /** Something came out differently, as it may after an error of the other side. */
    public static final class Unexpected extends RuntimeException {
        Unexpected(String message) {
            super(message);
        }
    }

    private static final ListenHandle.Options SHARED = new ListenHandle.Options(511, true, false);
    private static final int LARGE = 600_000;

    private final Path folder;
    private UnaryOperator<Path> opened = path -> path;
    private int files;
    private final ArrayDeque<Path> fifos = new ArrayDeque<>();

    /**
     * Scenarios.
     *
     * @param folder for files
     */
    public FaultScenarios(Path folder) {
        this.folder = folder;
    }

    /** Opens other paths in place of the system's. */
    public FaultScenarios files(UnaryOperator<Path> others) {
        opened = others;
        return this;
    }

    /** Those that run in a coroutine and need no terminal, by name. */
    public Map<String, Body> all() {
        Map<String, Body> all = new LinkedHashMap<>();
        all.put("time", FaultScenarios::time);
        all.put("tcp, a server goes on", FaultScenarios::tcpServer);
        all.put("unix, a server goes on", this::unixServer);
        all.put("tcp", FaultScenarios::tcp);
        all.put("tcp, much at once", FaultScenarios::tcpMuch);
        all.put("unix", this::unix);
        all.put("udp", () -> udp("127.0.0.1", "239.1.2.3"));
        all.put("udp, IPv6", () -> udp("::1", "ff02::1:2"));
        all.put("file", () -> file(Path.of("/dev/shm")));
        all.put("file on a disk", () -> fileOnDisk(folder));
        all.put("fifo", this::fifo);
        all.put("send a file", this::sendFile);
        all.put("watch", this::watch);
        all.put("process", this::process);
        all.put("process, discarded", FaultScenarios::discarded);
        all.put("process, inherited", FaultScenarios::inherited);
        all.put("process, merged", FaultScenarios::merged);
        all.put("process, ended", FaultScenarios::endedProcess);
        return all;
    }

    // ---- helpers

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    public static void check(boolean as, String what) {
        if (!as) throw new Unexpected(what);
    }

    private static void both(Body one, Body other) {
        try (var scope = new Scope()) {
            scope.spawn(one);
            scope.spawn(other);
            scope.awaitCompletion();
        }
    }

    private static String read(ByteStream stream, int count) {
        ByteBuffer into = ByteBuffer.allocate(count);
        while (into.hasRemaining()) check(stream.read(into) >= 0, "the stream ended early");
        return new String(into.array(), UTF_8);
    }

    private static long drain(ByteStream stream) {
        ByteBuffer into = ByteBuffer.allocate(200_000);
        long sum = 0;
        for (int count; (count = stream.read(into.clear())) >= 0; ) sum += count;
        return sum;
    }

    // ---- the scenarios

    private static void time() {
        Async.delay(1);
        check(Async.blocking(() -> 7) == 7, "blocking");
    }

    private static void tcp() {
        try (TcpServer server = TcpServer.listen("127.0.0.1", 0, SHARED)) {
            both(
                    () -> {
                        try (TcpStream peer = server.accept()) {
                            check(read(peer, 5).equals("hello"), "greeting");
                            Async.delay(1);
                            peer.write(bytes("how "), bytes("do "), bytes("you do"));
                            check(drain(peer) == 0, "more came");
                            peer.shutdownOutput();
                        }
                    },
                    () -> {
                        try (TcpStream client = TcpStream.connect("127.0.0.1", server.port())) {
                            client.noDelay(false);
                            client.keepAlive(Duration.ofSeconds(10), Duration.ofSeconds(1), 3);
                            client.localAddress(); // null if the system does not tell it
                            check(client.tryRead(ByteBuffer.allocate(1)) == 0, "something came");
                            client.write(bytes("hello"));
                            check(read(client, 13).equals("how do you do"), "answer");
                            client.shutdownOutput();
                            check(drain(client) == 0, "more came");
                        }
                    });
        }
    }

    private static void tcpMuch() {
        try (TcpServer server = TcpServer.listen("127.0.0.1", 0)) {
            both(
                    () -> {
                        try (TcpStream peer = server.accept()) {
                            check(drain(peer) == 2 * LARGE, "not all came");
                        }
                    },
                    () -> {
                        try (TcpStream client = TcpStream.connect("127.0.0.1", server.port())) {
                            client.write(ByteBuffer.allocate(LARGE));
                            client.write(ByteBuffer.allocateDirect(LARGE));
                            client.flush();
                            client.shutdownOutput();
                            check(drain(client) == 0, "more came");
                        }
                    });
        }
    }

    private static void tcpServer() {
        try (TcpServer server = TcpServer.listen("127.0.0.1", 0)) {
            goesOn(server::accept, () -> TcpStream.connect("127.0.0.1", server.port()));
        }
    }

    private void unixServer() {
        Path path = folder.resolve("s" + files++);
        try (PipeServer server = PipeServer.listen(path)) {
            goesOn(server::accept, () -> Pipe.connect(path));
        }
    }

    /** A server that waits before the first client comes, and clients that come until one is served. */
    private static void goesOn(Callable<ByteStream> accept, Callable<ByteStream> connect) {
        try (var scope = new Scope()) {
            scope.spawn(() -> {
                while (true) {
                    try (ByteStream peer = accept.call()) {
                        peer.write(bytes("x"));
                    } catch (InputOutputException | OutOfMemoryError e) {
                        Async.suspend(); // the next one
                    }
                }
            });
            Async.delay(1);
            for (boolean served = false; !served; ) {
                try (ByteStream client = connect.call()) {
                    served = client.read(ByteBuffer.allocate(1)) == 1;
                } catch (InputOutputException e) {
                    Async.suspend(); // the next one
                }
            }
            scope.cancel();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void unix() {
        Path path = folder.resolve("s" + files++);
        // the rights are more than the umask leaves, so the file's are changed afterwards
        var options = PipeServer.Options.DEFAULT.withPermissions("rw-rw-rw-");
        try (PipeServer server = PipeServer.listen(path, options)) {
            both(
                    () -> {
                        try (Pipe peer = server.accept()) {
                            check(read(peer, 5).equals("hello"), "greeting");
                            peer.write(bytes("you"));
                            peer.write(ByteBuffer.allocate(LARGE));
                            peer.shutdownOutput();
                            check(drain(peer) == 0, "more came");
                        }
                    },
                    () -> {
                        try (Pipe client = Pipe.connect(path)) {
                            check(client.tryRead(ByteBuffer.allocate(1)) == 0, "something came");
                            client.write(bytes("hel"), bytes("lo"));
                            check(read(client, 3).equals("you"), "answer");
                            check(drain(client) == LARGE, "not all came");
                            client.shutdownOutput();
                        }
                    });
        }
        check(!Files.exists(path), "the socket's file is left");
    }

    private static void udp(String host, String group) throws Exception {
        boolean v6 = host.contains(":");
        var loopback = NetworkInterface.getByInetAddress(InetAddress.getByName(host));
        var options = new UdpHandle.Options(true, v6);
        try (UdpSocket one = UdpSocket.bind(host, 0, options);
                UdpSocket other = UdpSocket.bind(host, 0)) {
            one.multicastInterface(loopback);
            one.multicastHops(1);
            one.multicastLoop(true);
            one.broadcast(true);
            InetAddress to = InetAddress.getByName(group);
            one.join(to, loopback, null);
            one.leave(to, loopback, null);
            both(() -> one.receive(ByteBuffer.allocate(10)), () -> {
                Async.delay(1);
                one.send(bytes("while another waits"), other.localAddress());
                other.receive(ByteBuffer.allocate(100));
                other.send(bytes("end"), one.localAddress());
            });
            both(
                    () -> {
                        ByteBuffer into = ByteBuffer.allocate(10);
                        one.send(bytes("ping"), one.receive(into));
                        check(into.position() == 5, "datagram");
                        into = ByteBuffer.allocateDirect(10);
                        one.receive(into);
                        check(into.position() == 3, "second datagram");
                    },
                    () -> {
                        Async.delay(1);
                        other.send(bytes("hello"), one.localAddress());
                        other.connect(host, one.localAddress().getPort());
                        check(other.read(ByteBuffer.allocate(10)) == 4, "answer");
                        other.write(ByteBuffer.allocateDirect(3));
                    });
        }
    }

    private void file(Path in) {
        Path path = in.resolve("trueasync-" + ProcessHandle.current().pid() + "-" + files++);
        try (AsyncFile file = AsyncFile.open(opened.apply(path), CREATE, READ, WRITE, TRUNCATE_EXISTING)) {
            file.write(bytes("0123456789"));
            file.write(ByteBuffer.allocateDirect(10), 10);
            file.sync(false);
            file.sync(true);
            check(file.size() == 20 && file.status().isRegularFile(), "size");
            file.seek(0);
            ByteBuffer into = ByteBuffer.allocate(10);
            while (into.hasRemaining()) check(file.read(into) > 0, "the file ended early");
            check(new String(into.array(), UTF_8).equals("0123456789"), "content");
            check(file.read(ByteBuffer.allocateDirect(20), 5) == 15, "second part");
            check(file.tryRead(ByteBuffer.allocate(20)) >= 0, "tryRead");
            file.truncate(5);
            check(file.size() == 5, "truncated");
            try (AsyncFileLock lock = file.lock()) {
                check(lock.isValid(), "lock");
            }
            try (AsyncFileLock lock = file.tryLock(1, 2, true)) {
                check(lock != null, "no lock");
            }
            try (AsyncFile second = AsyncFile.open(opened.apply(path), WRITE, APPEND)) {
                second.write(bytes("end"));
            }
            check(file.size() == 8, "appended");
        } finally {
            path.toFile().delete();
        }
        try (AsyncFile file = AsyncFile.open(opened.apply(path), CREATE, WRITE, DELETE_ON_CLOSE)) {
            file.write(bytes("x"));
        } finally {
            path.toFile().delete(); // as with the JDK, it stays if it can't be deleted
        }
    }

    private void fileOnDisk(Path in) {
        Path path = in.resolve("d" + files++);
        try (AsyncFile file = AsyncFile.open(opened.apply(path), CREATE, READ, WRITE)) {
            file.write(bytes("0123456789"));
            check(file.read(ByteBuffer.allocate(20), 5) == 5, "content");
        } finally {
            path.toFile().delete();
        }
    }

    /** A new one each time: a coroutine that has left may still be opening an earlier one. */
    private Path newFifo() throws Exception {
        if (fifos.isEmpty()) {
            for (int i = 0; i < 100; i++) fifos.add(folder.resolve("f" + files++));
            var command = new ArrayList<>(List.of("mkfifo"));
            for (Path each : fifos) command.add(each.toString());
            if (new ProcessBuilder(command).start().waitFor() != 0) throw new AssertionError("mkfifo");
        }
        return fifos.remove();
    }

    private void fifo() throws Exception {
        Path path = newFifo();
        both(
                () -> {
                    try (AsyncFile reader = AsyncFile.open(opened.apply(path), READ)) {
                        ByteBuffer into = ByteBuffer.allocate(5);
                        while (into.hasRemaining()) check(reader.read(into) > 0, "the fifo ended early");
                        Async.delay(5); // the writer finds it full
                        int sum = 0;
                        into = ByteBuffer.allocate(100_000);
                        for (int count; (count = reader.read(into.clear())) > 0; ) sum += count;
                        check(sum == 100_000, "not all came");
                    }
                },
                () -> {
                    try (AsyncFile writer = AsyncFile.open(opened.apply(path), WRITE)) {
                        Async.delay(2);
                        writer.write(bytes("hello"));
                        writer.write(ByteBuffer.allocate(100_000));
                        writer.flush();
                    }
                });
    }

    private void sendFile() throws Exception {
        Path path = folder.resolve("sent");
        Files.write(path, new byte[LARGE]);
        try (TcpServer server = TcpServer.listen("127.0.0.1", 0);
                AsyncFile file = AsyncFile.open(opened.apply(path), READ)) {
            both(
                    () -> {
                        try (TcpStream peer = server.accept()) {
                            check(drain(peer) == LARGE, "not all came");
                        }
                    },
                    () -> {
                        try (TcpStream client = TcpStream.connect("127.0.0.1", server.port())) {
                            check(file.sendTo(client, 0, LARGE) == LARGE, "not all sent");
                        }
                    });
        }
    }

    private void watch() throws Exception {
        Path watched = Files.createDirectory(folder.resolve("w" + files++));
        try (var watcher = FileSystemWatcher.builder(watched).raw().build()) {
            Files.writeString(watched.resolve("new"), "x");
            check(watcher.next() != null, "no event");
        } finally {
            Files.deleteIfExists(watched.resolve("new"));
            Files.delete(watched);
        }
    }

    private void process() {
        ExecResult result = Exec.of("cat").input("hello").directory(folder).run();
        check(isEnd(result.exitCode()) && result.outText().equals("hello"), "cat");
    }

    private static void discarded() {
        check(
                isEnd(Exec.of("true")
                        .env("A", "b")
                        .discardOutput()
                        .discardError()
                        .run()
                        .exitCode()),
                "true");
    }

    private static void inherited() {
        check(isEnd(Exec.of("true").inheritIO().run().exitCode()), "true");
    }

    private static void merged() {
        check(
                Exec.of("sh", "-c", "echo x; echo y >&2")
                        .mergeError()
                        .run()
                        .outText()
                        .equals("x\ny\n"),
                "merged");
    }

    /** -1 stands for a child that somebody else has reaped, as an error of waitpid says. */
    private static boolean isEnd(int exitCode) {
        return exitCode == 0 || exitCode == -1;
    }

    private static void endedProcess() {
        try (ChildProcess child =
                Exec.of("sleep", "100").discardOutput().discardError().start()) {
            check(child.isAlive(), "not alive");
            // false if there is no such process
            if (child.kill(Signal.SIGTERM)) check(child.await() == 143, "exit code");
        }
        try (ChildProcess child = Exec.of("true").start()) {
            child.detach();
        }
    }
}
