package org.trueasync.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.ReconnectServiceGrpc;
import io.grpc.testing.integration.TestServiceGrpc;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.FutureState;
import org.trueasync.http.HttpServer;
import org.trueasync.http.Routes;

/** Services as coroutines, with grpc-java's client. */
@Timeout(60)
class GrpcHandlerTest {
    private static final Metadata.Key<String> TIMEOUT =
            Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER);

    private static TestServiceGrpc.TestServiceImplBase unary(
            BiConsumer<SimpleRequest, StreamObserver<SimpleResponse>> method) {
        return new TestServiceGrpc.TestServiceImplBase() {
            @Override
            public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
                method.accept(request, responses);
            }
        };
    }

    private static TestServiceGrpc.TestServiceImplBase streaming(
            Consumer<ServerCallStreamObserver<StreamingOutputCallResponse>> method) {
        return new TestServiceGrpc.TestServiceImplBase() {
            @Override
            public void streamingOutputCall(
                    StreamingOutputCallRequest request, StreamObserver<StreamingOutputCallResponse> responses) {
                method.accept((ServerCallStreamObserver<StreamingOutputCallResponse>) responses);
            }
        };
    }

    private static SimpleResponse text(String text) {
        return SimpleResponse.newBuilder().setUsername(text).build();
    }

    private static SimpleResponse call(Channel channel) {
        return TestServiceGrpc.newBlockingStub(channel).unaryCall(SimpleRequest.getDefaultInstance());
    }

    private static StreamingOutputCallResponse kilobytes(int count) {
        return StreamingOutputCallResponse.newBuilder()
                .setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[1024 * count])))
                .build();
    }

    private static Status status(Channel channel) {
        try {
            call(channel);
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    private static Channel withHeader(ManagedChannel channel, Metadata.Key<String> key, String value) {
        var metadata = new Metadata();
        metadata.put(key, value);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    // ---- coroutines

    @Test
    void services_areCoroutines_thatWaitSideBySide() {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        List<String> reports = Served.run(
                new GrpcHandler(unary((request, responses) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    while (most.get() < 10) Async.delay(1);
                    running.decrementAndGet();
                    responses.onNext(text(Async.currentCoroutine().getClass().getSimpleName()));
                    responses.onCompleted();
                })),
                channel -> {
                    var stub = TestServiceGrpc.newFutureStub(channel);
                    var all = new ArrayList<Future<SimpleResponse>>();
                    for (int i = 0; i < 10; i++) all.add(stub.unaryCall(SimpleRequest.getDefaultInstance()));
                    for (var each : all) assertThat(each.get().getUsername()).contains("Coroutine");
                });
        assertThat(reports).isEmpty();
        assertThat(most).hasValue(10);
    }

    @Test
    void deadline_isTheTimeThatRemains() {
        var seen = new LinkedBlockingQueue<Duration>();
        Served.run(
                new GrpcHandler(unary((request, responses) -> {
                    seen.add(Objects.requireNonNull(Async.remaining()));
                    seen.add(Duration.ofNanos(Context.current().getDeadline().timeRemaining(TimeUnit.NANOSECONDS)));
                    responses.onNext(text(""));
                    responses.onCompleted();
                })),
                channel -> TestServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(Duration.ofSeconds(50))
                        .unaryCall(SimpleRequest.getDefaultInstance()));
        assertThat(seen).hasSize(2).allMatch(time -> time.toSeconds() >= 30 && time.toSeconds() <= 50);
    }

    /** The client has no deadline of its own here, so that the server's answer is seen. */
    @Test
    void deadlineOver_endsTheService_andTellsTheClient() {
        var ends = new LinkedBlockingQueue<Object>();
        List<String> reports = Served.run(
                new GrpcHandler(unary((request, responses) -> {
                    var observer = (ServerCallStreamObserver<SimpleResponse>) responses;
                    observer.setOnCancelHandler(
                            () -> ends.add("told: " + Context.current().isCancelled()));
                    try {
                        Async.delay(Duration.ofHours(1));
                    } catch (AsyncCancellation e) {
                        ends.add("cancelled");
                        throw e;
                    }
                })),
                channel -> {
                    Status status = status(withHeader(channel, TIMEOUT, "300m"));
                    assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
                    assertThat(status(withHeader(channel, TIMEOUT, "0m")).getCode())
                            .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
                    assertThat(status(withHeader(channel, TIMEOUT, "soon")).getCode())
                            .isEqualTo(Status.Code.INTERNAL);
                });
        assertThat(ends).containsExactly("cancelled", "told: true");
        assertThat(reports).isEmpty();
    }

    @Test
    void cancelledByTheClient_coroutineIsCancelled() {
        BlockingQueue<Object> ends = new LinkedBlockingQueue<>();
        List<String> reports = Served.run(
                new GrpcHandler(unary((request, responses) -> {
                    ends.add("begun");
                    try {
                        Async.delay(Duration.ofHours(1));
                    } catch (AsyncCancellation e) {
                        ends.add("cancelled");
                        throw e;
                    }
                })),
                channel -> {
                    var future = TestServiceGrpc.newFutureStub(channel).unaryCall(SimpleRequest.getDefaultInstance());
                    assertThat(ends.take()).isEqualTo("begun");
                    future.cancel(true);
                    assertThat(ends.take()).isEqualTo("cancelled");
                });
        assertThat(reports).isEmpty();
    }

    // ---- flow control

    /** Takes one message at a time, when it is told to. */
    private static final class SlowReader
            implements ClientResponseObserver<StreamingOutputCallRequest, StreamingOutputCallResponse> {
        final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
        ClientCallStreamObserver<StreamingOutputCallRequest> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<StreamingOutputCallRequest> stream) {
            call = stream;
            stream.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(StreamingOutputCallResponse value) {
            events.add(value);
        }

        @Override
        public void onError(Throwable t) {
            events.add(Status.fromThrowable(t).getCode());
        }

        @Override
        public void onCompleted() {
            events.add("end");
        }
    }

    private static void await(AtomicInteger value, int atLeast) throws InterruptedException {
        while (value.get() < atLeast) Thread.sleep(1);
    }

    @Test
    void blockingService_waitsForASlowClient() {
        var sent = new AtomicInteger();
        var ends = new LinkedBlockingQueue<String>();
        List<String> reports = Served.run(
                new GrpcHandler(streaming(responses -> {
                    try {
                        for (int i = 0; i < 1000; i++) {
                            responses.onNext(kilobytes(64));
                            sent.incrementAndGet();
                        }
                    } catch (AsyncCancellation e) {
                        ends.add("cancelled while it sends");
                        throw e;
                    }
                })),
                channel -> {
                    var reader = new SlowReader();
                    TestServiceGrpc.newStub(channel)
                            .streamingOutputCall(StreamingOutputCallRequest.getDefaultInstance(), reader);
                    assertThat(reader.events.take()).isEqualTo(kilobytes(64));
                    await(sent, 1);
                    for (int i = 0; i < 100; i++) {
                        reader.call.request(1);
                        assertThat(reader.events.take()).isEqualTo(kilobytes(64));
                    }
                    await(sent, 100);
                    assertThat(sent.get()).isLessThan(200); // 64 MiB are not in the memory of anyone
                    reader.call.cancel("enough", null);
                    assertThat(ends.take()).isEqualTo("cancelled while it sends");
                });
        assertThat(reports).isEmpty();
    }

    /** Sends 100 messages while there is room; returns how often it was told that there is. */
    private static int sendWhileReady(Executor executor) {
        var sent = new AtomicInteger();
        var rounds = new AtomicInteger();
        List<String> reports = Served.run(
                new GrpcHandler(streaming(responses -> responses.setOnReadyHandler(() -> {
                    rounds.incrementAndGet();
                    executor.execute(() -> {
                        while (responses.isReady() && sent.get() < 100) {
                            responses.onNext(kilobytes(64));
                            if (sent.incrementAndGet() == 100) responses.onCompleted();
                        }
                    });
                }))),
                channel -> {
                    var reader = new SlowReader();
                    TestServiceGrpc.newStub(channel)
                            .streamingOutputCall(StreamingOutputCallRequest.getDefaultInstance(), reader);
                    for (int i = 0; i < 100; i++) {
                        assertThat(reader.events.take()).isEqualTo(kilobytes(64));
                        reader.call.request(1);
                    }
                    assertThat(reader.events.take()).isEqualTo("end");
                });
        assertThat(reports).isEmpty();
        return rounds.get();
    }

    @Test
    void onReady_isCalledWheneverThereIsRoom() {
        // a coroutine waits in onNext, so that there is room again behind it
        assertThat(sendWhileReady(Runnable::run)).isPositive();
        try (var thread = Executors.newSingleThreadExecutor()) {
            assertThat(sendWhileReady(thread)).isGreaterThan(10);
        }
    }

    /** The service takes one message, and no more until it says so. */
    @Test
    void clientThatSendsTooMuch_waitsForTheService() {
        var taken = new LinkedBlockingQueue<Integer>();
        var go = new CountDownLatch(1);
        List<String> reports = Served.run(
                new GrpcHandler(new TestServiceGrpc.TestServiceImplBase() {
                    @Override
                    public StreamObserver<StreamingOutputCallRequest> fullDuplexCall(
                            StreamObserver<StreamingOutputCallResponse> responses) {
                        var observer = (ServerCallStreamObserver<StreamingOutputCallResponse>) responses;
                        observer.disableAutoRequest();
                        observer.request(1);
                        return new StreamObserver<>() {
                            @Override
                            public void onNext(StreamingOutputCallRequest value) {
                                taken.add(value.getSerializedSize());
                                if (taken.size() == 1) Async.blocking(() -> go.await());
                                observer.request(1);
                            }

                            @Override
                            public void onError(Throwable t) {
                                taken.add(-1);
                            }

                            @Override
                            public void onCompleted() {
                                observer.onCompleted();
                            }
                        };
                    }
                }),
                channel -> {
                    var reader = new SlowReader();
                    var requests = (ClientCallStreamObserver<StreamingOutputCallRequest>)
                            TestServiceGrpc.newStub(channel).fullDuplexCall(reader);
                    var large = StreamingOutputCallRequest.newBuilder()
                            .setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[64 * 1024])))
                            .build();
                    while (!requests.isReady()) Thread.sleep(1);
                    int sent = 0;
                    for (int quiet = 0; quiet < 50; quiet++) {
                        for (; requests.isReady() && sent < 200; sent++, quiet = 0) requests.onNext(large);
                        Thread.sleep(1);
                    }
                    assertThat(sent).isBetween(2, 20);
                    go.countDown();
                    requests.onCompleted();
                    assertThat(reader.events.take()).isEqualTo("end");
                    assertThat(taken).hasSize(sent);
                });
        assertThat(reports).isEmpty();
    }

    // ---- errors

    @Test
    void errors_becomeStatuses_andWhatTellsNoneIsReportedOnce() {
        var key = Metadata.Key.of("why-bin", Metadata.BINARY_BYTE_MARSHALLER);
        List<String> reports = Served.run(
                new GrpcHandler(unary((request, responses) -> {
                    if (request.getFillUsername()) throw new IllegalStateException("secret");
                    var trailers = new Metadata();
                    trailers.put(key, new byte[] {1, 0, -1});
                    throw Status.NOT_FOUND.withDescription("no such: \u00e4 %").asRuntimeException(trailers);
                })),
                channel -> {
                    assertThatThrownBy(() -> call(channel)).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
                        assertThat(e).hasMessage("NOT_FOUND: no such: \u00e4 %");
                        assertThat(e.getTrailers().get(key)).containsExactly(1, 0, -1);
                    });
                    assertThatThrownBy(() -> TestServiceGrpc.newBlockingStub(channel)
                                    .unaryCall(SimpleRequest.newBuilder()
                                            .setFillUsername(true)
                                            .build()))
                            .hasMessage("UNKNOWN: the service failed to handle this call");
                });
        assertThat(reports).singleElement().asString().contains("IllegalStateException: secret");
    }

    @Test
    void messageBeyondTheLimit_isRefused_compressedOrNot() {
        List<String> reports = Served.run(
                new GrpcHandler(unary((request, responses) -> {
                            responses.onNext(text("got"));
                            responses.onCompleted();
                        }))
                        .maxMessageBytes(1000),
                channel -> {
                    var large = SimpleRequest.newBuilder()
                            .setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[2000])))
                            .build();
                    var stub = TestServiceGrpc.newBlockingStub(channel);
                    assertThatThrownBy(() -> stub.unaryCall(large))
                            .hasMessageContaining("RESOURCE_EXHAUSTED: gRPC message exceeds maximum size 1000: 200");
                    assertThatThrownBy(() -> stub.withCompression("gzip").unaryCall(large))
                            .hasMessageContaining(
                                    "RESOURCE_EXHAUSTED: gRPC message exceeds maximum size 1000 once decompressed");
                    assertThat(stub.unaryCall(SimpleRequest.getDefaultInstance())
                                    .getUsername())
                            .isEqualTo("got");
                });
        assertThat(reports).isEmpty();
    }

    @Test
    void serverThatCloses_endsCalls_asUnavailable() {
        var reports = new ArrayList<String>();
        Async.runtime().reactor("nio").diagnostics(reports::add).run(() -> {
            var begun = new FutureState<Boolean>();
            var server = HttpServer.builder().host("127.0.0.1").listen(new GrpcHandler(unary((request, responses) -> {
                begun.complete(true);
                Async.delay(Duration.ofHours(1));
            })));
            var channel = OkHttpChannelBuilder.forAddress("127.0.0.1", server.port())
                    .usePlaintext()
                    .build();
            var answer = Async.spawn(() -> Async.blocking(() -> status(channel)));
            Async.await(begun.future());
            server.close();
            assertThat(Async.await(answer).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            Async.blocking(() -> channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS));
        });
        assertThat(reports).isEmpty();
    }

    // ---- services of others

    @Test
    void healthAndReflection_workUnchanged() {
        var health = new HealthStatusManager();
        var handler = new GrpcHandler(
                        health.getHealthService(), ProtoReflectionServiceV1.newInstance(), unary((q, a) -> {}))
                .add(ServerInterceptors.intercept(new ReconnectServiceGrpc.ReconnectServiceImplBase() {}));
        List<String> reports = Served.run(handler, channel -> {
            var watch = HealthGrpc.newBlockingStub(channel)
                    .watch(HealthCheckRequest.newBuilder().setService("a").build());
            assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVICE_UNKNOWN);
            health.setStatus("a", ServingStatus.SERVING); // on this thread, which is not the server's
            assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);
            HealthCheckResponse now = HealthGrpc.newBlockingStub(channel)
                    .check(HealthCheckRequest.newBuilder().setService("a").build());
            assertThat(now.getStatus()).isEqualTo(ServingStatus.SERVING);
            health.enterTerminalState();
            assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);

            assertThat(reflect(channel, ServerReflectionRequest.newBuilder().setListServices(""))
                            .getListServicesResponse()
                            .getServiceList())
                    .extracting(ServiceResponse::getName)
                    .containsExactlyInAnyOrder(
                            "grpc.health.v1.Health",
                            "grpc.reflection.v1.ServerReflection",
                            "grpc.testing.ReconnectService",
                            "grpc.testing.TestService");
            assertThat(reflect(
                                    channel,
                                    ServerReflectionRequest.newBuilder()
                                            .setFileContainingSymbol("grpc.testing.TestService"))
                            .getFileDescriptorResponse()
                            .getFileDescriptorProtoCount())
                    .isPositive();
        });
        assertThat(reports).isEmpty();
    }

    private static ServerReflectionResponse reflect(Channel channel, ServerReflectionRequest.Builder request)
            throws InterruptedException {
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(channel)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse value) {
                        answers.add(value);
                    }

                    @Override
                    public void onError(Throwable t) {
                        answers.add(t);
                    }

                    @Override
                    public void onCompleted() {
                        answers.add("end");
                    }
                });
        requests.onNext(request.build());
        Object answer = answers.take();
        requests.onCompleted();
        assertThat(answers.take()).isEqualTo("end");
        return (ServerReflectionResponse) answer;
    }

    @Test
    void sameService_cantBeAddedTwice() {
        var handler = new GrpcHandler(unary((q, a) -> {}));
        assertThatThrownBy(() -> handler.add(unary((q, a) -> {}).bindService()))
                .hasMessage("there is a service 'grpc.testing.TestService' already");
        assertThatThrownBy(() -> handler.maxMessageBytes(-1)).hasMessageContaining("got -1");
    }

    // ---- beside HTTP

    @Test
    void onePort_hasBoth_andOtherRequestsAreRefused() {
        var grpc = new GrpcHandler(unary((request, responses) -> {
            responses.onNext(text("by gRPC"));
            responses.onCompleted();
        }));
        var routes = new Routes()
                .get("/hello", exchange -> exchange.respond("by HTTP"))
                .under("/grpc.testing.TestService", grpc);
        List<String> answers = new ArrayList<>();
        List<String> reports = Served.run(routes, channel -> {
            answers.add(call(channel).getUsername());
            URI base = URI.create("http://" + channel.authority());
            try (var client = HttpClient.newHttpClient()) {
                for (String[] each : new String[][] {
                    {"GET", "/hello", "text/plain"},
                    {"POST", "/grpc.testing.TestService/UnaryCall", "application/grpc+proto"},
                    {"GET", "/grpc.testing.TestService/UnaryCall", "application/grpc"},
                    {"POST", "/grpc.testing.TestService/UnaryCall", "application/json"}
                }) {
                    var request = HttpRequest.newBuilder(base.resolve(each[1]))
                            .version(HttpClient.Version.HTTP_1_1)
                            .header("Content-Type", each[2])
                            .method(each[0], HttpRequest.BodyPublishers.noBody())
                            .build();
                    answers.add(
                            client.send(request, BodyHandlers.ofString()).body().strip());
                }
            }
        });
        assertThat(reports).isEmpty();
        assertThat(answers)
                .containsExactly(
                        "by gRPC",
                        "by HTTP",
                        "gRPC needs HTTP/2",
                        "gRPC needs POST",
                        "gRPC needs Content-Type: application/grpc");
    }
}
