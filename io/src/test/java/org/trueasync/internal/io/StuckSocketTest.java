package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Channel;
import org.trueasync.Coroutine;
import org.trueasync.internal.io.Scripted.Connection;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.io.TcpStream;

/** The socket of a stuck coroutine, to which the reactor refers weakly, still works after a search. */
class StuckSocketTest {
    private final List<String> log = new ArrayList<>();

    @Test
    void socketOfAStuckCoroutine_stillReadsInItsCleanUp() {
        Scripted.run(this::loadClasses);
        Scripted.run(reactor -> {
            hangWith(reactor);
            Async.delay(Duration.ofMillis(1));
            assertThat(Inspection.findStuck(Runtimes.here("the test")).coroutines())
                    .extracting(Coroutine::name)
                    .containsExactly("hangs");
            for (Coroutine<?> coroutine : Async.coroutines()) if ("hangs".equals(coroutine.name())) coroutine.cancel();
            Async.delay(Duration.ofMillis(1));
            reactor.streams().getLast().receives("last words");
            Async.delay(Duration.ofMillis(1));
            assertThat(log).containsExactly("read 10");
        });
    }

    /** With an agent in the JVM, a thread that loads a class is held by the JVM: so its coroutine is never found. */
    private void loadClasses(ScriptedReactor reactor) {
        hangWith(reactor);
        Async.delay(Duration.ofMillis(1));
        for (Coroutine<?> coroutine : Async.coroutines()) if ("hangs".equals(coroutine.name())) coroutine.cancel();
        Async.delay(Duration.ofMillis(1));
        reactor.streams().getLast().receives("last words");
        Async.delay(Duration.ofMillis(1));
        log.clear();
    }

    /** Here, so that no frame refers to the socket. */
    private void hangWith(ScriptedReactor reactor) {
        TcpStream stream = Connection.open(reactor).stream();
        Async.spawn("hangs", () -> {
            try {
                new Channel<String>().receive();
            } finally {
                Async.protect(() -> log.add("read " + stream.read(ByteBuffer.allocate(20))));
            }
        });
    }
}
