package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.Exec;
import org.trueasync.io.FileSystemWatcher;
import org.trueasync.io.Pipe;
import org.trueasync.io.PipeServer;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;
import org.trueasync.io.UdpSocket;

/** What the program has lost without closing it is closed, and that is said; what is in use never is. */
@Tag("F21")
@Tag("deep")
public abstract class LostHandlesConformance {
    private static final int COUNT = 5;

    private final TestRun run;

    @TempDir
    Path folder;

    protected LostHandlesConformance(ReactorKit kit) {
        run = new TestRun(kit::create);
    }

    private static int handles() {
        return Async.runtimeStats().reactorHandles();
    }

    /** Nothing of what was made is left in a register or on the stack. */
    private static void makeAndDrop(Callable<?> maker) throws Exception {
        for (int i = 0; i < COUNT; i++) maker.call();
    }

    private void lost(String kind, int each, Callable<?> maker) throws Exception {
        run.reports().clear();
        int before = handles();
        makeAndDrop(maker);
        for (int i = 0; i < 400 && (handles() > before || told(kind) < each * COUNT); i++) {
            System.gc();
            Async.delay(5);
        }
        assertThat(handles()).as(kind).isEqualTo(before);
        assertThat(told(kind)).as(run.reports().toString()).isEqualTo(each * COUNT);
    }

    /** Of how many it has been said that they were lost. */
    private int told(String kind) {
        int told = 0;
        for (String report : List.copyOf(run.reports())) {
            assertThat(report).startsWith("Leak: ").contains(kind + " ").contains("lost without close()");
            String times = report.substring("Leak: ".length(), report.indexOf(' ', "Leak: ".length()));
            told += times.matches("[0-9]+") ? Integer.parseInt(times) : 1;
        }
        return told;
    }

    @Test
    void everyKindThatIsLost_isClosedAndTold() {
        run.run(() -> {
            List<AutoCloseable> accepted = new ArrayList<>();
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            PipeServer pipes = PipeServer.listen(folder.resolve("socket"));
            var peers =
                    List.of(Async.spawn(() -> accept(server, accepted)), Async.spawn(() -> accept(pipes, accepted)));
            lost("udp socket", 1, () -> UdpSocket.bind("127.0.0.1", 0));
            lost("tcp server", 1, () -> TcpServer.listen("127.0.0.1", 0));
            int[] number = {0};
            lost("pipe server", 1, () -> PipeServer.listen(folder.resolve("server" + number[0]++)));
            Path file = Files.createFile(folder.resolve("file"));
            lost("file", 1, () -> AsyncFile.open(file));
            lost("file system watcher", 1, () -> new FileSystemWatcher(folder));
            lost("pipe", 3, () -> {
                var child = Exec.of("true").start();
                child.await();
                return child;
            });
            lost("tcp stream", 1, () -> connected(accepted, () -> TcpStream.connect("127.0.0.1", server.port())));
            lost("pipe", 1, () -> connected(accepted, () -> Pipe.connect(folder.resolve("socket"))));
            for (Coroutine<?> peer : peers) peer.cancel();
            server.close();
            pipes.close();
        });
    }

    private static void accept(TcpServer server, List<AutoCloseable> into) {
        while (true) into.add(server.accept());
    }

    private static void accept(PipeServer server, List<AutoCloseable> into) {
        while (true) into.add(server.accept());
    }

    /** The other end is closed by its owner, so that it is this end alone that is left. */
    private static Object connected(List<AutoCloseable> accepted, Callable<?> connect) throws Exception {
        Object stream = connect.call();
        while (accepted.isEmpty()) Async.suspend();
        accepted.removeFirst().close();
        return stream;
    }

    @Test
    void streamOfWhichOnlyAViewOrAWaitIsLeft_staysOpen() {
        run.run(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            int port = server.port();
            Coroutine<TcpStream> accepting = Async.spawn(() -> server.accept());
            InputStream view = TcpStream.connect("127.0.0.1", port).inputStream();
            TcpStream peer = Async.await(accepting);
            Coroutine<TcpStream> acceptingSecond = Async.spawn(() -> server.accept());
            // nothing but its own read knows this one
            Coroutine<Integer> waiting =
                    Async.spawn(() -> TcpStream.connect("127.0.0.1", port).read(ByteBuffer.allocate(10)));
            TcpStream second = Async.await(acceptingSecond);
            Coroutine<String> event = Async.spawn(
                    () -> String.valueOf(new FileSystemWatcher(folder).next().filename()));
            for (int i = 0; i < 10; i++) {
                System.gc();
                Async.delay(2);
            }
            Files.createFile(folder.resolve("new"));
            peer.write(ByteBuffer.wrap("view".getBytes(StandardCharsets.UTF_8)));
            second.write(ByteBuffer.wrap("wait".getBytes(StandardCharsets.UTF_8)));
            assertThat(new String(view.readNBytes(4), StandardCharsets.UTF_8)).isEqualTo("view");
            assertThat(Async.await(waiting)).isEqualTo(4);
            assertThat(Async.await(event)).isEqualTo("new");
            view.close();
            peer.close();
            second.close();
            server.close();
            assertThat(run.reports()).allMatch(report -> report.contains("lost without close()"));
        });
    }
}
