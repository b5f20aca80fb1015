package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncRuntime;
import org.trueasync.Completable;
import org.trueasync.DnsException;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.BadInput;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.TerminalHandle;
import org.trueasync.spi.UdpHandle;

/** Whatever is no good is refused at once, by a message that names it. */
class BadInputOfIoTest {
    private static TcpStream connected() {
        try (var server = TcpServer.listen("127.0.0.1", 0)) {
            return TcpStream.connect("127.0.0.1", server.port());
        }
    }

    @Test
    void everyPublicMethod_refusesWhatIsNoGood(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");
        Callable<AsyncFile> open = () -> AsyncFile.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var check = new BadInput()
                .sample(Completable.class, () -> Async.spawn(() -> 1))
                .sample(AsyncFile.class, open)
                .sample(AsyncRuntime.Builder.class, Async::runtime)
                .sample(ByteBuffer.class, () -> ByteBuffer.allocate(1))
                .sample(ByteStream.class, BadInputOfIoTest::connected)
                .sample(Charset.class, () -> StandardCharsets.UTF_8)
                .sample(CodingErrorAction.class, () -> CodingErrorAction.REPORT)
                .sample(CoreStream.class, BadInputOfIoTest::connected)
                .sample(Duration.class, () -> Duration.ofSeconds(1)) // the least that keepAlive takes
                .sample(Exec.class, () -> Exec.of("true"))
                .sample(FileSystemWatcher.Builder.class, () -> FileSystemWatcher.builder(directory))
                .sample(InetAddress.class, InetAddress::getLoopbackAddress)
                .sample(InetSocketAddress.class, () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 9))
                .sample(InputStream.class, InputStream::nullInputStream)
                .sample(Interval.class, () -> Interval.every(Duration.ofMillis(1)))
                .sample(LineReader.class, () -> open.call().lines())
                .sample(List.class, () -> List.of("true"))
                .sample(ListenHandle.Options.class, () -> ListenHandle.Options.DEFAULT)
                .sample(Map.class, () -> Map.of("a", "b"))
                .sample(Path.class, () -> file)
                .sample(
                        NetworkInterface.class,
                        () -> NetworkInterface.networkInterfaces().findFirst().orElseThrow())
                .sample(Process.class, () -> new ProcessBuilder("true").start())
                .sample(TcpServer.class, () -> TcpServer.listen("127.0.0.1", 0))
                .sample(TerminalHandle.Size.class, () -> new TerminalHandle.Size(80, 24))
                .sample(UdpHandle.Options.class, () -> UdpHandle.Options.DEFAULT)
                .sample(PipeServer.Options.class, () -> PipeServer.Options.DEFAULT)
                .sample(ProcessHandle.class, ProcessHandle::current)
                .sample(Set.class, () -> Set.of(StandardOpenOption.READ))
                .sample(TcpStream.class, BadInputOfIoTest::connected)
                .sample(TlsOptions.class, TlsOptions::client)
                .sample(UdpSocket.class, () -> UdpSocket.bind("127.0.0.1", 0))
                .outside(DnsException.class, InputOutputException.class)
                // a value may be a secret; needs several cores
                .exempt("Exec.env", "TcpServer.listenOnEachCore");
        // virtual time has none of these
        check.exempt(
                "ChildProcess.await",
                "ChildProcess.kill",
                "FileSystemWatcher.next",
                "Pipe.shutdownOutput",
                "PipeServer.accept",
                "TlsStream.read",
                "TlsStream.shutdownOutput",
                "Tty.awaitResize");
        var types = new ArrayList<Class<?>>(PublicTypes.of(Exec.class, "org/trueasync/io"));
        types.add(CoreStream.class);
        List<String> complaints = check.check(types);
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
    }
}
