package org.trueasync.io;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A peer that sends back what it gets, in a network of its own that a cable joins to ours. Its packets can be made to
 * vanish on the way, both ways and without a word, as if somebody had pulled the cable somewhere behind the next
 * switch. Only for a process that has a network of its own too.
 */
final class FarPeer implements AutoCloseable {
    static final String HOST = "10.77.0.2";
    static final int PORT = 7000;
    /** As messages have it. */
    static final String ADDRESS = HOST + ":" + PORT;

    private static final String HARDWARE = "02:00:00:00:00:02";

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    private FarPeer(Process process) {
        this.process = process;
        commands = process.outputWriter();
        answers = process.inputReader();
    }

    /**
     * Starts it and joins the networks.
     *
     * @throws IOException if the system does not let us; says why
     */
    static FarPeer start() throws IOException {
        here("unshare -n true");
        var peer = new FarPeer(new ChildProgram()
                .under("unshare", "-n")
                .options("-XX:TieredStopAtLevel=1", "-Xmx64m")
                .begin(Far.class));
        boolean joined = false;
        try {
            peer.awaitStart();
            peer.join();
            joined = true;
            return peer;
        } finally {
            if (!joined) peer.close();
        }
    }

    private void awaitStart() {
        try {
            awaitDone("start");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void join() throws IOException {
        here("ip link add near type veth peer name far address " + HARDWARE + " && ip link set far netns "
                + process.pid() + " && ip addr add 10.77.0.1/24 dev near && ip link set near up");
        reappear();
        tell("ip link set far up");
        // else the system would find out that nobody answers to the address any more, and say that the host can't be
        // reached
        here("ip neigh replace " + HOST + " lladdr " + HARDWARE + " dev near nud permanent");
    }

    /** From here on no packet arrives, here or there. */
    void vanish() throws IOException {
        tell("ip addr del " + HOST + "/24 dev far");
    }

    /** Packets arrive again. */
    void reappear() throws IOException {
        tell("ip addr add " + HOST + "/24 dev far");
    }

    /**
     * It knows nothing of its connections any more, as after a restart. What it says of that arrives only if packets
     * do.
     */
    void forget() throws IOException {
        tell(Far.FORGET);
    }

    private void tell(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        awaitDone(command);
    }

    private void awaitDone(String command) throws IOException {
        var said = new StringBuilder();
        String line;
        while ((line = answers.readLine()) != null) {
            if (line.equals(Far.DONE)) return;
            said.append(line).append('\n');
            if (line.startsWith(Far.FAILED)) break;
        }
        throw new IOException("far end: " + command + ": " + said);
    }

    private static void here(String command) throws IOException {
        Shell shell = Shell.run(command);
        if (shell.status != 0) throw new IOException("near end: " + command + ": " + shell.output);
    }

    /** It goes with its input. */
    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        commands.close();
        answers.close();
    }

    private record Shell(int status, String output) {
        static Shell run(String command) throws IOException {
            Process process = new ProcessBuilder("bash", "-c", command)
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            try (InputStream output = process.getInputStream()) {
                String all = new String(output.readAllBytes(), StandardCharsets.UTF_8);
                return new Shell(process.waitFor(), all);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /** The other end; does what the lines of its input say. */
    static final class Far {
        static final String DONE = "done";
        static final String FAILED = "failed";
        static final String FORGET = "forget";

        private static final Queue<Socket> CONNECTIONS = new ConcurrentLinkedQueue<>();

        private Far() {}

        public static void main(String[] arguments) throws IOException {
            try (var server = new ServerSocket(PORT, 500)) {
                Thread.ofPlatform().daemon().start(() -> accept(server));
                System.out.println(DONE);
                var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                String line;
                while ((line = commands.readLine()) != null) obey(line);
            }
        }

        private static void obey(String line) throws IOException {
            if (line.equals(FORGET)) {
                for (Socket connection : CONNECTIONS) {
                    connection.setSoLinger(true, 0);
                    connection.close();
                }
                System.out.println(DONE);
                return;
            }
            Shell shell = Shell.run(line);
            System.out.println(shell.status == 0 ? DONE : FAILED + " " + shell.output.replace('\n', ' '));
        }

        private static void accept(ServerSocket server) {
            try {
                while (true) {
                    Socket connection = server.accept();
                    CONNECTIONS.add(connection);
                    Thread.ofVirtual().start(() -> echo(connection));
                }
            } catch (IOException e) {
                // the end
            }
        }

        private static void echo(Socket connection) {
            try (connection) {
                connection.getInputStream().transferTo(connection.getOutputStream());
            } catch (IOException e) {
                // it has gone
            }
        }
    }
}
