package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.internal.testkit.ScriptedStream;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.io.TcpStream;

/** What the tests of this package share: a runtime in virtual time whose sockets do what the test says. */
final class Scripted {
    private Scripted() {}

    interface Scenario {
        void run(ScriptedReactor reactor) throws Throwable;
    }

    static TestRuntime run(Scenario scenario) {
        var reactor = new ScriptedReactor();
        var runtime = new TestRuntime(settings -> settings.reactor(() -> reactor));
        runtime.start(() -> scenario.run(reactor));
        return runtime;
    }

    /** A connection, and its handle. */
    record Connection(TcpStream stream, ScriptedStream handle) {
        static Connection open(ScriptedReactor reactor) {
            TcpStream stream = TcpStream.connect("127.0.0.1", 1);
            return new Connection(stream, reactor.streams().getLast());
        }

        /** A stream that keeps so many bytes for its readers. */
        static Connection keeping(ScriptedReactor reactor, int bytes) {
            Connection connection = open(reactor);
            connection.handle.receives("x".repeat(bytes + 1));
            connection.stream.read(ByteBuffer.allocate(1));
            return connection;
        }

        /** A stream whose peer has ended its side. */
        static Connection ended(ScriptedReactor reactor) {
            Connection connection = open(reactor);
            connection.handle.ends();
            connection.stream.read(ByteBuffer.allocate(1));
            return connection;
        }

        /** A stream whose output is shut down. */
        static Connection shut(ScriptedReactor reactor) {
            Connection connection = open(reactor);
            connection.handle.shuts(null);
            connection.stream.shutdownOutput();
            return connection;
        }
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
