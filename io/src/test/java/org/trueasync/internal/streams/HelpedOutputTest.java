package org.trueasync.internal.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

/** A stream whose writes block their thread until the test lets them through. */
@Tag("E42")
class HelpedOutputTest {
    private static final class Slow extends OutputStream {
        private final Semaphore begun = new Semaphore(0);
        private final Semaphore through = new Semaphore(0);
        private final StringBuffer written = new StringBuffer();
        private volatile @Nullable IOException failure;
        private volatile boolean closed;

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            begun.release();
            through.acquireUninterruptibly();
            IOException thrown = failure;
            if (thrown != null) throw thrown;
            written.append(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Slow slow = new Slow();
    private final HelpedOutput out = new HelpedOutput(slow, "test output");

    private Coroutine<?> writing(String text) {
        return spawn(() -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void coroutineThatWrites_isTheOnlyOneThatWaits() {
        TestRuntime.run(() -> {
            Coroutine<?> writer = writing("abc");
            suspend();
            slow.begun.acquire();
            for (int i = 0; i < 10; i++) suspend();
            assertThat(writer.awaitingInfo()).containsExactly("test output");
            slow.through.release();
            await(writer);
            assertThat(slow.written).hasToString("abc");
        });
    }

    @Test
    void writesOfSeveral_followOneAnotherWhole() {
        TestRuntime.run(() -> {
            Coroutine<?> one = writing("one ");
            Coroutine<?> two = writing("two ");
            Coroutine<?> three = writing("three");
            slow.through.release(3);
            await(one);
            await(two);
            await(three);
            assertThat(slow.written).hasToString("one two three");
        });
    }

    @Test
    void writerThatComesAgain_doesNotOvertakeThoseWhoWait() {
        TestRuntime.run(() -> {
            Coroutine<?> greedy = spawn(() -> {
                for (int i = 1; i <= 3; i++) out.write(("g" + i + " ").getBytes(StandardCharsets.UTF_8));
            });
            suspend();
            Coroutine<?> one = writing("one ");
            suspend();
            Coroutine<?> two = writing("two ");
            suspend();
            slow.through.release(5);
            await(greedy);
            await(one);
            await(two);
            assertThat(slow.written).hasToString("g1 one two g2 g3 ");
        });
    }

    @Test
    @Tag("F36")
    void writerInLineThatIsCancelled_leavesItsTurnToTheNext() {
        TestRuntime.run(() -> {
            Coroutine<?> first = writing("first ");
            suspend();
            slow.begun.acquire();
            Coroutine<?> second = writing("second ");
            Coroutine<?> third = writing("third ");
            Coroutine<?> fourth = writing("fourth");
            suspend();
            third.cancel();
            suspend();
            slow.through.release(3);
            await(first);
            second.cancel(); // its turn may have come already
            await(fourth);
            assertThat(slow.written.toString()).isIn("first fourth", "first second fourth");
        });
    }

    @Test
    @Tag("F36")
    void cancelledWriter_leavesAtOnceAndWhatItBeganComesFirst() {
        TestRuntime.run(() -> {
            Coroutine<?> writer = writing("begun ");
            suspend();
            slow.begun.acquire();
            Coroutine<?> inLine = writing("never");
            suspend();
            writer.cancel();
            inLine.cancel();
            assertThatThrownBy(() -> await(writer)).isInstanceOf(AsyncCancellation.class);
            assertThatThrownBy(() -> await(inLine)).isInstanceOf(AsyncCancellation.class);
            slow.through.release(2);
            await(writing("next"));
            assertThat(slow.written).hasToString("begun next");
        });
    }

    @Test
    void bytesChangedAfterACancelledWrite_areWrittenAsTheyWere() {
        TestRuntime.run(() -> {
            byte[] bytes = "abc".getBytes(StandardCharsets.UTF_8);
            Coroutine<?> writer = spawn(() -> out.write(bytes));
            suspend();
            slow.begun.acquire();
            writer.cancel();
            suspend();
            bytes[0] = 'x';
            slow.through.release();
            out.flush();
            assertThat(slow.written).hasToString("abc");
        });
    }

    @Test
    void errorOfAnAbandonedWrite_isTheNextWriters() {
        TestRuntime.run(() -> {
            Coroutine<?> writer = writing("abc");
            suspend();
            slow.begun.acquire();
            writer.cancel();
            slow.failure = new IOException("Broken pipe");
            slow.through.release(2);
            assertThatThrownBy(out::flush).isInstanceOf(IOException.class).hasMessage("Broken pipe");
        });
    }

    @Test
    void closedWhileACoroutineWrites_writerGetsAnError() {
        TestRuntime.run(() -> {
            Coroutine<?> writer = writing("abc");
            suspend();
            slow.begun.acquire();
            out.close();
            assertThat(slow.closed).isTrue();
            assertThatThrownBy(() -> await(writer)).hasRootCauseMessage("Stream closed");
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
            out.close();
            slow.through.release();
        });
    }

    @Test
    void otherThreads_writeThemselves() throws Exception {
        slow.through.release();
        out.write("abc".getBytes(StandardCharsets.UTF_8));
        assertThat(slow.written).hasToString("abc");
    }
}
