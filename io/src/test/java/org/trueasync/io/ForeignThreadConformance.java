package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Timeout;
import org.trueasync.io.Runs.Pair;

/**
 * Every method that is bound to the loop refuses other threads at once: beyond it there are native calls without a
 * lock.
 */
public abstract class ForeignThreadConformance {
    /** What a call is made on. */
    private record Target(Pair pair, Timeout token, InputStream in, OutputStream out, ByteChannel channel) {
        static Target of(Pair pair) {
            TcpStream stream = pair.client();
            return new Target(
                    pair, Async.timeout(10_000), stream.inputStream(), stream.outputStream(), stream.channel());
        }

        TcpStream stream() {
            return pair.client();
        }

        TcpServer server() {
            return pair.server();
        }
    }

    private interface Call {
        void on(Target target) throws Exception;
    }

    private static final Map<String, Call> STREAM = new LinkedHashMap<>();
    private static final Map<String, Call> SERVER = new LinkedHashMap<>();
    private static final Map<String, Call> VIEWS = new LinkedHashMap<>();

    static {
        STREAM.put("read(ByteBuffer)", t -> t.stream().read(ByteBuffer.allocate(1)));
        STREAM.put("read(ByteBuffer,Completable)", t -> t.stream().read(ByteBuffer.allocate(1), t.token));
        STREAM.put("read(IntFunction)", t -> t.stream().read(ByteBuffer::allocate));
        STREAM.put("read(IntFunction,Completable)", t -> t.stream().read(ByteBuffer::allocate, t.token));
        STREAM.put("tryRead(ByteBuffer)", t -> t.stream().tryRead(ByteBuffer.allocate(1)));
        STREAM.put("write(ByteBuffer)", t -> t.stream().write(ByteBuffer.allocate(1)));
        STREAM.put("write(ByteBuffer,Completable)", t -> t.stream().write(ByteBuffer.allocate(1), t.token));
        STREAM.put("write(ByteBuffer[])", t -> t.stream().write(ByteBuffer.allocate(1), ByteBuffer.allocate(1)));
        STREAM.put("flush()", t -> t.stream().flush());
        STREAM.put("flush(Completable)", t -> t.stream().flush(t.token));
        STREAM.put("shutdownOutput()", t -> t.stream().shutdownOutput());
        STREAM.put("shutdownOutput(Completable)", t -> t.stream().shutdownOutput(t.token));
        STREAM.put("lines()", t -> t.stream().lines());
        STREAM.put("inputStream()", t -> t.stream().inputStream());
        STREAM.put("outputStream()", t -> t.stream().outputStream());
        STREAM.put("channel()", t -> t.stream().channel());
        STREAM.put("localAddress()", t -> t.stream().localAddress());
        STREAM.put("remoteAddress()", t -> t.stream().remoteAddress());
        STREAM.put("noDelay(boolean)", t -> t.stream().noDelay(true));
        STREAM.put("keepAlive(Duration)", t -> t.stream().keepAlive(Duration.ofSeconds(5)));
        STREAM.put("keepAlive(Duration,Duration,int)", t -> t.stream()
                .keepAlive(Duration.ofSeconds(5), Duration.ofSeconds(1), 3));
        STREAM.put("tls()", t -> t.stream().tls());
        STREAM.put("tls(TlsOptions)", t -> t.stream().tls(TlsOptions.client()));
        STREAM.put("tls(TlsOptions,Completable)", t -> t.stream().tls(TlsOptions.client(), t.token));
        STREAM.put("close()", t -> t.stream().close());

        SERVER.put("accept()", t -> t.server().accept());
        SERVER.put("accept(Completable)", t -> t.server().accept(t.token));
        SERVER.put("close()", t -> t.server().close());

        VIEWS.put("in.read", t -> t.in.read());
        VIEWS.put("in.read of an array", t -> t.in.read(new byte[3]));
        VIEWS.put("in.read of nothing", t -> t.in.read(new byte[0]));
        VIEWS.put("in.readAllBytes", t -> t.in.readAllBytes());
        VIEWS.put("in.skip", t -> t.in.skip(1));
        VIEWS.put("in.available", t -> t.in.available());
        VIEWS.put("in.close", t -> t.in.close());
        VIEWS.put("out.write", t -> t.out.write(1));
        VIEWS.put("out.write of an array", t -> t.out.write(new byte[3]));
        VIEWS.put("out.write of nothing", t -> t.out.write(new byte[0]));
        VIEWS.put("out.flush", t -> t.out.flush());
        VIEWS.put("out.close", t -> t.out.close());
        VIEWS.put("channel.read", t -> t.channel.read(ByteBuffer.allocate(1)));
        VIEWS.put("channel.read of nothing", t -> t.channel.read(ByteBuffer.allocate(0)));
        VIEWS.put("channel.write", t -> t.channel.write(ByteBuffer.allocate(1)));
        VIEWS.put("channel.write of nothing", t -> t.channel.write(ByteBuffer.allocate(0)));
        VIEWS.put("channel.close", t -> t.channel.close());
    }

    private static Stream<String> calls() {
        return Stream.of(prefixed("stream ", STREAM), prefixed("server ", SERVER), VIEWS)
                .flatMap(calls -> calls.keySet().stream());
    }

    private static Map<String, Call> prefixed(String prefix, Map<String, Call> calls) {
        var all = new LinkedHashMap<String, Call>();
        calls.forEach((name, call) -> all.put(prefix + name, call));
        return all;
    }

    private static Call call(String name) {
        if (name.startsWith("stream ")) return STREAM.get(name.substring(7));
        if (name.startsWith("server ")) return SERVER.get(name.substring(7));
        return VIEWS.get(name);
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Tag("F77")
    void calledOnAnotherThread_refusedAtOnceNamingBothThreads(String name) {
        Runs.runClean(() -> {
            try (Pair pair = Pair.open()) {
                Target target = Target.of(pair);
                var thrown = new AtomicReference<Throwable>();
                Thread stranger = Thread.ofPlatform().name("stranger").start(() -> {
                    try {
                        call(name).on(target);
                    } catch (Throwable e) {
                        thrown.set(e);
                    }
                });
                stranger.join();
                assertThat(thrown.get())
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("'stranger'")
                        .hasMessageContaining("loop 'test'");
                assertThat(pair.client().isClosed() || pair.server().isClosed()).isFalse();
                pair.client().write(Runs.bytes("still fine"));
                assertThat(Runs.read(pair.peer(), 20)).isEqualTo("still fine");
            }
        });
    }

    @Test
    void everyPublicMethod_isEitherTestedHereOrSafeOnAnyThread() {
        assertThat(signatures(TcpStream.class)).isEqualTo(with(STREAM, "isClosed()", "toString()"));
        assertThat(signatures(TcpServer.class)).isEqualTo(with(SERVER, "isClosed()", "port()", "localAddress()"));
    }

    private static TreeSet<String> with(Map<String, Call> calls, String... others) {
        var all = new TreeSet<>(calls.keySet());
        all.addAll(Arrays.asList(others));
        return all;
    }

    static TreeSet<String> signatures(Class<?> type) {
        var names = new TreeSet<String>();
        var methods = new ArrayList<>(List.of(type.getDeclaredMethods()));
        // what streams have in common
        if (CoreStream.class.isAssignableFrom(type)) methods.addAll(List.of(CoreStream.class.getDeclaredMethods()));
        for (Method method : methods) {
            if (!Modifier.isPublic(method.getModifiers())
                    || Modifier.isStatic(method.getModifiers())
                    || method.isSynthetic()) continue;
            var parameters = Arrays.stream(method.getParameterTypes())
                    .map(Class::getSimpleName)
                    .toList();
            names.add(method.getName() + "(" + String.join(",", parameters) + ")");
        }
        return names;
    }

    @Test
    void whatNeverChanges_mayBeAskedForOnAnyThread() {
        Runs.runClean(() -> {
            try (Pair pair = Pair.open()) {
                var answers = new AtomicReference<String>();
                Thread stranger = Thread.ofPlatform()
                        .start(() -> answers.set(pair.server().port() + " "
                                + pair.server().localAddress().getPort() + " "
                                + pair.server().isClosed() + pair.client().isClosed() + " " + pair.client()));
                stranger.join();
                int port = pair.server().port();
                assertThat(answers.get()).isEqualTo(port + " " + port + " falsefalse tcp stream to 127.0.0.1:" + port);
            }
        });
    }
}
