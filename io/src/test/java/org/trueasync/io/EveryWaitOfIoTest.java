package org.trueasync.io;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.WaitCase.SetUp;
import org.trueasync.internal.testkit.WaitEndings;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.internal.testkit.WaitingMethods;

/** Every wait of every public operation of this module, ended in every way. In virtual time. */
@Tag("sized")
class EveryWaitOfIoTest {
    private static final Map<String, SetUp> TABLE = new LinkedHashMap<>();

    static {
        for (WaitTable part : List.of(new StreamWaits(), new SocketWaits(), new FileWaits(), new DeviceWaits()))
            TABLE.putAll(part.rows());
    }

    /** What may wait as far as the code shows, and why it has no row; {@code ...} stands for any parameters. */
    private static final Map<String, String> WITHOUT_ROWS = Map.ofEntries(
            entry("ByteStream.close()", "its kinds have rows"),
            entry("ByteStream.flush(...)", "its kinds have rows"),
            entry("ByteStream.read(...)", "its kinds have rows"),
            entry("ByteStream.shutdownOutput()", "its kinds have rows"),
            entry("ByteStream.write(...)", "its kinds have rows"),
            entry("ByteStream.tryRead(...)", "lets others run at most"),
            entry("Pipe.tryRead(...)", "lets others run at most"),
            entry("TcpStream.tryRead(...)", "lets others run at most"),
            entry("TlsStream.tryRead(...)", "lets others run at most"),
            entry("Tty.tryRead(...)", "lets others run at most"),
            entry("TcpStream.close()", "waits for nothing"),
            entry("TlsStream.close()", "waits only if not one byte of its last record finds room: TlsConformance"),
            entry("Pipe.close()", "waits for nothing, as TcpStream"),
            entry("Tty.close()", "waits for nothing, as TcpStream"),
            entry("ChildProcess.detach()", "closes pipes"),
            entry("TcpServer.close()", "closes streams that nobody has accepted"),
            entry("PipeServer.close()", "as TcpServer"),
            entry("UdpSocket.close()", "wakes who waits"),
            entry("FileSystemWatcher.close()", "wakes who waits"),
            entry("AsyncFileLock.close()", "gives back on a helper thread, and does not wait for it"),
            entry(
                    "PipeServer.listen(...)",
                    "asks who listens at a file that is left of a server, which is no simulated one"),
            entry("Signals.next(...)", "an event: waits for others who install the same handler"),
            entry("IoEvents.dns(...)", "an event: the look-up waits when it is awaited"),
            entry("IoEvents.reverse(...)", "an event, as above"),
            entry("IoEvents.signal(...)", "an event, as Signals.next"),
            entry("TcpStream.tls()", "calls tls(TlsOptions)"),
            entry("TcpServer.listenOnEachCore(...)", "looks its host up as listen does; needs cores"),
            entry("FileSystemWatcher.Builder.build()", "reads folders on threads that no test can hold"));

    /** As above, of what stands behind the JDK's types. */
    private static final Map<String, String> BEHIND_WITHOUT_ROWS = Map.ofEntries(
            entry("AsyncFile.close", "has a row by its own name"),
            entry("AsyncFileLock.close", "see above"),
            entry("ChildProcess.close", "has a row by its own name"),
            entry("CoreStream.close", "its kinds have rows, see above"),
            entry("FileSystemWatcher.close", "see above"),
            entry("Pipe.close", "see above"),
            entry("PipeServer.close", "see above"),
            entry("TcpServer.close", "see above"),
            entry("TcpStream.close", "see above"),
            entry("TlsStream.close", "see above"),
            entry("Tty.close", "see above"),
            entry("UdpSocket.close", "see above"),
            entry("Views.Channel.close", "closes its stream or file"),
            entry("Views.Input.close", "closes its stream or file"),
            entry("Views.Output.close", "closes its stream or file"),
            entry("HelpedInput.read", "HelpedInputTest"),
            entry("HelpedOutput.flush", "HelpedOutputTest"),
            entry("HelpedOutput.write", "HelpedOutputTest"),
            entry("ResolverProvider.Detour.lookupByAddress", "ResolverProviderTest"),
            entry("ResolverProvider.Detour.lookupByName", "ResolverProviderTest"));

    /** Each end of each wait of TLS has a handshake of its own: they are in the deep build alone. */
    static Stream<String> methods() {
        return WaitTable.sample(TABLE.keySet(), Depth.of(6, 1))
                .filter(method -> Depth.of(0, 1) == 1 || !method.startsWith("TlsStream."));
    }

    private static SetUp setUp(String method) {
        return Objects.requireNonNull(TABLE.get(method));
    }

    private static TestRuntime runtime() {
        return new TestRuntime(settings -> settings.reactor(DeviceReactor::new));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void wait_endsInEveryWay(String method) {
        assertThat(WaitEndings.check(setUp(method), runtime())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void wait_goesOnInADrainAndEndsAfterIt(String method) throws Throwable {
        assertThat(WaitEndings.checkShutdown(setUp(method), runtime())).isEmpty();
    }

    @Test
    void everyMethodThatWaits_isInTheTable() throws Exception {
        var code = new WaitingMethods(TcpStream.class);
        Set<String> found = code.among(PublicTypes.of(TcpStream.class, "org/trueasync/io"));
        found.removeAll(TABLE.keySet());
        assertThat(found.stream().map(EveryWaitOfIoTest::listed).collect(Collectors.toSet()))
                .isEqualTo(WITHOUT_ROWS.keySet());
        Set<String> behind = code.behindTheJdksTypes(TcpStream.class);
        behind.removeAll(TABLE.keySet());
        assertThat(behind).isEqualTo(BEHIND_WITHOUT_ROWS.keySet());
    }

    private static String listed(String method) {
        return WITHOUT_ROWS.containsKey(method) ? method : method.replaceAll("\\(.*", "(...)");
    }
}
