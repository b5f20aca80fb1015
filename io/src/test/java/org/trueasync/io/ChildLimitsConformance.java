package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.InputOutputException;

/** Children and the limits of the process: descriptors, memory, what a child inherits. */
@Tag("deep")
public abstract class ChildLimitsConformance {
    private static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        assumeTrue(open != null, "this system does not list descriptors");
        return open.length;
    }

    private static String jvm(Class<?> program, ChildProgram child) throws Exception {
        return child.options("-XX:TieredStopAtLevel=1").run(program);
    }

    // ---- what a child inherits

    @Test
    void descriptorsOfOurs_areNotInherited() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "this system does not list descriptors");
        Path file = Files.createTempFile("trueasync", "inherit");
        try (var socket = new ServerSocket(0);
                var channel = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                var client = SocketChannel.open(channel.getLocalAddress());
                var open = new RandomAccessFile(file.toFile(), "rw")) {
            assertThat(socket.isBound()).isTrue();
            assertThat(client.isConnected()).isTrue();
            open.write(1);
            Runs.runClean(() -> {
                TcpServer server = TcpServer.listen("127.0.0.1", 0);
                try (ChildProcess other = Exec.of("cat").start()) {
                    assertThat(other.isAlive()).isTrue();
                    // the shell's own; ls itself opens one more
                    assertThat(Exec.of("sh", "-c", "ls /proc/$$/fd").run().outLines())
                            .containsExactly("0", "1", "2");
                }
                server.close();
            });
        } finally {
            Files.delete(file);
        }
    }

    static final class SignalsOfTheChild {
        /** Without the C library's own two, which it sets as it likes. */
        private static final long OURS = ~(3L << 31);

        public static void main(String[] args) {
            Runs.run(() -> {
                for (String line : Exec.of("cat", "/proc/self/status").run().outLines()) {
                    String[] words = line.split("\\s+", -1);
                    if (words[0].equals("SigBlk:") || words[0].equals("SigIgn:"))
                        IO.println(words[0] + (Long.parseUnsignedLong(words[1], 16) & OURS));
                }
            });
        }
    }

    @Test
    void signalsThatTheJvmBlocksOrHandles_areAsUsualInTheChild() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "this system does not tell");
        assertThat(jvm(SignalsOfTheChild.class, new ChildProgram().defaultSignals()))
                .isEqualTo("SigBlk:0\nSigIgn:0\nexit 0");
    }

    // ---- many

    @Test
    @Tag("E44")
    void aThousandChildren_leaveNothingBehind() {
        Runs.runClean(() -> {
            for (int i = 0; i < 50; i++) Exec.of("true").run();
            int before = descriptors();
            for (int i = 0; i < 1_000; i++) {
                if (i % 10 == 0)
                    assertThatThrownBy(() -> Exec.of("/no/such/program").run())
                            .isInstanceOf(InputOutputException.class);
                assertThat(Exec.of("sh", "-c", "exit " + i % 100).run().exitCode())
                        .isEqualTo(i % 100);
            }
            for (int i = 0; i < 200 && Async.runtimeStats().reactorHandles() > 0; i++) Async.delay(1);
            assertThat(descriptors()).isLessThanOrEqualTo(before + 5);
            assertThat(ProcessHandle.current().children().filter(ChildLimitsConformance::isZombie))
                    .isEmpty();
        });
    }

    private static boolean isZombie(ProcessHandle child) {
        try {
            return Files.readString(Path.of("/proc/" + child.pid() + "/stat")).contains(") Z ");
        } catch (java.io.IOException gone) {
            return false;
        }
    }

    // ---- memory

    static final class MuchOutput {
        public static void main(String[] args) {
            Runs.run(() -> {
                long[] bytes = {0};
                Exec.of("sh", "-c", "yes 'a line of output that is not very long' | head -c 300000000")
                        .lines(line -> bytes[0] += line.length() + 1);
                IO.println(bytes[0]);
                try (ChildProcess child =
                        Exec.of("head", "-c", "300000000", "/dev/zero").start()) {
                    var into = java.nio.ByteBuffer.allocate(100_000);
                    long count = 0;
                    for (int n; (n = child.stdout().read(into.clear())) >= 0; ) count += n;
                    IO.println(count + " " + child.await());
                }
            });
        }
    }

    @Test
    void muchOutput_streamsThroughALittleMemory() throws Exception {
        assertThat(jvm(MuchOutput.class, new ChildProgram().options("-Xmx32m")))
                // the last line has no newline
                .isEqualTo("300000001\n300000000 0\nexit 0");
    }

    // ---- descriptors run out

    static final class NoDescriptors {
        public static void main(String[] args) throws Exception {
            ChildProgram.loadClasses();
            Runs.runClean(() -> {
                IO.println(Exec.of("true").run().exitCode());
                assertThatThrownBy(() -> Exec.of("/no/such/program").run()).isInstanceOf(InputOutputException.class);
                var hoard = new ArrayList<SocketChannel>();
                try {
                    while (true) hoard.add(SocketChannel.open());
                } catch (java.io.IOException full) {
                    // as wanted
                }
                // with few descriptors left it fails at each of its steps in turn
                var refusals = new java.util.TreeSet<String>();
                int started = 0;
                for (int left = 0; left < 30; left++) {
                    try {
                        if (Exec.of("sh", "-c", "cat >&2; exit 3")
                                        .input("x")
                                        .run()
                                        .exitCode()
                                == 3) started++;
                    } catch (InputOutputException e) {
                        refusals.add(e.errno() + " " + e.getMessage().contains("ulimit -n"));
                    }
                    hoard.removeLast().close();
                    Async.delay(2);
                }
                IO.println(refusals);
                IO.println(started > 5);
                for (SocketChannel each : hoard) each.close();
                IO.println(Exec.of("sh", "-c", "exit 9").run().exitCode());
            });
        }
    }

    @Test
    void descriptorsRunOut_startFailsAndLeavesNothingBehind() throws Exception {
        assertThat(jvm(NoDescriptors.class, new ChildProgram().limit("-n 100"))).isEqualTo("""
                0
                [EMFILE true]
                true
                9
                exit 0""");
    }

    // ---- an unusual parent

    static final class PlainChild {
        public static void main(String[] args) throws Exception {
            Runs.run(() -> {
                IO.println(Exec.of("sh", "-c", "exit 5").run().exitCode());
                IO.println(new ProcessBuilder("sh", "-c", "exit 6").start().waitFor());
                IO.println(Exec.of("sh", "-c", "kill -TERM $$").run().exitCode());
            });
        }
    }

    @Test
    @Tag("E44")
    void parentIgnoresTheEndsOfChildren_statusesAreThereAllTheSame() throws Exception {
        assertThat(jvm(PlainChild.class, new ChildProgram().shell("trap '' CHLD")))
                .isEqualTo("5\n6\n143\nexit 0");
    }

    @Test
    void standardStreamsClosed_childrenHaveTheirPipes() throws Exception {
        assertThat(jvm(PlainChild.class, new ChildProgram().shell("exec 0<&-"))).isEqualTo("5\n6\n143\nexit 0");
    }

    static final class OddEnvironment {
        public static void main(String[] args) throws Exception {
            Runs.run(() -> IO.println(java.util.HexFormat.of()
                    .formatHex(Exec.of("printenv", "ODD").run().out())));
        }
    }

    @Test
    void environmentThatTheJvmCantDecode_reachesTheChildUnchanged() throws Exception {
        assertThat(jvm(OddEnvironment.class, new ChildProgram().shell("export LC_ALL=C ODD=$'\\xfc\\xc3\\xbc'")))
                .isEqualTo("fcc3bc0a\nexit 0");
    }
}
