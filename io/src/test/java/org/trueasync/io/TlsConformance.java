package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.runClean;
import static org.trueasync.io.TlsRuns.client;
import static org.trueasync.io.TlsRuns.read;
import static org.trueasync.io.TlsRuns.readFully;
import static org.trueasync.io.TlsRuns.server;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.TlsRuns.Pair;

/** TLS streams with one another: what is agreed on, who is refused, reading and writing, the end. */
public abstract class TlsConformance {
    @BeforeAll
    static void certificates() {
        TlsCertificates.requireOpenssl();
        TlsCertificates.folder();
    }

    // ---- the handshake

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void handshakeThrough_bytesGoBothWaysAndBothSayWhatWasAgreedOn(String version) {
        runClean(() -> {
            try (Pair pair = Pair.open(version)) {
                pair.client().write(bytes("question"));
                assertThat(readFully(pair.peer(), 8)).isEqualTo("question");
                pair.peer().write(bytes("an"), bytes(""), bytes("swer"));
                assertThat(readFully(pair.client(), 6)).isEqualTo("answer");
                assertThat(pair.client().protocol()).isEqualTo(version);
                assertThat(pair.peer().protocol()).isEqualTo(version);
                assertThat(pair.client().session().getCipherSuite())
                        .isEqualTo(pair.peer().session().getCipherSuite());
                assertThat(pair.client().applicationProtocol()).isNull();
                assertThat(pair.client()
                                .peerCertificates()
                                .getFirst()
                                .getSubjectX500Principal()
                                .getName())
                        .isEqualTo("CN=server");
                assertThat(pair.peer().peerCertificates()).isEmpty();
                assertThat(pair.client().remoteAddress().getPort())
                        .isEqualTo(pair.server().port());
                assertThat(pair.client())
                        .hasToString("tls stream to 127.0.0.1:" + pair.server().port());
            }
        });
    }

    @Test
    void applicationProtocols_serversOrderDecidesAndBothKnow() {
        runClean(() -> {
            try (Pair pair = Pair.open(
                    client().applicationProtocols("http/1.1", "h2"), server().applicationProtocols("h2", "http/1.1"))) {
                assertThat(pair.client().applicationProtocol()).isEqualTo("h2");
                assertThat(pair.peer().applicationProtocol()).isEqualTo("h2");
            }
        });
    }

    @Test
    void applicationProtocolsWithoutOverlap_handshakeFailsOnBothSides() {
        refused(client().applicationProtocols("h3"), server().applicationProtocols("h2"), "no_application_protocol");
    }

    @ParameterizedTest
    @CsvSource({"localhost,server", "alpha.test,alpha"})
    void serverNameAsked_serverChoosesTheCertificateByIt(String name, String certificate) {
        runClean(() -> {
            var options = TlsOptions.server(TlsCertificates.choosingByName());
            try (Pair pair = Pair.open(client().serverName(name), options)) {
                assertThat(pair.client()
                                .peerCertificates()
                                .getFirst()
                                .getSubjectX500Principal()
                                .getName())
                        .isEqualTo("CN=" + certificate);
                assertThat(requestedNames(pair)).contains(name);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "expired,NotAfter",
        "alpha,No subject alternative names matching IP address 127.0.0.1",
        "stranger,nobody whom our SSLContext trusts",
        "wrong,nobody whom our SSLContext trusts",
    })
    void serversCertificateIsBad_clientRefusesAndBothLearnWhy(String certificate, String reason) {
        refused(client(), TlsOptions.server(TlsCertificates.context(certificate)), reason);
    }

    @Test
    void certificateInTheTrustStoreItself_isTrustedAfterItsLastDay() {
        runClean(() -> {
            var options = TlsOptions.client(TlsCertificates.context(null, "expired"));
            try (Pair pair = Pair.open(options, TlsOptions.server(TlsCertificates.context("expired")))) {
                X509Certificate certificate = pair.client().peerCertificates().getFirst();
                assertThatThrownBy(certificate::checkValidity).isInstanceOf(CertificateExpiredException.class);
            }
        });
    }

    /** The client says the reason, the server that it was told so. */
    private static void refused(TlsOptions clients, TlsOptions servers, String reason) {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            var accepted = new ArrayList<TcpStream>();
            Coroutine<TlsStream> accepting = Async.spawn(() -> {
                TcpStream tcp = server.accept();
                accepted.add(tcp);
                return tcp.tls(servers);
            });
            TcpStream tcp = TcpStream.connect("127.0.0.1", server.port());
            assertThatThrownBy(() -> tcp.tls(clients))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageStartingWith("TLS handshake with 127.0.0.1:" + server.port() + " failed: ")
                    .hasMessageContaining(reason)
                    .hasCauseInstanceOf(SSLException.class);
            assertThat(failureOf(accepting))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageStartingWith("TLS handshake with ");
            assertThat(tcp.isClosed()).isTrue();
            assertThat(accepted.getFirst().isClosed()).isTrue();
            server.close();
        });
    }

    @Test
    void serverNameEndsWithADot_isCheckedAndSentWithoutIt() {
        runClean(() -> {
            try (Pair pair = Pair.open(client().serverName("localhost."), server())) {
                assertThat(requestedNames(pair)).contains("localhost").doesNotContain("localhost.");
            }
        });
    }

    @Test
    void serverNameThatSniCantCarry_isNotSent_noCertificateIsForIt() {
        runClean(() -> {
            try (Pair pair = Pair.open(client().serverName("local_host").withoutServerNameCheck(), server())) {
                assertThat(requestedNames(pair)).isEqualTo("[]");
            }
        });
        refused(client().serverName("local_host"), server(), "local_host");
    }

    private static String requestedNames(Pair pair) {
        var session = (javax.net.ssl.ExtendedSSLSession) pair.peer().session();
        return session.getRequestedServerNames().toString();
    }

    @Test
    void serversNameIsWrong_andTheCheckIsOff_connects() {
        runClean(() -> {
            var options = TlsOptions.server(TlsCertificates.context("alpha"));
            try (Pair pair = Pair.open(client().withoutServerNameCheck(), options)) {
                pair.client().write(bytes("fine"));
                assertThat(readFully(pair.peer(), 4)).isEqualTo("fine");
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"client,true,CN=client", "client,false,CN=client", "'',false,"})
    void clientsCertificateAskedFor_serverKnowsIt(String key, boolean required, String subject) {
        runClean(() -> {
            TlsOptions clients = key.isEmpty() ? client() : TlsOptions.client(TlsCertificates.context(key));
            TlsOptions servers = required ? server().requireClientCertificate() : server().requestClientCertificate();
            try (Pair pair = Pair.open(clients, servers)) {
                var certificates = pair.peer().peerCertificates();
                if (subject == null) assertThat(certificates).isEmpty();
                else
                    assertThat(certificates.getFirst().getSubjectX500Principal().getName())
                            .isEqualTo(subject);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"'',TLSv1.3", "wrong,TLSv1.3", "'',TLSv1.2", "wrong,TLSv1.2"})
    void clientsCertificateMissingOrWrong_bothLearnIt(String key, String version) {
        runClean(() -> {
            TlsOptions clients = key.isEmpty() ? client() : TlsOptions.client(TlsCertificates.context(key));
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<TlsStream> accepting =
                    Async.spawn(() -> server.accept().tls(TlsRuns.server().requireClientCertificate()));
            TcpStream tcp = TcpStream.connect("127.0.0.1", server.port());
            // in TLS 1.3 the client is through before the server has looked
            assertThatThrownBy(() -> {
                        TlsStream tls = tcp.tls(clients.protocols(version));
                        try (tls) {
                            tls.read(ByteBuffer.allocate(1));
                        }
                    })
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("Received fatal alert")
                    .hasCauseInstanceOf(SSLException.class);
            assertThat(failureOf(accepting)).isInstanceOf(InputOutputException.class);
            server.close();
        });
    }

    @Test
    void clientHasWrittenToAServerThatRefusesIt_errorNamesTheAlert() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<TlsStream> accepting =
                    Async.spawn(() -> server.accept().tls(server().requireClientCertificate()));
            TlsStream tls = TcpStream.connect("127.0.0.1", server.port()).tls(client());
            failureOf(accepting);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1000; i++) {
                            tls.write(ByteBuffer.allocate(100_000));
                            Async.delay(1);
                        }
                    })
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("Received fatal alert");
            tls.close();
            server.close();
        });
    }

    @Test
    void peerSpeaksNoTls_handshakeFailsAndSaysSo() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Async.spawn(() -> {
                try (TcpStream peer = server.accept()) {
                    peer.write(bytes("220 mail.test ready\r\n"));
                    while (peer.read(ByteBuffer.allocate(1000)) >= 0) {
                        // more
                    }
                }
            });
            TcpStream tcp = TcpStream.connect("127.0.0.1", server.port());
            assertThatThrownBy(() -> tcp.tls(client()))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("does not seem to speak TLS");
            assertThat(tcp.isClosed()).isTrue();
            server.close();
        });
    }

    @Test
    void plaintextFirst_upgradeLater() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Async.spawn(() -> {
                TcpStream tcp = server.accept();
                assertThat(Runs.readFully(tcp, 9)).isEqualTo("STARTTLS\n");
                tcp.writeLine("go");
                TlsRuns.echo(tcp.tls(server()));
            });
            TcpStream tcp = TcpStream.connect("127.0.0.1", server.port());
            tcp.write(bytes("STARTTLS\n"));
            assertThat(Runs.readFully(tcp, 3)).isEqualTo("go\n");
            try (TlsStream tls = tcp.tls(client())) {
                tls.write(bytes("secret"));
                assertThat(readFully(tls, 6)).isEqualTo("secret");
                assertThat(tls.tcp()).isSameAs(tcp);
                assertThatThrownBy(() -> tcp.read(ByteBuffer.allocate(1)))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("carries TLS now");
                assertThatThrownBy(() -> tcp.write(bytes("x"))).hasMessageContaining("carries TLS now");
                assertThatThrownBy(() -> tcp.tls(client())).hasMessageContaining("carries TLS now");
                tcp.noDelay(true);
                assertThat(tcp.remoteAddress()).isEqualTo(tls.remoteAddress());
            }
            assertThat(tcp.isClosed()).isTrue();
            server.close();
        });
    }

    @Test
    void moreThanTheAnswerCameInTheClear_tlsIsRefused() {
        runClean(() -> {
            try (Runs.Pair pair = Runs.Pair.open()) {
                // somebody in between has put a command behind the answer, to be taken for one that came encrypted
                pair.peer().writeText("go\nDELETE ALL\n");
                assertThat(pair.client().lines().readLine()).isEqualTo("go");
                assertThatThrownBy(() -> pair.client().tls(client()))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("11 bytes have been read ahead");
                assertThat(pair.client().isClosed()).isFalse();
            }
        });
    }

    @Test
    void streamIsInUse_tlsIsRefusedAndNothingHappens() {
        runClean(() -> {
            try (Runs.Pair pair = Runs.Pair.open()) {
                Coroutine<String> reader = Async.spawn(() -> Runs.read(pair.client(), 10));
                Async.suspend();
                assertThatThrownBy(() -> pair.client().tls(client()))
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("while a coroutine reads");
                pair.peer().write(bytes("still fine"));
                assertThat(Async.await(reader)).isEqualTo("still fine");
            }
        });
    }

    @Test
    @Tag("D19")
    void tokenIsSpent_nothingHappens() {
        runClean(() -> {
            try (Runs.Pair pair = Runs.Pair.open()) {
                Coroutine<?> token = Async.spawn(() -> {});
                Async.await(token);
                assertThatThrownBy(() -> pair.client().tls(client(), token))
                        .isInstanceOf(OperationCanceledException.class);
                pair.peer().writeLine("still in the clear");
                assertThatThrownBy(() -> pair.client().lines().readLine(token))
                        .isInstanceOf(OperationCanceledException.class);
                assertThat(pair.client().lines().readLine()).isEqualTo("still in the clear");
            }
        });
    }

    @Test
    void clientWithoutAName_isRefused() {
        runClean(() -> {
            try (Runs.Pair pair = Runs.Pair.open()) {
                assertThatThrownBy(() -> pair.peer().tls(client()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("serverName");
                assertThat(pair.peer().isClosed()).isFalse();
            }
        });
    }

    @Test
    void optionsOfTheOtherSide_areRefused() throws Exception {
        assertThatThrownBy(() -> client().requireClientCertificate()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> server().serverName("x")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> server().withoutServerNameCheck()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client().protocols("TLSv1.1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TLSv1.1");
        assertThatThrownBy(() -> client().applicationProtocols("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TlsOptions.server(null)).hasMessage("context");
        assertThat(TlsOptions.client(SSLContext.getDefault()).serverName("a.test"))
                .hasToString("TLS client for a.test");
    }

    // ---- reading and writing

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    @Tag("F36")
    @Tag("E40")
    void readCancelledOrTimedOut_noByteIsLost(String version) {
        runClean(() -> {
            try (Pair pair = Pair.open(version)) {
                Coroutine<String> reader = Async.spawn(() -> read(pair.client(), 10));
                Async.delay(1);
                reader.cancel();
                assertThat(failureOf(reader)).isInstanceOf(AsyncCancellation.class);
                assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(1), Async.timeout(1)))
                        .isInstanceOf(OperationCanceledException.class);
                pair.peer().write(bytes("kept"));
                assertThat(readFully(pair.client(), 4)).isEqualTo("kept");
            }
        });
    }

    @Test
    @Tag("A8")
    @Tag("D19")
    void spentToken_neitherReadsNorWrites() {
        runClean(() -> {
            try (Pair pair = Pair.open("TLSv1.3")) {
                var spent = org.trueasync.Future.completed(null);
                pair.peer().write(bytes("kept"));
                assertThat(readFully(pair.client(), 1)).isEqualTo("k");
                assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(3), spent))
                        .isInstanceOf(OperationCanceledException.class);
                assertThatThrownBy(() -> pair.client().write(bytes("never"), spent))
                        .isInstanceOf(OperationCanceledException.class);
                assertThat(readFully(pair.client(), 3)).isEqualTo("ept");
                pair.client().write(bytes("now"));
                assertThat(readFully(pair.peer(), 3)).isEqualTo("now");
            }
        });
    }

    @Test
    @Tag("F4")
    @Tag("D15")
    void twoReaders_servedInTheOrderOfTheCalls() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var got = new ArrayList<String>();
                var a = Async.spawn(() -> got.add("a" + read(pair.client(), 3)));
                var b = Async.spawn(() -> got.add("b" + read(pair.client(), 3)));
                Async.suspend();
                assertThat(pair.client().tryRead(ByteBuffer.allocate(1))).isZero();
                pair.peer().write(bytes("123456789"));
                Async.awaitAllOrFail(List.of(a, b));
                assertThat(got).containsExactly("a123", "b456");
                assertThat(read(pair.client(), 9)).isEqualTo("789");
            }
        });
    }

    @Test
    void tryRead_givesWhatIsThereAndNeverWaits() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                ByteBuffer into = ByteBuffer.allocate(20);
                assertThat(pair.client().tryRead(into)).isZero();
                pair.peer().write(bytes("there"));
                while (pair.client().tryRead(into) == 0) Async.delay(1);
                assertThat(into.position()).isEqualTo(5);
                pair.peer().shutdownOutput();
                while (pair.client().tryRead(into) == 0) Async.delay(1);
                assertThat(pair.client().tryRead(into)).isEqualTo(-1);
            }
        });
    }

    @Test
    void buffersOfEveryKind_areReadAndWritten() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                pair.client()
                        .write(ByteBuffer.allocateDirect(3).put(bytes("dir")).flip());
                pair.client().write(bytes("read-only").asReadOnlyBuffer());
                ByteBuffer twice = bytes("once");
                pair.client().write(twice, twice, bytes("."));
                assertThat(readFully(pair.peer(), 17)).isEqualTo("dirread-onlyonce.");
                ByteBuffer direct = ByteBuffer.allocateDirect(20_000).position(1);
                pair.client().write(bytes("into a direct one"));
                assertThat(pair.peer().read(direct)).isEqualTo(17);
                assertThat(direct.position()).isEqualTo(18);
                assertThatThrownBy(() -> pair.peer().read(ByteBuffer.allocate(0)))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> pair.peer().read(bytes("x").asReadOnlyBuffer()))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void views_readAndWrite() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                pair.client().outputStream().write("line one\nline two\n".getBytes(StandardCharsets.UTF_8));
                var reader =
                        new BufferedReader(new InputStreamReader(pair.peer().inputStream(), StandardCharsets.UTF_8));
                assertThat(reader.readLine()).isEqualTo("line one");
                assertThat(reader.readLine()).isEqualTo("line two");
                var channel = (GatheringByteChannel) pair.client().channel();
                assertThat(channel.write(new ByteBuffer[] {bytes("ab"), bytes("c")}))
                        .isEqualTo(3);
                assertThat(readFully(pair.peer(), 3)).isEqualTo("abc");
            }
        });
    }

    // ---- the end

    @Test
    void outputShut_peerReadsTheEndAndCanStillAnswer() {
        runClean(() -> {
            try (Pair pair = Pair.open("TLSv1.3")) {
                pair.client().write(bytes("all"));
                pair.client().shutdownOutput();
                pair.client().shutdownOutput();
                assertThat(readFully(pair.peer(), 100)).isEqualTo("all");
                assertThat(pair.peer().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                pair.peer().write(bytes("answer"));
                pair.peer().close();
                assertThat(readFully(pair.client(), 100)).isEqualTo("answer");
                assertThatThrownBy(() -> pair.client().write(bytes("x")))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("shutdownOutput() was called");
            }
        });
    }

    @Test
    void outputShutInTls12_endsBothDirections() {
        runClean(() -> {
            try (Pair pair = Pair.open("TLSv1.2")) {
                pair.client().shutdownOutput();
                assertThat(read(pair.peer(), 1)).isEqualTo("end");
                assertThatThrownBy(() -> pair.peer().write(bytes("x")))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("TLS 1.2");
                assertThat(read(pair.client(), 1)).isEqualTo("end");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void peerCloses_isTheEnd(String version) {
        runClean(() -> {
            try (Pair pair = Pair.open(version)) {
                pair.peer().write(bytes("last"));
                pair.peer().close();
                assertThat(readFully(pair.client(), 100)).isEqualTo("last");
                assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void connectionEndsWithoutCloseNotify_readerIsToldAlways(String version) {
        runClean(() -> {
            try (Pair pair = Pair.open(version)) {
                pair.peer().write(bytes("last"));
                TlsRuns.tcpCore(pair.peer()).close(); // as somebody in between would
                assertThat(readFully(pair.client(), 4)).isEqualTo("last");
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(1)))
                            .isInstanceOf(InputOutputException.class)
                            .hasMessageContaining("the connection was cut")
                            .hasNoCause();
                }
            }
        });
    }

    @Test
    @Tag("E38")
    void closedWhileReadingAndWriting_everybodyWakes() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var readers = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 3; i++) readers.add(Async.spawn(() -> read(pair.client(), 1)));
                Coroutine<?> writer = Async.spawn(() -> pair.client().write(ByteBuffer.allocate(64 << 20)));
                Runs.settle();
                Coroutine<?> second = Async.spawn(() -> pair.client().write(bytes("x")));
                Runs.settle();
                assertThat(writer.isCompleted() || second.isCompleted()).isFalse();
                pair.client().close();
                readers.add(writer);
                readers.add(second);
                for (Coroutine<?> each : readers)
                    assertThat(failureOf(each))
                            .as(each + " " + each.result())
                            .isInstanceOf(InputOutputException.class)
                            .hasMessageContaining("closed");
                // what the writer had begun is torn: the peer is not told that all is well
                assertThatThrownBy(() -> {
                            while (pair.peer().read(ByteBuffer.allocate(1 << 16)) >= 0) {
                                // more
                            }
                        })
                        .isInstanceOf(InputOutputException.class);
            }
        });
    }

    @Test
    void closedWhileTheSystemHasNoRoom_lastWordsGoOutLater() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                // more than the system holds, so that it is full, or nearly so, at the end
                Coroutine<Long> writing = Async.spawn(() -> {
                    long sent = 0;
                    for (; sent < 2_000; sent++) pair.client().write(ByteBuffer.allocate(10_000));
                    return sent;
                });
                Async.delay(20);
                Coroutine<Long> reading = Async.spawn(() -> {
                    long got = 0;
                    ByteBuffer into = ByteBuffer.allocate(1 << 16);
                    for (int n; (n = pair.peer().read(into.clear())) >= 0; ) got += n;
                    return got;
                });
                assertThat(Async.await(writing)).isEqualTo(2_000);
                pair.client().close();
                assertThat(Async.await(reading)).isEqualTo(20_000_000);
            }
        });
    }

    @Test
    void everythingAfterClose_isRefused() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                TlsStream stream = pair.client();
                stream.close();
                stream.close();
                assertThat(stream.isClosed()).isTrue();
                assertThat(stream.toString()).endsWith(", closed");
                for (Runnable call : List.<Runnable>of(
                        () -> stream.read(ByteBuffer.allocate(1)),
                        () -> stream.tryRead(ByteBuffer.allocate(1)),
                        () -> stream.write(bytes("x")),
                        () -> stream.write(bytes("x"), bytes("y")),
                        stream::flush,
                        stream::shutdownOutput))
                    assertThatThrownBy(call::run)
                            .isInstanceOf(InputOutputException.class)
                            .hasMessageContaining("closed");
            }
        });
    }

    @Test
    @Tag("F77")
    void calledOnAnotherThread_refusedAtOnce() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                TlsStream stream = pair.client();
                ByteBuffer one = ByteBuffer.allocate(1);
                Completable<?> token = Async.timeout(10_000);
                var calls = new LinkedHashMap<String, Runnable>();
                calls.put("read(ByteBuffer)", () -> stream.read(one));
                calls.put("read(ByteBuffer,Completable)", () -> stream.read(one, token));
                calls.put("tryRead(ByteBuffer)", () -> stream.tryRead(one));
                calls.put("write(ByteBuffer)", () -> stream.write(one));
                calls.put("write(ByteBuffer,Completable)", () -> stream.write(one, token));
                calls.put("write(ByteBuffer[])", () -> stream.write(one, one));
                calls.put("flush()", stream::flush);
                calls.put("flush(Completable)", () -> stream.flush(token));
                calls.put("shutdownOutput()", stream::shutdownOutput);
                calls.put("shutdownOutput(Completable)", () -> stream.shutdownOutput(token));
                calls.put("lines()", stream::lines);
                calls.put("inputStream()", stream::inputStream);
                calls.put("outputStream()", stream::outputStream);
                calls.put("channel()", stream::channel);
                calls.put("localAddress()", stream::localAddress);
                calls.put("remoteAddress()", stream::remoteAddress);
                calls.put("close()", stream::close);
                var outcomes = new ConcurrentHashMap<String, Throwable>();
                Thread stranger = Thread.ofPlatform()
                        .name("stranger")
                        .start(() -> calls.forEach((name, call) -> {
                            try {
                                call.run();
                            } catch (Throwable e) {
                                outcomes.put(name, e);
                            }
                        }));
                stranger.join();
                assertThat(outcomes.keySet()).isEqualTo(calls.keySet());
                assertThat(outcomes.values())
                        .allSatisfy(e ->
                                assertThat(e).isInstanceOf(AsyncException.class).hasMessageContaining("'stranger'"));
                var others = new TreeSet<>(calls.keySet());
                others.addAll(List.of("isClosed()", "toString()", "session()", "protocol()"));
                others.addAll(List.of("applicationProtocol()", "peerCertificates()", "tcp()"));
                assertThat(ForeignThreadConformance.signatures(TlsStream.class)).isEqualTo(others);
                stream.write(bytes("still fine"));
                assertThat(readFully(pair.peer(), 10)).isEqualTo("still fine");
            }
        });
    }
}
