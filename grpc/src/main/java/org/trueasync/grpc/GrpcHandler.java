package org.trueasync.grpc;

import io.grpc.BindableService;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;
import io.grpc.InternalServer;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.http.Exchange;
import org.trueasync.http.HttpException;
import org.trueasync.http.HttpHandler;
import org.trueasync.internal.grpc.CallServer;
import org.trueasync.internal.grpc.GrpcSettings;
import org.trueasync.internal.grpc.ServicesView;

/**
 * Answers gRPC calls by services of grpc-java.
 *
 * <pre>{@code
 * HttpServer.listen(8080, new GrpcHandler(new GreeterService()));
 * }</pre>
 *
 * <p>Each call is a coroutine of its own: the service is called in it, and may wait. What it sends waits for a client
 * that is slower. The call's deadline is a time limit around the service, as {@link org.trueasync.Async#withTimeout}
 * has it; a client that gives the call up cancels the coroutine. What a service throws becomes the status: that of a
 * {@link io.grpc.StatusRuntimeException}, else {@code UNKNOWN}, and the error is reported.
 *
 * <p>Clients need HTTP/2. Complete it before a server uses it. Then any thread may.
 */
public final class GrpcHandler implements HttpHandler {
    private static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    private final List<ServerServiceDefinition> services = new ArrayList<>();
    private final Map<String, ServerMethodDefinition<?, ?>> methods = new HashMap<>();
    private GrpcSettings settings = new GrpcSettings(
            Context.ROOT.withValue(InternalServer.SERVER_CONTEXT_KEY, new ServicesView(services)),
            MAX_MESSAGE_BYTES,
            CompressorRegistry.getDefaultInstance(),
            DecompressorRegistry.getDefaultInstance());

    /**
     * Makes a handler.
     *
     * @param services whose methods it answers; more can be {@linkplain #add added}
     * @throws IllegalArgumentException if two have the same name
     */
    public GrpcHandler(BindableService... services) {
        for (BindableService service : services) add(service.bindService());
    }

    /**
     * Adds a service, for example one with interceptors around it. Returns this.
     *
     * @param service for example of {@code ServerInterceptors.intercept}
     * @throws IllegalArgumentException if there is one of that name
     */
    public GrpcHandler add(ServerServiceDefinition service) {
        String name = Objects.requireNonNull(service, "service")
                .getServiceDescriptor()
                .getName();
        for (ServerServiceDefinition other : services)
            if (other.getServiceDescriptor().getName().equals(name))
                throw new IllegalArgumentException("there is a service '" + name + "' already");
        services.add(service);
        for (ServerMethodDefinition<?, ?> method : service.getMethods())
            methods.put("/" + method.getMethodDescriptor().getFullMethodName(), method);
        return this;
    }

    /**
     * How many bytes a message of a client may have, also when it is decompressed; 4 MiB otherwise. A larger one ends
     * the call with {@code RESOURCE_EXHAUSTED}. A call may have any number of them: the {@linkplain
     * org.trueasync.http.HttpServer.Builder#maxBodyBytes largest body} of the server does not hold. Returns this.
     *
     * @param bytes 0 to 2^31 - 2
     */
    public GrpcHandler maxMessageBytes(int bytes) {
        if (bytes < 0 || bytes == Integer.MAX_VALUE)
            throw new IllegalArgumentException("maxMessageBytes must be 0 to 2147483646, got " + bytes);
        settings = new GrpcSettings(settings.context(), bytes, settings.compressors(), settings.decompressors());
        return this;
    }

    /**
     * Answers a call.
     *
     * @throws HttpException if the request is no gRPC: 415, 405, or 505 for HTTP/1
     * @throws Exception what the service throws, unless it tells a status; the client has got one then
     */
    @Override
    public void handle(Exchange exchange) throws Exception {
        if (!isGrpc(exchange.header("Content-Type")))
            throw new HttpException(415, "gRPC needs Content-Type: application/grpc");
        if (!exchange.method().equals("POST")) throw new HttpException(405, "gRPC needs POST");
        if (!exchange.protocol().equals("HTTP/2")) throw new HttpException(505, "gRPC needs HTTP/2");
        ServerMethodDefinition<?, ?> method = methods.get(exchange.path());
        if (method != null) CallServer.serve(settings, exchange, method);
        else
            CallServer.refuse(
                    exchange,
                    Status.UNIMPLEMENTED.withDescription(
                            "Method not found: " + exchange.path().substring(1)));
    }

    private static boolean isGrpc(@Nullable String type) {
        if (type == null) return false;
        String name = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return name.equals("application/grpc") || name.startsWith("application/grpc+");
    }
}
