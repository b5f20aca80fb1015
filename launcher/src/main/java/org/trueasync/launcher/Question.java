package org.trueasync.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.inspect.Inspector;
import org.trueasync.internal.inspect.Protocol;
import org.trueasync.internal.inspect.SocketPlace;

/** Asks one process of this user a question. */
final class Question {
    /** A process begins to answer from a thread of its own, so a longer silence means that it stands still. */
    private static final long TO_BEGIN_SECONDS = 10;
    /** Before the next line of an answer it may walk over millions of coroutines. */
    private static final long TO_GO_ON_SECONDS = 120;

    /** A process has its socket for a moment before it listens there. */
    private static final long MILLIS_TO_LISTEN = 50;

    private static final String HEAD = Protocol.NAME + " ";
    private static final String OK = HEAD + Protocol.VERSION + " ok";

    /** The process has ended, or its answer was cut off. */
    static final class Ended extends Exception {
        private static final long serialVersionUID = 1;

        Ended(String message) {
            super(message);
        }
    }

    private Question() {}

    /**
     * The socket of a process.
     *
     * @throws UsageException if it can't be asked; the message says why
     */
    static Path socketOf(long pid) throws UsageException {
        try {
            Path socket = SocketPlace.ofUser().find(pid);
            if (socket != null && !removeIfStale(socket)) return socket;
            ProcessHandle process = ProcessHandle.of(pid).orElse(null);
            if (process == null || !process.isAlive()) throw new UsageException("there is no process " + pid);
            if (socket != null)
                throw new UsageException("process " + pid
                        + " has ended, or it is another one that has got the number of one that was killed");
            throw new UsageException(withoutSocket(pid, process));
        } catch (IOException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static String withoutSocket(long pid, ProcessHandle process) {
        String owner = process.info().user().orElse("another user");
        if (!owner.equals(System.getProperty("user.name")) && !SocketPlace.isOurs(pid))
            return "process " + pid + " belongs to " + owner + ", and only its owner can ask it";
        return "process " + pid + " has no socket: it was not started by trueasync run, or less than a second ago,"
                + " or could make one neither in $XDG_RUNTIME_DIR nor in /tmp; as a library, TrueAsync opens one with -D"
                + Inspector.PROPERTY + "=true while a runtime runs";
    }

    /**
     * Asks a process.
     *
     * @param socket its socket
     * @param question as {@link Protocol} has it
     * @param lines gets each line of the answer
     * @throws UsageException if it refuses to answer
     * @throws Ended if it has ended, or ends meanwhile
     */
    static void ask(Path socket, String question, Consumer<String> lines) throws UsageException, Ended {
        long pid = SocketPlace.pidOf(socket);
        var patience = new Patience();
        try (patience;
                var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            patience.watch(channel);
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap(
                    (HEAD + Protocol.VERSION + " " + question + "\n").getBytes(StandardCharsets.UTF_8)));
            var in =
                    new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
            String first = patience.line(in);
            if (first == null) throw silent(pid, patience);
            requireOk(pid, first);
            String line;
            while ((line = patience.line(in)) != null && !line.equals(Protocol.END)) lines.accept(line);
            if (line == null) throw silent(pid, patience);
        } catch (ConnectException | NoSuchFileException e) {
            throw new Ended("process " + pid + " has ended");
        } catch (ClosedChannelException e) {
            throw silent(pid, patience);
        } catch (IOException e) {
            throw new Ended("process " + pid + " has ended, or can't be asked: " + e.getMessage());
        }
    }

    private static Ended silent(long pid, Patience patience) {
        return new Ended("process " + pid
                + (patience.isOver
                        ? " has not answered for " + patience.seconds + " s: is it stopped, or out of memory?"
                        : " has ended while it answered"));
    }

    private static void requireOk(long pid, String first) throws UsageException {
        if (first.equals(OK)) return;
        String error = OK.substring(0, OK.length() - 2) + "error ";
        if (first.startsWith(error))
            throw new UsageException("process " + pid + " refuses: " + first.substring(error.length()));
        throw new UsageException("process " + pid + " speaks another version of the protocol: '" + first
                + "', not version " + Protocol.VERSION + "; use the trueasync command of its own version");
    }

    /**
     * Removes the socket of a process that was killed; false if somebody may still answer. The process's number does
     * not tell: another process may have it by now, and one in a container has another number here.
     */
    static boolean removeIfStale(Path socket) {
        if (isListening(socket)) return false;
        try {
            Thread.sleep(MILLIS_TO_LISTEN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        if (isListening(socket)) return false;
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            // it is not shown, whether it can be removed or not
        }
        return true;
    }

    /** Does not wait for a process that is stopped: the system accepts in its place, or says that it could later. */
    private static boolean isListening(Path socket) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket));
            return true;
        } catch (ConnectException | NoSuchFileException refused) {
            return false;
        } catch (IOException mayBeFull) {
            return true;
        }
    }

    /** Closes a connection on which nothing comes for long while it is read: the JDK has no time limit for it. */
    private static final class Patience implements AutoCloseable {
        private @Nullable Thread thread;
        private volatile long since = System.nanoTime();
        private volatile boolean isReading = true;
        volatile long seconds = TO_BEGIN_SECONDS;
        volatile boolean isOver;

        void watch(SocketChannel channel) {
            thread = Thread.ofPlatform().daemon().start(() -> closeWhenOver(channel));
        }

        /** The next line; null at the end. */
        @Nullable
        String line(BufferedReader in) throws IOException {
            since = System.nanoTime();
            isReading = true;
            String line = in.readLine();
            isReading = false;
            if (line != null) seconds = TO_GO_ON_SECONDS;
            return line;
        }

        private void closeWhenOver(SocketChannel channel) {
            try {
                long left;
                while ((left = left()) > 0) TimeUnit.NANOSECONDS.sleep(left);
                isOver = true;
                channel.close();
            } catch (InterruptedException | IOException done) {
                // the answer is complete, or the connection is gone anyway
            }
        }

        /** Whoever prints a line may be held up for as long as they like. */
        private long left() {
            long limit = TimeUnit.SECONDS.toNanos(seconds);
            return isReading ? limit - (System.nanoTime() - since) : limit;
        }

        @Override
        public void close() {
            if (thread != null) thread.interrupt();
        }
    }
}
