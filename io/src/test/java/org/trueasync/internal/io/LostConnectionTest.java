package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.internal.io.Scripted.bytes;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.Scripted.Connection;
import org.trueasync.spi.SystemError;

/** The system tells once why a connection is lost; both directions have to know. */
@Tag("F5")
class LostConnectionTest {
    private static final SystemError TIMED_OUT = new SystemError("ETIMEDOUT", "connection timed out");
    private static final SystemError BROKEN_PIPE = new SystemError("EPIPE", "broken pipe");

    private static void isTimeOut(Throwable failure, String operation) {
        assertThat(failure).isInstanceOf(InputOutputException.class).hasMessageStartingWith(operation);
        assertThat(((InputOutputException) failure).errno()).isEqualTo("ETIMEDOUT");
    }

    private static Coroutine<?> reader(Connection connection) {
        return Async.spawn(() -> connection.stream().read(ByteBuffer.allocate(10)));
    }

    @Test
    void writerIsToldAtOnce_readerDoesNotTakeItForTheEnd() {
        Scripted.run(reactor -> {
            Connection connection = Connection.open(reactor);
            Coroutine<?> waiting = reader(connection);
            Async.suspend();
            connection.handle().refusesWrites(TIMED_OUT);
            isTimeOut(failureOf(Async.spawn(() -> connection.stream().write(bytes("x")))), "write to");
            connection.handle().ends();
            isTimeOut(failureOf(waiting), "read from");
            isTimeOut(failureOf(reader(connection)), "read from");
        });
    }

    @Test
    void waitingWriterIsTold_readerDoesNotTakeItForTheEnd() {
        Scripted.run(reactor -> {
            Connection connection = Connection.open(reactor);
            Coroutine<?> writer = Async.spawn(() -> connection.stream().write(bytes("x")));
            Async.suspend();
            connection.handle().sends(TIMED_OUT);
            isTimeOut(failureOf(writer), "write to");
            Coroutine<?> waiting = reader(connection);
            Async.suspend();
            connection.handle().ends();
            isTimeOut(failureOf(waiting), "read from");
        });
    }

    @Test
    void readerIsTold_writerIsToldTheReasonAndNotABrokenPipe() {
        Scripted.run(reactor -> {
            Connection connection = Connection.open(reactor);
            Coroutine<?> waiting = reader(connection);
            Async.suspend();
            connection.handle().failsToRead(TIMED_OUT);
            isTimeOut(failureOf(waiting), "read from");
            connection.handle().refusesWrites(BROKEN_PIPE);
            isTimeOut(failureOf(Async.spawn(() -> connection.stream().write(bytes("x")))), "write to");
        });
    }

    @Test
    void peerHadEndedBefore_theEndRemainsTheEnd() {
        Scripted.run(reactor -> {
            Connection connection = Connection.ended(reactor);
            connection.handle().refusesWrites(TIMED_OUT);
            isTimeOut(failureOf(Async.spawn(() -> connection.stream().write(bytes("x")))), "write to");
            assertThat(connection.stream().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        });
    }

    @Test
    void onlyABrokenPipe_readerSeesTheEnd() {
        Scripted.run(reactor -> {
            Connection connection = Connection.open(reactor);
            Coroutine<?> waiting = reader(connection);
            Async.suspend();
            connection.handle().refusesWrites(BROKEN_PIPE);
            assertThat(failureOf(Async.spawn(() -> connection.stream().write(bytes("x")))))
                    .hasMessageContaining("EPIPE");
            connection.handle().ends();
            assertThat(Async.await(waiting)).isEqualTo(-1);
        });
    }
}
