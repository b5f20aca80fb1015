package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.runClean;
import static org.trueasync.io.TlsRuns.client;
import static org.trueasync.io.TlsRuns.readFully;
import static org.trueasync.io.TlsRuns.server;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.FreePort;

/** TLS with partners that are not ours: openssl, curl, the JDK's own sockets. */
@Tag("deep")
public abstract class TlsPeersConformance {
    @TempDir
    Path folder;

    @BeforeAll
    static void certificates() {
        TlsCertificates.requireOpenssl();
        TlsCertificates.folder();
    }

    // ---- openssl

    private static ChildProcess start(String... command) {
        return Exec.of(command).mergeError().start();
    }

    /** A program's output, of which the tests await certain words. */
    private static final class Said {
        private final Pipe pipe;
        private final StringBuilder text = new StringBuilder();
        private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

        Said(Pipe pipe) {
            this.pipe = pipe;
        }

        /** In what comes from now on. */
        void awaitNext(String words) {
            text.setLength(0);
            await(words);
        }

        void await(String words) {
            while (text.indexOf(words) < 0) {
                int count = pipe.read(buffer.clear(), Async.timeout(20_000));
                assertThat(count).as("ended without '%s': %s", words, text).isPositive();
                text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
            }
        }
    }

    private static ChildProcess sClient(int port, String... more) {
        var command = new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + port));
        command.addAll(List.of("-servername", "localhost", "-CAfile", TlsCertificates.file("ca.pem") + ""));
        command.addAll(List.of("-verify_return_error"));
        command.addAll(List.of(more));
        return start(command.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"-tls1_3,TLSv1.3", "-tls1_2,TLSv1.2"})
    void opensslConnects_isServedAndItsEndIsTheEnd(String option, String version) {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            ChildProcess openssl = sClient(server.port(), option, "-alpn", "other,mine");
            try (TlsStream tls = server.accept().tls(server().applicationProtocols("mine"))) {
                assertThat(tls.protocol()).isEqualTo(version);
                assertThat(tls.applicationProtocol()).isEqualTo("mine");
                assertThat(((javax.net.ssl.ExtendedSSLSession) tls.session())
                                .getRequestedServerNames()
                                .toString())
                        .contains("localhost");
                var said = new Said(openssl.stdout());
                openssl.stdin().write(bytes("question\n"));
                assertThat(readFully(tls, 9)).isEqualTo("question\n");
                tls.write(bytes("answer\n"));
                said.await("answer\n");
                openssl.stdin().write(bytes("Q\n"));
                assertThat(tls.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            openssl.await();
            openssl.close();
            server.close();
        });
    }

    @Test
    void opensslChangesItsKeysAndOurs_bytesGoOn() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            ChildProcess openssl = sClient(server.port(), "-tls1_3");
            try (TlsStream tls = server.accept().tls(server())) {
                var said = new Said(openssl.stdout());
                // echoes all the while: the answer to a change of keys goes out between reads and writes
                Coroutine<?> echo = Async.spawn(() -> {
                    ByteBuffer buffer = ByteBuffer.allocate(1000);
                    while (tls.read(buffer.clear()) >= 0) tls.write(buffer.flip());
                });
                for (String command : List.of("K\n", "k\n", "K\n", "K\n")) {
                    openssl.stdin().write(bytes(command));
                    // a command is one only if nothing else is read with it
                    said.awaitNext("KEYUPDATE");
                    String text = "after " + command.charAt(0) + " "
                            + Async.runtimeStats().switches() + "\n";
                    openssl.stdin().write(bytes(text));
                    said.await(text);
                }
                openssl.stdin().write(bytes("Q\n"));
                Async.await(echo);
            }
            openssl.await();
            openssl.close();
            server.close();
        });
    }

    @Test
    void opensslRenegotiates_isRefused() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            ChildProcess openssl = sClient(server.port(), "-tls1_2");
            try (TlsStream tls = server.accept().tls(server())) {
                openssl.stdin().write(bytes("hello\n"));
                assertThat(readFully(tls, 6)).isEqualTo("hello\n");
                openssl.stdin().write(bytes("R\n"));
                assertThatThrownBy(() -> tls.read(ByteBuffer.allocate(10)))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("renegotiate");
                assertThatThrownBy(() -> tls.read(ByteBuffer.allocate(10))).hasMessageContaining("renegotiate");
                assertThatThrownBy(() -> tls.write(bytes("x"))).isInstanceOf(InputOutputException.class);
            }
            openssl.await();
            openssl.close();
            server.close();
        });
    }

    @Test
    void opensslIsKilled_theConnectionWasCut() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            ChildProcess openssl = sClient(server.port());
            try (TlsStream tls = server.accept().tls(server())) {
                openssl.stdin().write(bytes("hello\n"));
                assertThat(readFully(tls, 6)).isEqualTo("hello\n");
                openssl.kill(Signal.SIGKILL);
                assertThatThrownBy(() -> tls.read(ByteBuffer.allocate(10)))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageMatching("(?s).*(the connection was cut|ECONNRESET).*");
            }
            openssl.await();
            openssl.close();
            server.close();
        });
    }

    @ParameterizedTest
    @CsvSource({"-tls1_3,server", "-tls1_2,server", "-tls1_3,rsa", "-tls1_2,rsa"})
    void opensslServes_weConnect(String version, String key) {
        runClean(() -> {
            int port = FreePort.any();
            ChildProcess openssl = sServer(port, version, key);
            try (TlsStream tls = connected(port).tls(client())) {
                tls.write(bytes("question\n"));
                var said = new Said(openssl.stdout());
                said.await("question\n");
                openssl.stdin().write(bytes("answer\n"));
                assertThat(readFully(tls, 7)).isEqualTo("answer\n");
                // it ends the connection without a word
                openssl.stdin().write(bytes("Q\n"));
                assertThatThrownBy(() -> tls.read(ByteBuffer.allocate(1)))
                        .hasMessageContaining("the connection was cut");
            }
            openssl.await();
            openssl.close();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_3", "-tls1_2"})
    void opensslServesAPage_itsEndIsTheEnd(String version) {
        runClean(() -> {
            int port = FreePort.any();
            ChildProcess openssl = sServer(port, version, "server", "-www");
            try (TlsStream tls = connected(port).tls(client())) {
                tls.write(bytes("GET / HTTP/1.0\r\n\r\n"));
                assertThat(new String(tls.inputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.0 200 ok")
                        .contains("</HTML>");
            }
            openssl.kill(Signal.SIGTERM);
            openssl.await();
            openssl.close();
        });
    }

    @Test
    void opensslAsksForACertificate_andGetsIt() {
        runClean(() -> {
            int port = FreePort.any();
            ChildProcess openssl =
                    sServer(port, "-tls1_3", "server", "-Verify", "1", "-CAfile", TlsCertificates.file("ca.pem") + "");
            var said = new Said(openssl.stdout());
            try (TlsStream tls = connected(port).tls(TlsOptions.client(TlsCertificates.context("client")))) {
                tls.write(bytes("it is me\n"));
                said.await("CN = client");
                said.await("it is me\n");
            }
            openssl.kill(Signal.SIGTERM);
            openssl.await();
            openssl.close();
        });
    }

    @Test
    void opensslServerRenegotiates_isRefused() {
        runClean(() -> {
            int port = FreePort.any();
            ChildProcess openssl = sServer(port, "-tls1_2", "server");
            try (TlsStream tls = connected(port).tls(client())) {
                tls.write(bytes("hello\n"));
                new Said(openssl.stdout()).await("hello\n");
                openssl.stdin().write(bytes("r\n"));
                assertThatThrownBy(() -> tls.read(ByteBuffer.allocate(10)))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("renegotiate");
            }
            openssl.kill(Signal.SIGTERM);
            openssl.await();
            openssl.close();
        });
    }

    private static ChildProcess sServer(int port, String version, String key, String... more) {
        var command = new ArrayList<>(List.of("openssl", "s_server", "-accept", "127.0.0.1:" + port, version));
        command.addAll(List.of("-cert", TlsCertificates.file(key + ".pem") + ""));
        command.addAll(List.of("-key", TlsCertificates.file(key + ".key") + "", "-naccept", "1"));
        command.addAll(List.of(more));
        ChildProcess openssl = start(command.toArray(String[]::new));
        new Said(openssl.stdout()).await("ACCEPT");
        return openssl;
    }

    private static TcpStream connected(int port) {
        return TcpStream.connect("127.0.0.1", port);
    }

    // ---- curl

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 5_000_000})
    void curlFetches_getsEveryByte(int length) {
        assumeTrue(TlsCertificates.isInstalled("curl"), "curl is not installed");
        runClean(() -> {
            byte[] content = new byte[length];
            new Random(5).nextBytes(content);
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<String> serving = Async.spawn(() -> {
                try (TlsStream tls = server.accept().tls(server().applicationProtocols("http/1.1"))) {
                    var in = new BufferedReader(new InputStreamReader(tls.inputStream(), StandardCharsets.UTF_8));
                    String request = in.readLine();
                    while (!in.readLine().isEmpty()) {
                        // more
                    }
                    // no length: the end of the stream is the end of the answer, so it must not be cut
                    tls.write(bytes("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), ByteBuffer.wrap(content));
                    return request + " " + tls.applicationProtocol();
                }
            });
            Path file = folder.resolve("got");
            ExecResult result = Exec.of(
                            "curl",
                            "-sS",
                            "--noproxy",
                            "*",
                            "--cacert",
                            TlsCertificates.file("ca.pem").toString(),
                            "-o",
                            file.toString(),
                            "https://localhost:" + server.port() + "/path")
                    .run();
            assertThat(result.exitCode()).as(result.errText()).isZero();
            assertThat(Async.await(serving)).isEqualTo("GET /path HTTP/1.1 http/1.1");
            byte[] got = length == 0 && !Files.exists(file) ? new byte[0] : Files.readAllBytes(file);
            assertThat(Arrays.equals(got, content)).isTrue();
            server.close();
        });
    }

    @Test
    void curlDoesNotTrustUs_bothLearnIt() {
        assumeTrue(TlsCertificates.isInstalled("curl"), "curl is not installed");
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<String> serving = Async.spawn(() -> {
                try (TlsStream tls = server.accept().tls(server())) {
                    return "through, then " + readFully(tls, 1);
                } catch (InputOutputException e) {
                    return e.getMessage();
                }
            });
            ExecResult result = Exec.of("curl", "-sS", "--noproxy", "*", "https://localhost:" + server.port())
                    .run();
            assertThat(result.exitCode()).isEqualTo(60);
            assertThat(Async.await(serving)).contains("unknown_ca");
            server.close();
        });
    }

    // ---- the JDK

    /** Its sockets on a thread of their own, so that nothing of ours is beneath them. */
    private static <T> Coroutine<T> outside(Callable<T> task) {
        return Async.spawn(() -> Async.blocking(task));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void socketOfTheJdkConnects_megabytesGoBothWays(String version) {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            byte[] sent = new byte[3 << 20];
            new Random(7).nextBytes(sent);
            Coroutine<byte[]> asking = outside(() -> {
                try (SSLSocket socket = (SSLSocket)
                        TlsCertificates.trusting().getSocketFactory().createSocket("127.0.0.1", server.port())) {
                    socket.setEnabledProtocols(new String[] {version});
                    Thread writer = Thread.ofPlatform().start(() -> {
                        try {
                            OutputStream out = socket.getOutputStream();
                            out.write(sent);
                            out.flush();
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    });
                    byte[] got = socket.getInputStream().readNBytes(sent.length);
                    writer.join();
                    return got;
                }
            });
            TlsStream tls = server.accept().tls(server());
            TlsRuns.echo(tls);
            assertThat(Arrays.equals(Async.await(asking), sent)).isTrue();
            server.close();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void socketOfTheJdkServes_weConnect(String version) {
        runClean(() -> {
            var ports = new LinkedBlockingQueue<Integer>();
            Coroutine<String> serving = outside(() -> {
                try (SSLServerSocket listening = (SSLServerSocket) TlsCertificates.context("server")
                        .getServerSocketFactory()
                        .createServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress())) {
                    ports.add(listening.getLocalPort());
                    try (SSLSocket socket = (SSLSocket) listening.accept()) {
                        InputStream in = socket.getInputStream();
                        String got = new String(in.readNBytes(8), StandardCharsets.UTF_8);
                        socket.getOutputStream().write("answer".getBytes(StandardCharsets.UTF_8));
                        return got + in.read();
                    }
                }
            });
            try (TlsStream tls = connected(ports.take()).tls(client().protocols(version))) {
                tls.write(bytes("question"));
                assertThat(readFully(tls, 6)).isEqualTo("answer");
                tls.shutdownOutput();
                assertThat(tls.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            assertThat(Async.await(serving)).isEqualTo("question-1");
        });
    }

    @Test
    void httpsUrlConnectionFetches_isServed() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<String> asking = outside(() -> {
                var url = URI.create("https://localhost:" + server.port() + "/").toURL();
                var connection = (HttpsURLConnection) url.openConnection(java.net.Proxy.NO_PROXY);
                connection.setSSLSocketFactory(TlsCertificates.trusting().getSocketFactory());
                try (InputStream in = connection.getInputStream()) {
                    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                }
            });
            try (TlsStream tls = server.accept().tls(server())) {
                var in = new BufferedReader(new InputStreamReader(tls.inputStream(), StandardCharsets.UTF_8));
                while (!in.readLine().isEmpty()) {
                    // more
                }
                tls.write(bytes("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nserved"));
            }
            assertThat(Async.await(asking)).isEqualTo("served");
            server.close();
        });
    }
}
