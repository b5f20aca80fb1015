package org.trueasync.grpc;

import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.testing.integration.AbstractInteropTest;
import io.grpc.testing.integration.TestServiceImpl;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.trueasync.http.HttpServer;

/** The cases of gRPC's interop tests, with grpc-java's service and checks. The service answers on threads. */
final class InteropCases {
    private InteropCases() {}

    @FunctionalInterface
    interface Case {
        void run(AbstractInteropTest all) throws Exception;
    }

    static ServerServiceDefinition service(ScheduledExecutorService threads) {
        return ServerInterceptors.intercept(new TestServiceImpl(threads), TestServiceImpl.interceptors());
    }

    /** Our server with that service. */
    static HttpServer serve(ScheduledExecutorService threads) {
        return HttpServer.builder()
                .host("127.0.0.1")
                .listen(new GrpcHandler().add(service(threads)).maxMessageBytes(AbstractInteropTest.MAX_MESSAGE_SIZE));
    }

    /** Runs the cases, with one object for each. */
    static void run(Supplier<? extends AbstractInteropTest> made, Case... cases) throws Exception {
        for (Case each : cases) {
            AbstractInteropTest test = made.get();
            test.setUp();
            try {
                each.run(test);
            } finally {
                test.tearDown();
            }
        }
    }
}
