package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.PolledSockets;

/**
 * The same coroutine waits for sockets of the JDK again and again. What a loop has done for one wait may serve for the
 * next one, but only as far as it is still true.
 */
public abstract class JdkSocketAgainConformance {
    private static final int TIMES = 20;

    /** From this on, bytes are sent back at once. */
    private static final int AT_ONCE = 100;

    /** A wait that is lost is found by a limit that else does not pass. */
    private static final int TIME_LIMIT = 20_000;

    private final TestRun run;

    protected JdkSocketAgainConformance(ReactorKit kit) {
        this.run = new TestRun(kit::create);
    }

    /** Sends each byte back, mostly once its sender is parked; on one connection after another. */
    private static Thread answerer(ServerSocket server, SocketWaiter sender) {
        return SocketWaiter.platform(() -> {
            while (!sender.hasEnded()) {
                try (Socket peer = server.accept()) {
                    for (int b; (b = peer.getInputStream().read()) >= 0; ) {
                        if (b < AT_ONCE) sender.awaitParked();
                        peer.getOutputStream().write(b);
                    }
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    private static Socket connect(ServerSocket server) throws IOException {
        var socket = new Socket(server.getInetAddress(), server.getLocalPort());
        socket.setSoTimeout(TIME_LIMIT);
        return socket;
    }

    private static void askAndAwait(Socket socket, int b) throws IOException {
        socket.getOutputStream().write(b);
        assertThat(socket.getInputStream().read()).isEqualTo(b);
    }

    /**
     * Runs a conversation in a coroutine.
     *
     * @param busy whether another coroutine is always ready, so that the loop never sleeps
     */
    private void withServer(boolean busy, Conversation conversation) {
        run.run(() -> {
            try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                var sender = new SocketWaiter(() -> {
                    conversation.with(server);
                    return "done";
                });
                Thread answerer = answerer(server, sender);
                var ended = new AtomicBoolean();
                var other = spawn(() -> {
                    while (busy && !ended.get()) suspend();
                });
                try {
                    await(spawn(sender::run));
                } finally {
                    ended.set(true);
                }
                await(other);
                server.close();
                blocking(() -> answerer.join());
            }
        });
        assertThat(run.complaints()).isEmpty();
    }

    private interface Conversation {
        void with(ServerSocket server) throws Exception;
    }

    private static void oneConnectionAfterAnother(ServerSocket server) throws IOException {
        for (int i = 0; i < TIMES; i++) {
            try (Socket socket = connect(server)) {
                for (int b = 0; b < 3; b++) askAndAwait(socket, b);
            }
        }
    }

    @Test
    void numbersThatAreUsedAgain_areWaitedForWhileTheLoopSleeps() {
        withServer(false, JdkSocketAgainConformance::oneConnectionAfterAnother);
    }

    @Test
    void numbersThatAreUsedAgain_areWaitedForWhileTheLoopIsBusy() {
        withServer(true, JdkSocketAgainConformance::oneConnectionAfterAnother);
    }

    @Test
    void waitsThatTimeOutOnABusyLoop_leaveTheNextOnesAlone() {
        withServer(true, server -> {
            try (Socket socket = connect(server)) {
                askAndTimeOut(socket, 0); // makes what is made once
                int before = Resources.polledDescriptors();
                for (int i = 1; i < TIMES; i++) askAndTimeOut(socket, i);
                delay(20); // longer than a wait is taken for granted
                // once the system has held up the thread where it was about to leave, the JDK's pollers watch too
                if (new PolledSockets().rescues() == 0)
                    assertThat(Resources.polledDescriptors()).isEqualTo(before);
                askAndAwait(socket, TIMES);
            }
        });
    }

    private static void askAndTimeOut(Socket socket, int b) throws IOException {
        askAndAwait(socket, b);
        socket.setSoTimeout(1);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(TIME_LIMIT);
    }

    /** Otherwise each of its bytes would wake the loop for nothing. */
    @Test
    void socketThatAThreadReadsFromThen_isNoLongerTheLoops() {
        withServer(false, server -> {
            try (Socket socket = connect(server)) {
                for (int b = 0; b < 3; b++) askAndAwait(socket, b);
                long turns = runtimeStats().reactorTurns();
                blocking(() -> {
                    for (int b = AT_ONCE; b < AT_ONCE + 100; b++) askAndAwait(socket, b);
                });
                assertThat(runtimeStats().reactorTurns() - turns).isLessThan(TIMES);
            }
        });
    }
}
