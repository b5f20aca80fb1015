package org.trueasync.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import com.google.protobuf.ByteString;
import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsServerCredentials;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.TlsTesting;
import io.grpc.testing.integration.EmptyProtos;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import java.net.ServerSocket;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.Scope;
import org.trueasync.http.HttpClient;
import org.trueasync.http.HttpHandler;
import org.trueasync.http.HttpServer;
import org.trueasync.io.TlsOptions;

/** Stubs of grpc-java in coroutines, over our channel. */
@Timeout(30)
class GrpcChannelTest {
    private static final SimpleRequest REQUEST = SimpleRequest.getDefaultInstance();

    @FunctionalInterface
    private interface Calls {
        void make(GrpcChannel channel, HttpServer server) throws Exception;
    }

    /** Runs calls beside a server, on one loop; nothing may be reported. */
    private static void run(String reactor, HttpHandler handler, Calls calls) {
        var reports = new ArrayList<String>();
        Async.runtime().reactor(reactor).diagnostics(reports::add).run(() -> {
            try (var server = HttpServer.builder().host("127.0.0.1").listen(handler);
                    var channel = new GrpcChannel("http://127.0.0.1:" + server.port())) {
                calls.make(channel, server);
            }
        });
        assertThat(reports).isEmpty();
    }

    private static TestServiceGrpc.TestServiceBlockingStub blocking(GrpcChannel channel) {
        return TestServiceGrpc.newBlockingStub(channel);
    }

    private static SimpleResponse text(String text) {
        return SimpleResponse.newBuilder().setUsername(text).build();
    }

    private static Status statusOf(Runnable call) {
        try {
            call.run();
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    /** Answers after a while with what is left of the time; notes what ends it before. */
    private static final class Slow extends TestServiceGrpc.TestServiceImplBase {
        final List<String> ends = new ArrayList<>();
        final Duration time;
        int begun;

        Slow(Duration time) {
            this.time = time;
        }

        @Override
        public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
            begun++;
            try {
                delay(time);
                Duration left = remaining();
                responses.onNext(text(left == null ? "no limit" : "limit " + (left.toSeconds() + 1)));
                responses.onCompleted();
            } catch (AsyncCancellation e) {
                ends.add("cancelled");
                throw e;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void blockingStubs_suspendTheirCoroutineAlone(String reactor) {
        run(reactor, new GrpcHandler(new Slow(Duration.ofMillis(30))), (channel, server) -> {
            var all = new ArrayList<Coroutine<String>>();
            for (int i = 0; i < 50; i++)
                all.add(spawn(() -> blocking(channel).unaryCall(REQUEST).getUsername()));
            for (var one : all) assertThat(await(one)).isEqualTo("no limit");
            assertThat(server.stats().acceptedConnections()).isOne();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void limitsOfTime_endTheCall_andAreToldToTheServer(String reactor) {
        var slow = new Slow(Duration.ofMillis(20));
        var never = new Slow(Duration.ofHours(1));
        run(reactor, new GrpcHandler(slow), (channel, server) -> {
            var stub = blocking(channel);
            assertThat(withTimeout(Duration.ofSeconds(90), () -> stub.unaryCall(REQUEST)
                            .getUsername()))
                    .isEqualTo("limit 90");
            assertThat(stub.withDeadlineAfter(Duration.ofSeconds(50))
                            .unaryCall(REQUEST)
                            .getUsername())
                    .isEqualTo("limit 50");
            assertThat(withTimeout(Duration.ofSeconds(40), () -> stub.withDeadlineAfter(Duration.ofSeconds(50))
                            .unaryCall(REQUEST)
                            .getUsername()))
                    .isEqualTo("limit 40");
        });
        run(reactor, new GrpcHandler(never), (channel, server) -> {
            var stub = blocking(channel);
            assertThatThrownBy(() -> withTimeout(Duration.ofMillis(30), () -> stub.unaryCall(REQUEST)))
                    .isInstanceOf(AsyncTimeoutException.class);
            while (never.ends.isEmpty()) delay(1);
            assertThatThrownBy(() -> withTimeout(Duration.ofMillis(1), () -> {
                        while (remaining().isPositive()) Thread.onSpinWait();
                        return stub.unaryCall(REQUEST);
                    }))
                    .as("a limit that is over before the call begins")
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(statusOf(() -> stub.withDeadlineAfter(Duration.ofMillis(30))
                                    .unaryCall(REQUEST))
                            .getCode())
                    .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            while (never.ends.size() < 2) delay(1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void cancelledCaller_cancelsItsCall(String reactor) {
        var never = new Slow(Duration.ofHours(1));
        run(reactor, new GrpcHandler(never), (channel, server) -> {
            var call = spawn(() -> blocking(channel).unaryCall(REQUEST));
            while (never.begun == 0) delay(1);
            call.cancel();
            assertThatThrownBy(() -> await(call)).isInstanceOf(AsyncCancellation.class);
            while (never.ends.isEmpty()) delay(1);
            // one that nobody waits for ends with the scope of its caller
            var answer = new FutureState<Throwable>();
            try (var scope = new Scope()) {
                scope.spawn(() -> TestServiceGrpc.newStub(channel).unaryCall(REQUEST, observer(answer)));
                while (never.begun < 2) delay(1);
                scope.cancel();
            }
            assertThat(Status.fromThrowable(await(answer.future())).getCode()).isEqualTo(Status.Code.CANCELLED);
            while (never.ends.size() < 2) delay(1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void serviceThatCalls_passesItsDeadlineAndItsEndOn(String reactor) {
        var behind = new Slow(Duration.ofMillis(200));
        var onward = new GrpcChannel[1];
        var front = new TestServiceGrpc.TestServiceImplBase() {
            @Override
            public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
                responses.onNext(blocking(onward[0]).unaryCall(request));
                responses.onCompleted();
            }
        };
        run(reactor, new GrpcHandler(behind), (channel, last) -> {
            onward[0] = channel;
            try (var first = HttpServer.builder().host("127.0.0.1").listen(new GrpcHandler(front));
                    var own = new GrpcChannel("http://127.0.0.1:" + first.port())) {
                assertThat(blocking(own)
                                .withDeadlineAfter(Duration.ofSeconds(50))
                                .unaryCall(REQUEST)
                                .getUsername())
                        .isEqualTo("limit 50");
                assertThatThrownBy(() -> withTimeout(
                                Duration.ofMillis(50), () -> blocking(own).unaryCall(REQUEST)))
                        .isInstanceOf(AsyncTimeoutException.class);
                while (behind.ends.isEmpty()) delay(1);
            }
        });
        assertThat(behind.ends).containsExactly("cancelled");
    }

    /** Answers without an end; notes what ends it. */
    private static final class Endless extends TestServiceGrpc.TestServiceImplBase {
        final List<String> ends = new ArrayList<>();

        @Override
        public void streamingOutputCall(
                StreamingOutputCallRequest request, StreamObserver<StreamingOutputCallResponse> responses) {
            var message = StreamingOutputCallResponse.newBuilder()
                    .setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[100_000])))
                    .build();
            try {
                while (true) responses.onNext(message);
            } catch (AsyncCancellation e) {
                ends.add("cancelled");
                throw e;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void callerThatIsCancelledBesideItsStream_cancelsIt(String reactor) {
        var endless = new Endless();
        run(reactor, new GrpcHandler(endless), (channel, server) -> {
            var reader = spawn(() -> {
                blocking(channel)
                        .streamingOutputCall(StreamingOutputCallRequest.getDefaultInstance())
                        .next();
                delay(Duration.ofHours(1));
            });
            delay(50);
            reader.cancel();
            while (endless.ends.isEmpty()) delay(1);

            assertThatThrownBy(() -> withTimeout(Duration.ofMillis(50), () -> {
                        blocking(channel)
                                .streamingOutputCall(StreamingOutputCallRequest.getDefaultInstance())
                                .next();
                        delay(Duration.ofHours(1));
                    }))
                    .isInstanceOf(AsyncTimeoutException.class);
            while (endless.ends.size() < 2) delay(1);
            // the calls' coroutines end as well, or the run would not
        });
    }

    private static <T> StreamObserver<T> observer(FutureState<Throwable> end) {
        return new StreamObserver<>() {
            @Override
            public void onNext(T value) {}

            @Override
            public void onError(Throwable error) {
                end.complete(error);
            }

            @Override
            public void onCompleted() {
                end.complete(new AssertionError("completed"));
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void serverThatIsNotThere_isUnavailable_orWaitedFor(String reactor) throws Exception {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Async.runtime().reactor(reactor).run(() -> {
            try (var channel = new GrpcChannel("http://127.0.0.1:" + port)) {
                Status status = statusOf(() -> blocking(channel).unaryCall(REQUEST));
                assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(status.getDescription()).contains("ECONNREFUSED");
                var patient = spawn(() ->
                        blocking(channel).withWaitForReady().unaryCall(REQUEST).getUsername());
                delay(80);
                try (var server = HttpServer.builder()
                        .host("127.0.0.1")
                        .port(port)
                        .listen(new GrpcHandler(new Slow(Duration.ZERO)))) {
                    assertThat(await(patient)).isEqualTo("no limit");
                }
                assertThat(statusOf(() -> blocking(channel)
                                        .withWaitForReady()
                                        .withDeadlineAfter(Duration.ofMillis(50))
                                        .unaryCall(REQUEST))
                                .getCode())
                        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
                channel.close();
                assertThat(statusOf(() -> blocking(channel).unaryCall(REQUEST)).getCode())
                        .isEqualTo(Status.Code.UNAVAILABLE);
            }
        });
    }

    /** Of grpc-java's tests; the name in the server's certificate is another one. */
    private static TlsOptions trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (var in = TlsTesting.loadCert("ca.pem")) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return TlsOptions.client(context).withoutServerNameCheck();
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void tls_isSpokenWithOthers(String reactor) throws Exception {
        Server theirs = OkHttpServerBuilder.forPort(
                        0,
                        TlsServerCredentials.create(
                                TlsTesting.loadCert("server1.pem"), TlsTesting.loadCert("server1.key")))
                .addService(new TestServiceGrpc.TestServiceImplBase() {
                    @Override
                    public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
                        responses.onNext(text("over TLS"));
                        responses.onCompleted();
                    }
                })
                .build()
                .start();
        try {
            var options = trusting();
            Async.runtime().reactor(reactor).run(() -> {
                String origin = "https://127.0.0.1:" + theirs.getPort();
                try (var channel = new GrpcChannel(origin, HttpClient.builder().tls(options))) {
                    for (int i = 0; i < 3; i++)
                        assertThat(blocking(channel).unaryCall(REQUEST).getUsername())
                                .isEqualTo("over TLS");
                }
                try (var distrusting = new GrpcChannel(origin)) {
                    assertThat(statusOf(() -> blocking(distrusting).unaryCall(REQUEST))
                                    .getCode())
                            .isEqualTo(Status.Code.UNAVAILABLE);
                }
            });
        } finally {
            theirs.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void serverThatSpeaksHttp_isNamed(String reactor) {
        HttpHandler handler = exchange -> exchange.status(exchange.path().endsWith("EmptyCall") ? 503 : 200)
                .respond("a page");
        run(reactor, handler, (channel, server) -> {
            Status status = statusOf(() -> blocking(channel).unaryCall(REQUEST));
            assertThat(status.getCode()).isEqualTo(Status.Code.UNKNOWN);
            assertThat(status.getDescription()).contains("is no response of gRPC: content-type text/plain");
            assertThat(statusOf(() -> blocking(channel).emptyCall(EmptyProtos.Empty.getDefaultInstance()))
                            .getCode())
                    .isEqualTo(Status.Code.UNAVAILABLE);
        });
        assertThatThrownBy(() -> new GrpcChannel("localhost:80"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("origin must be http://host:port or https://host:port, got localhost:80");
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void threads_makeCallsToo(String reactor) {
        run(reactor, new GrpcHandler(new Slow(Duration.ofMillis(5))), (channel, server) -> {
            assertThat(Async.<String>blocking(
                            () -> blocking(channel).unaryCall(REQUEST).getUsername()))
                    .isEqualTo("no limit");
            assertThat(Async.<String>blocking(() -> TestServiceGrpc.newFutureStub(channel)
                            .unaryCall(REQUEST)
                            .get(10, TimeUnit.SECONDS)
                            .getUsername()))
                    .isEqualTo("no limit");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void whatIsSent_waitsForTheServer(String reactor) {
        var taken = new int[1];
        var service = new TestServiceGrpc.TestServiceImplBase() {
            @Override
            public StreamObserver<StreamingInputCallRequest> streamingInputCall(
                    StreamObserver<StreamingInputCallResponse> responses) {
                return new StreamObserver<>() {
                    @Override
                    public void onNext(StreamingInputCallRequest request) {
                        if (taken[0]++ == 0) delay(100);
                    }

                    @Override
                    public void onError(Throwable error) {}

                    @Override
                    public void onCompleted() {
                        responses.onNext(StreamingInputCallResponse.newBuilder()
                                .setAggregatedPayloadSize(taken[0])
                                .build());
                        responses.onCompleted();
                    }
                };
            }
        };
        var message = StreamingInputCallRequest.newBuilder()
                .setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[100_000])))
                .build();
        run(reactor, new GrpcHandler(service), (channel, server) -> {
            var answer = new FutureState<StreamingInputCallResponse>();
            var requests = (ClientCallStreamObserver<StreamingInputCallRequest>)
                    TestServiceGrpc.newStub(channel).streamingInputCall(new StreamObserver<>() {
                        @Override
                        public void onNext(StreamingInputCallResponse value) {
                            answer.complete(value);
                        }

                        @Override
                        public void onError(Throwable error) {
                            answer.error(error);
                        }

                        @Override
                        public void onCompleted() {}
                    });
            int most = 0;
            for (int sent = 1; sent <= 50; sent++) {
                requests.onNext(message);
                most = Math.max(most, sent - taken[0]);
            }
            requests.onCompleted();
            assertThat(await(answer.future()).getAggregatedPayloadSize()).isEqualTo(50);
            assertThat(most).isLessThan(20); // the windows, and what a socket takes
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void stream_isReadAsFastAsItIsTaken(String reactor) {
        var sent = new int[1];
        var service = new TestServiceGrpc.TestServiceImplBase() {
            @Override
            public void streamingOutputCall(
                    StreamingOutputCallRequest request, StreamObserver<StreamingOutputCallResponse> responses) {
                var message = StreamingOutputCallResponse.newBuilder()
                        .setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[100_000])))
                        .build();
                for (int i = 0; i < 50; i++) {
                    responses.onNext(message);
                    sent[0]++;
                }
                responses.onCompleted();
            }
        };
        run(reactor, new GrpcHandler(service), (channel, server) -> {
            int count = 0;
            var answers = blocking(channel).streamingOutputCall(StreamingOutputCallRequest.getDefaultInstance());
            while (answers.hasNext()) {
                answers.next();
                if (count++ == 0) {
                    delay(50);
                    assertThat(sent[0]).isLessThan(20);
                }
            }
            assertThat(count).isEqualTo(50);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"libuv", "nio"})
    void credentials_areAdded(String reactor) {
        var key = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
        var seen = new ArrayList<String>();
        HttpHandler service = new GrpcHandler(new Slow(Duration.ZERO));
        HttpHandler noting = exchange -> {
            seen.add(exchange.header("Authorization"));
            service.handle(exchange);
        };
        var credentials = new CallCredentials() {
            @Override
            public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
                executor.execute(() -> {
                    var added = new Metadata();
                    added.put(key, "Bearer " + info.getMethodDescriptor().getBareMethodName());
                    applier.apply(added);
                });
            }
        };
        var failing = new CallCredentials() {
            @Override
            public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
                applier.fail(Status.UNAUTHENTICATED.withDescription("no token"));
            }
        };
        run(reactor, noting, (channel, server) -> {
            blocking(channel).withCallCredentials(credentials).unaryCall(REQUEST);
            Status status = statusOf(
                    () -> blocking(channel).withCallCredentials(failing).unaryCall(REQUEST));
            assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(status.getDescription()).isEqualTo("no token");
        });
        assertThat(seen).containsExactly("Bearer UnaryCall");
    }
}
