package org.trueasync.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannelBuilder;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.testing.integration.AbstractInteropTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;

/** The cases of gRPC's interop tests, with grpc-java's client, service and checks. The service answers on threads. */
@Timeout(60)
class InteropTest {
    /** One object for each case. */
    private static final class Cases extends AbstractInteropTest {
        private final int port;

        Cases(int port) {
            this.port = port;
        }

        @Override
        protected ManagedChannelBuilder<?> createChannelBuilder() {
            return OkHttpChannelBuilder.forAddress("127.0.0.1", port)
                    .usePlaintext()
                    .maxInboundMessageSize(MAX_MESSAGE_SIZE);
        }

        @Override
        protected boolean metricsExpected() {
            return false;
        }
    }

    private static void passes(InteropCases.Case... cases) {
        List<String> reports = new ArrayList<>();
        Async.runtime().reactor("nio").diagnostics(reports::add).run(() -> {
            try (ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
                    var server = InteropCases.serve(threads)) {
                Async.blocking(() -> InteropCases.run(() -> new Cases(server.port()), cases));
                threads.shutdownNow();
            }
        });
        assertThat(reports).isEmpty();
    }

    @Test
    void unary() {
        passes(
                AbstractInteropTest::emptyUnary,
                AbstractInteropTest::emptyUnaryWithRetriableStream,
                AbstractInteropTest::largeUnary,
                AbstractInteropTest::getServerAddressAndLocalAddressFromClient);
    }

    @Test
    void streams() {
        passes(
                AbstractInteropTest::clientStreaming,
                AbstractInteropTest::serverStreaming,
                AbstractInteropTest::pingPong,
                AbstractInteropTest::emptyStream,
                AbstractInteropTest::fullDuplexCallShouldSucceed,
                AbstractInteropTest::halfDuplexCallShouldSucceed,
                AbstractInteropTest::serverStreamingShouldBeFlowControlled);
    }

    @Test
    void compression() {
        passes(
                AbstractInteropTest::serverCompressedUnary,
                AbstractInteropTest::serverCompressedStreaming,
                all -> all.clientCompressedUnary(false),
                all -> all.clientCompressedStreaming(false));
    }

    @Test
    void metadata() {
        passes(
                AbstractInteropTest::customMetadata,
                AbstractInteropTest::exchangeMetadataUnaryCall,
                AbstractInteropTest::exchangeMetadataStreamingCall);
    }

    @Test
    void statuses() {
        passes(
                AbstractInteropTest::statusCodeAndMessage,
                AbstractInteropTest::specialStatusMessage,
                AbstractInteropTest::unimplementedMethod,
                AbstractInteropTest::unimplementedService,
                AbstractInteropTest::maxInboundSize_exact,
                AbstractInteropTest::maxInboundSize_tooBig,
                AbstractInteropTest::maxOutboundSize_exact,
                AbstractInteropTest::maxOutboundSize_tooBig);
    }

    @Test
    void ends() {
        passes(
                AbstractInteropTest::cancelAfterBegin,
                AbstractInteropTest::cancelAfterFirstResponse,
                AbstractInteropTest::gracefulShutdown,
                AbstractInteropTest::deadlineNotExceeded,
                AbstractInteropTest::deadlineExceededServerStreaming,
                AbstractInteropTest::deadlineInPast,
                AbstractInteropTest::timeoutOnSleepingServer);
    }

    @Test
    @Tag("deep")
    void large() {
        passes(
                AbstractInteropTest::deadlineExceeded,
                AbstractInteropTest::veryLargeRequest,
                AbstractInteropTest::veryLargeResponse);
    }
}
