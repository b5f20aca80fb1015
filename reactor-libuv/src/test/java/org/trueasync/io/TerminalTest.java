package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.io.Runs.bytes;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.TerminalHandle;

/** The terminal, with a program that runs on a pseudo-terminal of its own, made by script(1). */
class TerminalTest {
    @TempDir
    Path folder;

    // ---- the program

    /** What it does is its first argument. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            Runs.testRun().run(() -> {
                switch (arguments[0]) {
                    case "keys" -> keys();
                    case "stopped" -> stopped(Path.of(arguments[1]));
                    case "raw" -> Tty.stdin().raw(true);
                    case "exit" -> exit();
                    case "resize" -> resize();
                    default -> throw new IllegalArgumentException(arguments[0]);
                }
            });
            if (arguments[0].equals("keys"))
                System.out.println("typed: " + System.console().readLine());
        }

        private static void keys() throws IOException {
            try (Tty in = Tty.stdin();
                    Tty out = Tty.stdout();
                    Tty error = Tty.stderr()) {
                say(out, in + ", " + Tty.isTerminal(0) + Tty.isTerminal(1) + Tty.isTerminal(2));
                say(error, "size " + out.size().columns() + " by " + out.size().rows());
                in.raw(true);
                say(out, "nothing typed: " + in.tryRead(ByteBuffer.allocate(1)) + "\r");
                ByteBuffer typed = ByteBuffer.allocate(1);
                say(out, "type\r");
                while (in.tryRead(typed) == 0) Async.delay(1);
                say(out, "found " + typed.get(0) + "\r");
                Coroutine<Integer> key = Async.spawn(() -> key(in));
                Async.suspend();
                say(out, "press\r");
                say(out, "key " + Async.await(key) + "\r");
                in.raw(false);
                Coroutine<Integer> other = Async.spawn(() -> key(in));
                Async.delay(5);
                say(out, "waits " + !other.isCompleted());
                in.close();
                try {
                    Async.await(other);
                } catch (InputOutputException e) {
                    say(out, e.getMessage());
                }
                say(
                        out,
                        "shared flags are " + (blocking(0) && blocking(1) && blocking(2) ? "as they were" : "changed"));
            }
        }

        /** Of the description that other processes share. */
        private static boolean blocking(int descriptor) throws IOException {
            for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor)))
                if (line.startsWith("flags:"))
                    return (Integer.parseInt(line.substring(6).strip(), 8) & 04000) == 0;
            throw new AssertionError("no flags");
        }

        private static int key(Tty in) {
            ByteBuffer one = ByteBuffer.allocate(1);
            return in.read(one) < 0 ? -1 : one.get(0);
        }

        private static void say(Tty out, String line) {
            out.write(bytes(line), bytes("\n"));
        }

        private static void stopped(Path handshake) {
            try (Tty in = Tty.stdin();
                    Tty out = Tty.stdout();
                    Pipe test = Pipe.connect(handshake)) {
                test.write(bytes("1"));
                key(in); // the output is stopped now
                key(in);
                byte[] much = "0123456789abcdef".repeat(20_000).getBytes(StandardCharsets.UTF_8);
                Coroutine<?> writer = Async.spawn(() -> out.write(ByteBuffer.wrap(much)));
                int ticks = 0;
                while (ticks < 20) {
                    Async.delay(1);
                    ticks++;
                }
                test.write(bytes(writer.isCompleted() ? "X" : "2"));
                Async.await(writer);
                say(out, "\nwritten after " + ticks + " ticks");
            }
        }

        private static void resize() throws Exception {
            Tty out = Tty.stdout();
            var known = out.size();
            try {
                out.awaitResize(known, Async.timeout(1));
            } catch (OperationCanceledException e) {
                say(out, "not yet");
            }
            Coroutine<TerminalHandle.Size> other = Async.spawn(() -> out.awaitResize(known));
            Async.suspend();
            new ProcessBuilder("stty", "cols", "99").inheritIO().start().waitFor();
            say(out, "columns " + Async.await(other).columns());
            say(out, "at once " + out.awaitResize(known).columns());
            Coroutine<TerminalHandle.Size> never = Async.spawn(() -> out.awaitResize(out.size()));
            Async.suspend();
            out.close();
            try {
                Async.await(never);
            } catch (InputOutputException e) {
                System.out.println(e.getMessage());
            }
        }

        private static void exit() throws InterruptedException {
            Tty.stdin().raw(true);
            // not through the runtime: a JVM that ends while the loop waits
            Thread.ofPlatform().start(() -> System.exit(3));
            Async.delay(100_000);
        }
    }

    private static Process start(String... arguments) throws IOException {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/script")) && Files.isExecutable(Path.of("/proc/self/exe")),
                "script(1) is not installed, or this is not Linux");
        return new ChildProgram().terminal().options("-XX:TieredStopAtLevel=1").begin(Program.class, arguments);
    }

    /** The next line that contains it; all others are passed over. */
    private static String line(BufferedReader output, String part) throws IOException {
        var seen = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(part)) return line;
            seen.append(line).append('\n');
        }
        throw new AssertionError("no line with '" + part + "' in:\n" + seen);
    }

    private static void send(Process process, String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    private static void awaitEnd(Process process) throws InterruptedException {
        if (process.waitFor(60, TimeUnit.SECONDS)) return;
        process.destroyForcibly();
        throw new AssertionError("the program did not end");
    }

    // ---- the tests

    @Test
    @Tag("deep")
    @Tag("E30")
    @Tag("E38")
    void keysAndSize_areReadAndTheTerminalIsAsBefore() throws Exception {
        Process process = start("keys");
        try (BufferedReader output = process.inputReader()) {
            assertThat(line(output, "terminal on")).contains("terminal on standard input, truetruetrue");
            assertThat(line(output, "size")).contains("size 77 by 33");
            assertThat(line(output, "nothing typed")).contains("nothing typed: 0");
            line(output, "type");
            send(process, "\u0004"); // Ctrl-D
            assertThat(line(output, "found")).contains("found 4");
            line(output, "press");
            send(process, "\u0003"); // Ctrl-C, a key like others
            assertThat(line(output, "key")).contains("key 3");
            assertThat(line(output, "waits")).contains("waits true");
            assertThat(line(output, "closed"))
                    .contains("terminal on standard input")
                    .contains("closed while waiting");
            assertThat(line(output, "shared flags")).contains("as they were");
            send(process, "a line\n");
            assertThat(line(output, "typed")).contains("typed: a line");
            line(output, "exit 0");
            assertThat(line(output, "isig"))
                    .contains(" icanon")
                    .doesNotContain("-icanon")
                    .doesNotContain("-isig");
        }
        awaitEnd(process);
    }

    @Test
    @Tag("deep")
    @Tag("E39")
    void terminalIsStopped_onlyTheWriterWaits() throws Exception {
        Path path = folder.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            Process process = start("stopped", path.toString());
            try (SocketChannel child = server.accept();
                    BufferedReader output = process.inputReader()) {
                assertThat(handshake(child)).isEqualTo('1');
                send(process, "\u0013\n\n"); // Ctrl-S, and lines for the program
                assertThat(handshake(child)).isEqualTo('2');
                send(process, "\u0011"); // Ctrl-Q
                assertThat(line(output, "written after")).contains("20 ticks");
                line(output, "exit 0");
            }
            awaitEnd(process);
        }
    }

    private static char handshake(SocketChannel child) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        return child.read(one) < 0 ? '-' : (char) one.get(0);
    }

    @Test
    @Tag("deep")
    @Tag("E38")
    void sizeChanges_whoWaitsForItIsTold() throws Exception {
        Process process = start("resize");
        try (BufferedReader output = process.inputReader()) {
            line(output, "not yet");
            assertThat(line(output, "columns")).contains("columns 99");
            assertThat(line(output, "at once")).contains("at once 99");
            assertThat(line(output, "closed")).contains("terminal on standard output was closed while waiting");
            line(output, "exit 0");
        }
        awaitEnd(process);
    }

    @Test
    @Tag("deep")
    void runEndsInRawMode_terminalIsAsBefore() throws Exception {
        Process process = start("raw");
        try (BufferedReader output = process.inputReader()) {
            line(output, "exit 0");
            assertThat(line(output, "isig"))
                    .contains(" icanon")
                    .doesNotContain("-icanon")
                    .doesNotContain("-isig");
        }
        awaitEnd(process);
    }

    @Test
    @Tag("deep")
    void jvmExitsInRawMode_terminalIsAsBefore() throws Exception {
        Process process = start("exit");
        try (BufferedReader output = process.inputReader()) {
            line(output, "exit 3");
            assertThat(line(output, "isig"))
                    .contains(" icanon")
                    .doesNotContain("-icanon")
                    .doesNotContain("-isig");
        }
        awaitEnd(process);
    }

    @Test
    void noTerminal_isRefusedByName() {
        Runs.runClean(() -> {
            // under Maven the standard streams are pipes or files
            assumeTrue(!Tty.isTerminal(0), "standard input is a terminal here");
            assertThatThrownBy(Tty::stdin)
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("descriptor 0")
                    .hasMessageContaining("ENOTTY");
            assertThatThrownBy(() -> Tty.isTerminal(3)).isInstanceOf(IllegalArgumentException.class);
        });
    }
}
