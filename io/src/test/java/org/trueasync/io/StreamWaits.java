package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.withTimeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.VoidSection;
import org.trueasync.internal.testkit.WaitTable;

/**
 * Waits of byte streams whose peer is in the same run. What a reader was to get is there for the next one, in order;
 * of what a writer has sent the peer gets a beginning, before anything of the next writer.
 */
final class StreamWaits extends WaitTable {
    /** More than fits anywhere. */
    private static final int LARGE = 320 * 1024;

    private static final AtomicInteger NAMES = new AtomicInteger();

    private interface Opening {
        Ends open() throws IOException;
    }

    StreamWaits() {
        streams("TcpStream", StreamWaits::tcp);
        streams("Pipe", StreamWaits::pipe);
        streams("TlsStream", StreamWaits::tls);
        texts();
        views();
        tcpOnly();
        tlsOnly();
        relays();
    }

    // ---- two ends

    /** A stream, its peer, and what the peer has read. */
    private static final class Ends {
        final ByteStream near;
        final ByteStream far;
        final AutoCloseable server;
        private final StringBuilder written = new StringBuilder();
        private final StringBuilder seen = new StringBuilder();
        private final List<Integer> lengths = new ArrayList<>();
        private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

        Ends(ByteStream near, ByteStream far, AutoCloseable server) {
            this.near = near;
            this.far = far;
            this.server = server;
        }

        /** Bytes that are the same, and other ones than those before. */
        ByteBuffer next() {
            return bytes(LARGE);
        }

        ByteBuffer bytes(int length) {
            char letter = (char) ('a' + written.length());
            written.append(letter);
            var bytes = new byte[length];
            java.util.Arrays.fill(bytes, (byte) letter);
            return ByteBuffer.wrap(bytes);
        }

        /** The peer reads until nothing more comes. */
        void drain() {
            for (int quiet = 0; quiet < 3; ) {
                int count = far.tryRead(buffer.clear());
                if (count < 0) return;
                if (count == 0) {
                    quiet++;
                    delay(1);
                } else {
                    quiet = 0;
                    note(buffer.flip());
                }
            }
        }

        private void note(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                char letter = (char) bytes.get();
                int last = seen.length() - 1;
                if (last >= 0 && seen.charAt(last) == letter) {
                    lengths.set(last, lengths.get(last) + 1);
                } else {
                    seen.append(letter);
                    lengths.add(1);
                }
            }
        }

        /** Each write has come in its order, from its beginning, and the last one to its end. */
        void assertWhole(int length) {
            drain();
            assertThat(written.toString())
                    .as("in order")
                    .containsSubsequence(seen.chars()
                            .mapToObj(letter -> String.valueOf((char) letter))
                            .toList());
            assertThat(lengths).allSatisfy(count -> assertThat(count).isBetween(1, length));
            assertThat(seen.charAt(seen.length() - 1)).isEqualTo(written.charAt(written.length() - 1));
            assertThat(lengths.getLast()).isEqualTo(length);
        }

        /** Another one writes more than fits. */
        void occupy() {
            ByteBuffer bytes = next();
            spawn(() -> {
                try {
                    near.write(bytes);
                } catch (InputOutputException e) {
                    // closed at the end of the case
                }
            });
            delay(1);
        }

        void close() throws Exception {
            // a close of TLS waits for room
            far.close();
            near.close();
            server.close();
        }
    }

    private static Ends tcp() {
        TcpServer server = TcpServer.listen("127.0.0.1", 0);
        Coroutine<TcpStream> accepted = spawn(() -> server.accept());
        TcpStream near = TcpStream.connect("127.0.0.1", server.port());
        return new Ends(near, Async.await(accepted), server);
    }

    private static Ends pipe() {
        Path path = Path.of("/tmp/every-wait-" + NAMES.incrementAndGet());
        PipeServer server = PipeServer.listen(path);
        Coroutine<Pipe> accepted = spawn(() -> server.accept());
        Pipe near = Pipe.connect(path);
        return new Ends(near, Async.await(accepted), server);
    }

    private static Ends tls() {
        TlsRuns.Pair pair = TlsRuns.Pair.open();
        return new Ends(pair.client(), pair.peer(), pair.server());
    }

    // ---- what all streams have

    private void streams(String type, Opening opening) {
        reads(type + ".read(ByteBuffer)", opening, (near, into, token) -> near.read(into));
        reads(type + ".read(ByteBuffer, Completable)", opening, ByteStream::read);
        writes(type + ".write(ByteBuffer)", opening, LARGE, (ends, token) -> ends.near.write(ends.next()));
        writes(
                type + ".write(ByteBuffer, Completable)",
                opening,
                LARGE,
                (ends, token) -> ends.near.write(ends.next(), token));
        writes(type + ".write(ByteBuffer[])", opening, LARGE, (ends, token) -> {
            ByteBuffer all = ends.next();
            ends.near.write(all.slice(0, 1_000), all.slice(1_000, LARGE - 1_000));
        });
        behindAWriter(type + ".flush()", opening, (ends, token) -> ends.near.flush());
        behindAWriter(type + ".flush(Completable)", opening, (ends, token) -> ends.near.flush(token));
        behindAWriter(type + ".shutdownOutput()", opening, (ends, token) -> ends.near.shutdownOutput());
    }

    @FunctionalInterface
    private interface Reads {
        int read(ByteStream near, ByteBuffer into, Completable<?> token) throws IOException;
    }

    private void reads(String method, Opening opening, Reads reads) {
        row(method, wait -> {
            Ends ends = opening.open();
            call(method, wait, token -> {
                ByteBuffer into = ByteBuffer.allocate(20);
                int count = reads.read(ends.near, into, token);
                assertThat(new String(into.array(), 0, count, StandardCharsets.UTF_8))
                        .isEqualTo("some");
            });
            wait.serve(() -> ends.far.writeText("some"))
                    .comesFromOutside()
                    .leaves(() -> assertThat(ends.near.tryRead(ByteBuffer.allocate(1)))
                            .isZero())
                    .closes(ends::close);
        });
    }

    private void lines(String method, Opening opening, On<ByteStream> on) {
        row(method, wait -> {
            Ends ends = opening.open();
            ends.far.writeText("half of ");
            delay(1);
            call(method, wait, token -> on.call(ends.near, token));
            wait.serve(() -> ends.far.writeText("it\nhalf of "))
                    .comesFromOutside()
                    .leaves(() -> {
                        ends.far.writeText("the end\n");
                        assertThat(ends.near.lines().readLine()).isEqualTo("half of the end");
                        assertThat(ends.near.tryRead(ByteBuffer.allocate(1))).isZero();
                    })
                    .closes(ends::close);
        });
    }

    private void writes(String method, Opening opening, int length, On<Ends> on) {
        row(method, wait -> {
            Ends ends = opening.open();
            fill(ends, length);
            call(method, wait, token -> on.call(ends, token));
            wait.serve(ends::drain)
                    .keepsNothing()
                    .leaves(() -> ends.assertWhole(length))
                    .closes(ends::close);
        });
    }

    /** Fills the way to the peer, so that less than a lot waits. */
    private static void fill(Ends ends, int length) {
        if (length == LARGE) return;
        try {
            withTimeout(Duration.ofMillis(1), (VoidSection<RuntimeException>) () -> {
                while (true) ends.near.write(ends.bytes(length));
            });
        } catch (org.trueasync.AsyncTimeoutException e) {
            // full
        }
    }

    private void behindAWriter(String method, Opening opening, On<Ends> on) {
        row(method, wait -> {
            Ends ends = opening.open();
            ends.occupy();
            call(method, wait, token -> on.call(ends, token));
            wait.serve(ends::drain).leaves(() -> ends.assertWhole(LARGE)).closes(ends::close);
        });
    }

    // ---- what only some have

    private void texts() {
        int length = 64 * 1024;
        writes(
                "ByteStream.writeText(String)",
                StreamWaits::tcp,
                length,
                (ends, token) -> ends.near.writeText(text(ends, length)));
        writes(
                "ByteStream.writeText(String, Completable)",
                StreamWaits::tcp,
                length,
                (ends, token) -> ends.near.writeText(text(ends, length), token));
        for (String method : List.of("ByteStream.writeLine(String)", "ByteStream.writeLine(String, Completable)"))
            row(method, wait -> {
                Ends ends = tcp();
                fill(ends, length);
                call(method, wait, token -> {
                    String text = text(ends, length - 1);
                    if (takesToken(method)) ends.near.writeLine(text, token);
                    else ends.near.writeLine(text);
                });
                wait.serve(ends::drain)
                        .keepsNothing()
                        .leaves(() -> {
                            ends.drain();
                            assertThat(ends.seen.toString()).endsWith("\n");
                            assertThat(ends.lengths.get(ends.lengths.size() - 2))
                                    .isEqualTo(length - 1);
                        })
                        .closes(ends::close);
            });
        reads("LineReader.read(ByteBuffer)", StreamWaits::tcp, (near, into, token) -> near.lines()
                .read(into));
        reads("LineReader.read(ByteBuffer, Completable)", StreamWaits::tcp, (near, into, token) -> near.lines()
                .read(into, token));
        lines("LineReader.readLine()", StreamWaits::tcp, (near, token) -> near.lines()
                .readLine());
        lines("LineReader.readLine(Completable)", StreamWaits::tcp, (near, token) -> near.lines()
                .readLine(token));
    }

    private static String text(Ends ends, int length) {
        return new String(ends.bytes(length).array(), StandardCharsets.US_ASCII);
    }

    /** The JDK's types are the same views of all streams. */
    private void views() {
        reads("Views.Input.read", StreamWaits::tcp, (near, into, token) -> near.inputStream()
                .read(into.array(), 0, into.capacity()));
        reads("Views.Channel.read", StreamWaits::tcp, (near, into, token) -> near.channel()
                .read(into));
        writes("Views.Output.write", StreamWaits::tcp, LARGE, (ends, token) -> ends.near
                .outputStream()
                .write(ends.next().array()));
        writes("Views.Channel.write", StreamWaits::tcp, LARGE, (ends, token) -> ends.near
                .channel()
                .write(ends.next()));
        writes("StreamViews.StreamChannel.write", StreamWaits::tcp, LARGE, (ends, token) -> ((GatheringByteChannel)
                        ends.near.channel())
                .write(new ByteBuffer[] {ends.next()}));
        for (String method : List.of("LineReader.1.hasNext", "LineReader.1.next"))
            lines(method, StreamWaits::tcp, (near, token) -> {
                var lines = near.lines().iterator();
                if (method.endsWith("hasNext")) assertThat(lines.hasNext()).isTrue();
                assertThat(lines.next()).isEqualTo("half of it");
            });
    }

    private void tcpOnly() {
        reads("TcpStream.read(IntFunction)", StreamWaits::tcp, (near, into, token) -> ((TcpStream) near)
                .read(count -> into));
        reads("TcpStream.read(IntFunction, Completable)", StreamWaits::tcp, (near, into, token) -> ((TcpStream) near)
                .read(count -> into, token));
        behindAWriter(
                "TcpStream.shutdownOutput(Completable)", StreamWaits::tcp, (ends, token) -> ((TcpStream) ends.near)
                        .shutdownOutput(token));
        behindAWriter("Pipe.shutdownOutput(Completable)", StreamWaits::pipe, (ends, token) -> ((Pipe) ends.near)
                .shutdownOutput(token));
    }

    private void tlsOnly() {
        behindAWriter(
                "TlsStream.shutdownOutput(Completable)", StreamWaits::tls, (ends, token) -> ((TlsStream) ends.near)
                        .shutdownOutput(token));
        for (String method : List.of("TcpStream.tls(TlsOptions)", "TcpStream.tls(TlsOptions, Completable)"))
            handshake(method);
    }

    /** A handshake that was given up has closed its connection, so each one has another. */
    private void handshake(String method) {
        row(method, wait -> {
            List<Ends> connections = List.of(tcp(), tcp());
            List<Ends> used = new ArrayList<>();
            List<TlsStream> made = new ArrayList<>();
            call(method, wait, token -> {
                used.add(connections.get(used.size()));
                var near = (TcpStream) used.getLast().near;
                try {
                    made.add(takesToken(method) ? near.tls(TlsRuns.client(), token) : near.tls(TlsRuns.client()));
                } catch (AsyncCancellation e) {
                    // unless the token had ended before
                    assertThat(near.isClosed() || token.isCompleted()).isTrue();
                    throw e;
                }
            });
            wait.serve(() -> answer(used.getLast()))
                    .keepsNothing()
                    .leaves(() -> made.getLast().writeText("secret"))
                    .closes(() -> {
                        for (Ends ends : connections) ends.close();
                        for (TlsStream stream : made) stream.close();
                    });
        });
    }

    private static void answer(Ends ends) {
        spawn(() -> {
            try {
                ((TcpStream) ends.far).tls(TlsRuns.server());
            } catch (InputOutputException e) {
                // the other side has given up
            }
        });
    }

    private void relays() {
        String method = "ByteStream.relay(ByteStream, Duration)";
        row(method, wait -> {
            Ends one = tcp();
            Ends other = tcp();
            wait.call(() -> one.near.relay(other.near, AGES))
                    .serve(() -> {
                        one.far.shutdownOutput();
                        other.far.shutdownOutput();
                    })
                    .closes(one::close)
                    .closes(other::close);
        });
    }
}
