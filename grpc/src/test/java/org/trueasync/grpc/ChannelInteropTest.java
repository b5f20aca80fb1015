package org.trueasync.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.testing.integration.AbstractInteropTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;

/** The cases of gRPC's interop tests, in a coroutine, by our channel; beside our server, and beside grpc-java's. */
@Timeout(60)
class ChannelInteropTest {
    /** Our channel as the cases have theirs. */
    static final class Managed extends ManagedChannel {
        private final GrpcChannel channel;
        private boolean down;

        Managed(GrpcChannel channel) {
            this.channel = channel;
        }

        @Override
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            boolean isSet = options.getMaxInboundMessageSize() != null;
            return channel.newCall(
                    method, isSet ? options : options.withMaxInboundMessageSize(AbstractInteropTest.MAX_MESSAGE_SIZE));
        }

        @Override
        public String authority() {
            return channel.authority();
        }

        @Override
        public ManagedChannel shutdown() {
            down = true;
            channel.close();
            return this;
        }

        @Override
        public ManagedChannel shutdownNow() {
            return shutdown();
        }

        @Override
        public boolean isShutdown() {
            return down;
        }

        @Override
        public boolean isTerminated() {
            return down;
        }

        @Override
        public boolean awaitTermination(long time, TimeUnit unit) {
            return true;
        }
    }

    private static final class Cases extends AbstractInteropTest {
        private final int port;

        Cases(int port) {
            this.port = port;
        }

        @Override
        protected ManagedChannelBuilder<?> createChannelBuilder() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected ManagedChannel createChannel() {
            return new Managed(new GrpcChannel("http://127.0.0.1:" + port));
        }

        @Override
        protected boolean metricsExpected() {
            return false;
        }
    }

    private static void passes(String server, InteropCases.Case... cases) {
        List<String> reports = new ArrayList<>();
        Async.runtime().reactor("nio").diagnostics(reports::add).run(() -> {
            try (ScheduledExecutorService threads = Executors.newScheduledThreadPool(2)) {
                if (server.equals("ours"))
                    try (var ours = InteropCases.serve(threads)) {
                        InteropCases.run(() -> new Cases(ours.port()), cases);
                    }
                else {
                    Server theirs =
                            Async.blocking(() -> OkHttpServerBuilder.forPort(0, InsecureServerCredentials.create())
                                    .addService(InteropCases.service(threads))
                                    .maxInboundMessageSize(AbstractInteropTest.MAX_MESSAGE_SIZE)
                                    .build()
                                    .start());
                    try {
                        InteropCases.run(() -> new Cases(theirs.getPort()), cases);
                    } finally {
                        theirs.shutdownNow();
                    }
                }
                threads.shutdownNow();
            }
        });
        assertThat(reports).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "grpc-java's"})
    void unary(String server) {
        passes(server, AbstractInteropTest::emptyUnary, AbstractInteropTest::largeUnary);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "grpc-java's"})
    void streams(String server) {
        passes(
                server,
                AbstractInteropTest::clientStreaming,
                AbstractInteropTest::serverStreaming,
                AbstractInteropTest::pingPong,
                AbstractInteropTest::emptyStream,
                AbstractInteropTest::fullDuplexCallShouldSucceed,
                AbstractInteropTest::halfDuplexCallShouldSucceed,
                AbstractInteropTest::serverStreamingShouldBeFlowControlled);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "grpc-java's"})
    void compression(String server) {
        passes(
                server,
                AbstractInteropTest::serverCompressedUnary,
                AbstractInteropTest::serverCompressedStreaming,
                all -> all.clientCompressedUnary(false),
                all -> all.clientCompressedStreaming(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "grpc-java's"})
    void metadata(String server) {
        passes(
                server,
                AbstractInteropTest::customMetadata,
                AbstractInteropTest::exchangeMetadataUnaryCall,
                AbstractInteropTest::exchangeMetadataStreamingCall);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "grpc-java's"})
    void statuses(String server) {
        passes(
                server,
                AbstractInteropTest::statusCodeAndMessage,
                AbstractInteropTest::specialStatusMessage,
                AbstractInteropTest::unimplementedMethod,
                AbstractInteropTest::unimplementedService,
                AbstractInteropTest::maxInboundSize_exact,
                AbstractInteropTest::maxInboundSize_tooBig,
                AbstractInteropTest::maxOutboundSize_exact,
                AbstractInteropTest::maxOutboundSize_tooBig);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "grpc-java's"})
    void ends(String server) {
        passes(
                server,
                AbstractInteropTest::cancelAfterBegin,
                AbstractInteropTest::cancelAfterFirstResponse,
                AbstractInteropTest::deadlineNotExceeded,
                AbstractInteropTest::deadlineExceededServerStreaming,
                AbstractInteropTest::deadlineInPast,
                AbstractInteropTest::timeoutOnSleepingServer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "grpc-java's"})
    @Tag("deep")
    void large(String server) {
        passes(
                server,
                AbstractInteropTest::deadlineExceeded,
                AbstractInteropTest::veryLargeRequest,
                AbstractInteropTest::veryLargeResponse);
    }
}
