package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.runClean;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.Runs.Pair;

/** Lines and text over streams of every kind. */
public abstract class LinesConformance {
    @TempDir
    Path folder;

    private interface Conversation {
        void over(TcpStream writer, LineReader lines) throws Exception;
    }

    private static void lines(Conversation conversation) {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                conversation.over(pair.peer(), pair.client().lines());
            }
        });
    }

    @Test
    void linesOfEveryKind_areReadWithoutTheirEnds() {
        lines((writer, lines) -> {
            writer.writeText("one\ntwo\r\n\n\r\n\rthree\r\rstill three\r\nlast");
            writer.shutdownOutput();
            var got = new ArrayList<String>();
            for (String line : lines) got.add(line);
            assertThat(got).containsExactly("one", "two", "", "", "\rthree\r\rstill three", "last");
            assertThat(lines.readLine()).isNull();
            assertThat(lines.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        });
    }

    @Test
    void streamEndsBehindALine_thereIsNoEmptyOne() {
        lines((writer, lines) -> {
            writer.writeLine("only");
            writer.shutdownOutput();
            var iterator = lines.iterator();
            assertThat(iterator.next()).isEqualTo("only");
            assertThat(iterator.hasNext()).isFalse();
            assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 4096})
    void textComesInPieces_linesArePutTogether(int piece) {
        lines((writer, lines) -> {
            String text = "häuser\r\n日本語 and 🙂\n" + "x".repeat(9000) + "\r\n\nend\n";
            byte[] all = text.getBytes(StandardCharsets.UTF_8);
            Coroutine<?> writing = Async.spawn(() -> {
                for (int at = 0; at < all.length; at += piece) {
                    writer.write(ByteBuffer.wrap(all, at, Math.min(piece, all.length - at)));
                    Async.suspend();
                }
                writer.shutdownOutput();
            });
            var got = new ArrayList<String>();
            for (String line : lines) got.add(line);
            assertThat(got).containsExactly("häuser", "日本語 and 🙂", "x".repeat(9000), "", "end");
            Async.await(writing);
        });
    }

    @Test
    @Tag("E40")
    @Tag("F36")
    void cancelledInTheMiddleOfALine_nothingIsLost() {
        lines((writer, lines) -> {
            writer.writeText("half a ");
            Coroutine<String> reader = Async.spawn(() -> lines.readLine());
            while (lines.buffered() == 0) Async.delay(1);
            reader.cancel();
            assertThat(failureOf(reader)).isInstanceOf(AsyncCancellation.class);
            assertThatThrownBy(() -> lines.readLine(Async.timeout(1))).isInstanceOf(OperationCanceledException.class);
            writer.writeText("line\n");
            assertThat(lines.readLine()).isEqualTo("half a line");
        });
    }

    @Test
    @Tag("D15")
    void twoReaders_linesAreWholeAndInTheOrderOfTheCalls() {
        lines((writer, lines) -> {
            var got = new ArrayList<String>();
            var a = Async.spawn(() -> got.add("a " + lines.readLine()));
            var b = Async.spawn(() -> got.add("b " + lines.readLine()));
            Async.suspend();
            writer.writeText("fir");
            Async.delay(2);
            writer.writeText("st\nsecond\n");
            Async.awaitAllOrFail(List.of(a, b));
            assertThat(got).containsExactly("a first", "b second");
        });
    }

    @Test
    void lineIsTooLong_errorSaysSoAndNothingIsLost() {
        lines((writer, lines) -> {
            lines.maxLength(10);
            writer.writeText("0123456789\r\n0123456789a\nshort\n");
            assertThat(lines.readLine()).isEqualTo("0123456789");
            for (int i = 0; i < 2; i++)
                assertThatThrownBy(lines::readLine)
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageStartingWith("line 2 of tcp stream to 127.0.0.1:")
                        .hasMessageContaining("longer than 10 bytes")
                        .hasMessageContaining("maxLength");
            assertThat(lines.maxLength(11).readLine()).isEqualTo("0123456789a");
            assertThat(lines.readLine()).isEqualTo("short");
        });
    }

    @Test
    void peerSendsNoLineEnd_readerStopsAtTheLimit() {
        lines((writer, lines) -> {
            Coroutine<?> writing = Async.spawn(() -> writer.write(ByteBuffer.allocate(64 << 20)));
            assertThatThrownBy(lines::readLine)
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("longer than 65536 bytes");
            assertThat(lines.buffered()).isLessThan(200_000);
            writing.cancel();
            failureOf(writing);
        });
    }

    @Test
    void linesThenBytes_noneAreLost() {
        lines((writer, lines) -> {
            writer.writeText("Content-Length: 5\r\n\r\nb\ndy\nnext\n");
            assertThat(lines.readLine()).isEqualTo("Content-Length: 5");
            assertThat(lines.readLine()).isEmpty();
            ByteBuffer body = ByteBuffer.allocate(5);
            while (body.hasRemaining()) assertThat(lines.read(body)).isPositive();
            assertThat(new String(body.array(), StandardCharsets.UTF_8)).isEqualTo("b\ndy\n");
            assertThat(lines.readLine()).isEqualTo("next");
            writer.write(bytes("raw"));
            ByteBuffer into = ByteBuffer.allocate(10);
            assertThat(lines.read(into, Async.timeout(10_000))).isPositive();
        });
    }

    @Test
    void readerAskedForTwice_isTheSame() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                pair.peer().writeText("a\nb\n");
                for (String line : pair.client().lines()) {
                    assertThat(line).isEqualTo("a");
                    break;
                }
                assertThat(pair.client().lines().readLine()).isEqualTo("b");
                assertThat(pair.client().lines()).isSameAs(pair.client().lines());
            }
        });
    }

    @Test
    void bytesThatMeanNothing_replacedOrReported() {
        lines((writer, lines) -> {
            byte[] bad = {'a', (byte) 0xff, 'b', '\n'};
            for (int i = 0; i < 3; i++) writer.write(ByteBuffer.wrap(bad));
            writer.writeLine("good");
            assertThat(lines.readLine()).isEqualTo("a\ufffdb");
            lines.onMalformed(CodingErrorAction.REPORT);
            assertThatThrownBy(lines::readLine)
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("line 2 of ")
                    .hasMessageContaining("is not UTF-8: malformed at byte 1 of 3");
            lines.onMalformed(CodingErrorAction.IGNORE);
            assertThat(lines.readLine()).isEqualTo("ab");
            assertThat(lines.readLine()).isEqualTo("good");
        });
    }

    @Test
    void otherCharsets_asFarAsLinesCanBeFound() {
        lines((writer, lines) -> {
            writer.write(ByteBuffer.wrap("grün\n".getBytes(StandardCharsets.ISO_8859_1)));
            assertThat(lines.charset(StandardCharsets.ISO_8859_1).readLine()).isEqualTo("grün");
            assertThatThrownBy(() -> lines.charset(StandardCharsets.UTF_16))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("UTF-16");
            assertThatThrownBy(() -> lines.maxLength(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("got 0");
        });
    }

    @Test
    @Tag("E38")
    void closedWhileReading_readerGetsAnError() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                Coroutine<String> reader =
                        Async.spawn(() -> pair.client().lines().readLine());
                Coroutine<String> second =
                        Async.spawn(() -> pair.client().lines().readLine());
                Async.suspend();
                pair.client().close();
                assertThat(failureOf(reader)).isInstanceOf(InputOutputException.class);
                assertThat(failureOf(second)).isInstanceOf(InputOutputException.class);
            }
        });
    }

    @Test
    void filesPipesProcessesAndTls_haveLinesToo() {
        runClean(() -> {
            Path path = folder.resolve("file");
            try (var file = AsyncFile.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                file.writeLine("first");
                file.writeText("second");
            }
            assertThat(Files.readString(path)).isEqualTo("first\nsecond");
            try (var file = AsyncFile.open(path)) {
                assertThat(file.lines().readLine()).isEqualTo("first");
                assertThat(file.lines().readLine()).isEqualTo("second");
                assertThat(file.lines().readLine()).isNull();
                Files.writeString(path, "\nthird\n", StandardOpenOption.APPEND);
                assertThat(file.lines().readLine()).isEmpty();
                assertThat(file.lines().readLine()).isEqualTo("third");
            }
            try (ChildProcess cat = Exec.of("cat").start()) {
                cat.stdin().writeLine("through a pipe", Async.timeout(10_000));
                assertThat(cat.stdout().lines().readLine(Async.timeout(10_000))).isEqualTo("through a pipe");
            }
            if (!TlsCertificates.isInstalled("openssl")) return;
            try (TlsRuns.Pair pair = TlsRuns.Pair.open()) {
                pair.client().writeText("over ", Async.timeout(10_000));
                pair.client().writeLine("TLS");
                assertThat(pair.peer().lines().readLine()).isEqualTo("over TLS");
                assertThat(pair.peer().lines()).isSameAs(pair.peer().lines());
            }
        });
    }

    @Test
    @Tag("F77")
    void calledOnAnotherThread_refused() {
        lines((writer, lines) -> {
            List<Runnable> calls = List.of(
                    lines::readLine,
                    () -> lines.read(ByteBuffer.allocate(1)),
                    lines::buffered,
                    lines::iterator,
                    () -> lines.maxLength(1),
                    () -> lines.charset(StandardCharsets.UTF_8),
                    () -> lines.onMalformed(CodingErrorAction.REPORT));
            var refused = new Throwable[calls.size()];
            Thread stranger = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < refused.length; i++) {
                    try {
                        calls.get(i).run();
                    } catch (AsyncException e) {
                        refused[i] = e;
                    }
                }
            });
            stranger.join();
            assertThat(Arrays.asList(refused)).doesNotContainNull();
            writer.writeLine("still fine");
            assertThat(lines.readLine()).isEqualTo("still fine");
        });
    }
}
