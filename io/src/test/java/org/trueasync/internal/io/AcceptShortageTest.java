package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.testkit.TestRun.failureOf;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.ScriptedListener;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.io.TcpServer;

/** The system can't accept a connection for now: it stays where it is, and who waits for it goes on waiting. */
class AcceptShortageTest {
    private static InputOutputException error(String errno) {
        return new InputOutputException("accept on 127.0.0.1:1: " + errno, errno);
    }

    @ParameterizedTest
    @CsvSource({
        "EMFILE, descriptors are free again, true",
        "ENFILE, descriptors are free again, true",
        "ENOBUFS, the system has memory for sockets again, false",
        "ENOMEM, the system has memory for sockets again, false"
    })
    void accepterWaitsUntilItIsOver_andTheFirstShortageIsReported(String errno, String until, boolean limit) {
        List<String> log = new ArrayList<>();
        TestRuntime runtime = Scripted.run(reactor -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 1);
            ScriptedListener backlog = reactor.listeners().getLast();
            Coroutine<?> accepter = spawn(() -> {
                server.accept();
                log.add("accepted");
            });
            suspend();
            for (int i = 0; i < 2; i++) {
                backlog.refusing(error(errno)).waiting(1);
                delay(1);
                log.add("refused");
            }
            backlog.refusing(null).waiting(1);
            await(accepter);
            server.close();
        });
        assertThat(log).containsExactly("refused", "refused", "accepted");
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("pauses until " + until, errno)
                .matches(text -> text.contains("ulimit -n") == limit, "names the limit: " + limit);
    }

    /** As accept(2) demands: such an error is not the server's, which would stop for it. */
    @ParameterizedTest
    @ValueSource(strings = {"EPROTO", "ENETDOWN", "EHOSTUNREACH", "ETIMEDOUT"})
    void connectionIsLostBefore_accepterWaitsForTheNextAndTheFirstLossIsReported(String errno) {
        List<String> log = new ArrayList<>();
        TestRuntime runtime = Scripted.run(reactor -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 1);
            ScriptedListener backlog = reactor.listeners().getLast();
            Coroutine<?> accepter = spawn(() -> {
                server.accept();
                log.add("accepted");
            });
            suspend();
            for (int i = 0; i < 2; i++) {
                backlog.refusing(error(errno)).waiting(1);
                delay(1);
                log.add("lost");
            }
            backlog.refusing(null).waiting(1);
            await(accepter);
            server.close();
        });
        assertThat(log).containsExactly("lost", "lost", "accepted");
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("A connection was lost before it was accepted", errno);
    }

    @Test
    void otherErrors_areTheAccepters() {
        Scripted.run(reactor -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 1);
            ScriptedListener backlog = reactor.listeners().getLast();
            Coroutine<?> accepter = spawn(() -> server.accept());
            suspend();
            backlog.refusing(error("EPERM")).waiting(1);
            assertThat(failureOf(accepter)).hasMessageContaining("EPERM");
            server.close();
        });
    }
}
