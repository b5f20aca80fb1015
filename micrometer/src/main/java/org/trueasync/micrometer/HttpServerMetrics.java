package org.trueasync.micrometer;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.trueasync.http.HttpServer;
import org.trueasync.http.ServerStats;

/**
 * The figures of an HTTP server of {@code trueasync-http}, with a tag {@code server} that has its name.
 *
 * <p>Any thread.
 */
public final class HttpServerMetrics extends ObjectMetrics<HttpServer> {
    private static final String PREFIX = "trueasync.http.server.";

    /**
     * Creates a binder whose meters have the tag {@code server} alone.
     *
     * @param server whose figures
     * @param name if the registry has one of this name, the tag ends in {@code -2} and so on
     */
    public HttpServerMetrics(HttpServer server, String name) {
        this(server, name, Tags.empty());
    }

    /**
     * Creates a binder.
     *
     * @param server whose figures
     * @param name if the registry has one of this name and these tags, the tag ends in {@code -2} and so on
     * @param tags of all meters, besides {@code server}
     */
    public HttpServerMetrics(HttpServer server, String name, Iterable<Tag> tags) {
        super(Objects.requireNonNull(server, "server"), Tags.of(tags), "server", name);
    }

    @Override
    void register(MeterSet<HttpServer> meters) {
        gauge(meters, "connections", "Connections that are open", ServerStats::openConnections);
        counter(meters, "connections.accepted", "Connections accepted", ServerStats::acceptedConnections);
        counter(meters, "connections.refused", "Connections refused", ServerStats::refusedConnections);
        counter(meters, "requests", "Requests with a complete head", ServerStats::requests);
        gauge(meters, "requests.running", "Requests under way", ServerStats::runningRequests);
        gauge(meters, "requests.queued", "Requests that wait for their turn", ServerStats::queuedRequests);
        counter(
                meters,
                "requests.refused",
                "Requests refused as too many were under way",
                ServerStats::refusedRequests);
        counter(meters, "requests.malformed", "Requests that are no good HTTP", ServerStats::malformedRequests);
        counter(meters, "requests.too.large", "Bodies beyond the largest size", ServerStats::tooLargeBodies);
        counter(meters, "requests.cancelled", "Handlers that were cancelled", ServerStats::cancelledRequests);
        counter(meters, "requests.failed", "Errors that left a handler", ServerStats::handlerFailures);
        responses(meters, "SUCCESS", ServerStats::ok);
        responses(meters, "REDIRECTION", ServerStats::redirects);
        responses(meters, "CLIENT_ERROR", ServerStats::clientErrors);
        responses(meters, "SERVER_ERROR", ServerStats::serverErrors);
        counter(meters, "responses.aborted", "Responses that did not reach their end", ServerStats::abortedResponses);
        timeouts(meters, "idle", ServerStats::idleTimeouts);
        timeouts(meters, "header", ServerStats::headerTimeouts);
        timeouts(meters, "body", ServerStats::bodyTimeouts);
        timeouts(meters, "write", ServerStats::writeTimeouts);
        timeouts(meters, "request", ServerStats::requestTimeouts);
        meters.bytes(
                PREFIX + "read", "Bytes of requests", server -> server.stats().bytesRead());
        meters.bytes(PREFIX + "written", "Bytes of responses", server -> server.stats()
                .bytesWritten());
    }

    private static void gauge(
            MeterSet<HttpServer> meters, String name, String description, ToLongFunction<ServerStats> figure) {
        meters.gauge(PREFIX + name, description, server -> figure.applyAsLong(server.stats()));
    }

    private static void counter(
            MeterSet<HttpServer> meters, String name, String description, ToLongFunction<ServerStats> figure) {
        meters.counter(PREFIX + name, description, server -> figure.applyAsLong(server.stats()));
    }

    private static void responses(MeterSet<HttpServer> meters, String outcome, ToLongFunction<ServerStats> figure) {
        meters.counter(
                PREFIX + "responses",
                "Responses",
                Tag.of("outcome", outcome),
                server -> figure.applyAsLong(server.stats()));
    }

    private static void timeouts(MeterSet<HttpServer> meters, String of, ToLongFunction<ServerStats> figure) {
        meters.counter(
                PREFIX + "timeouts",
                "Connections and handlers that took too long",
                Tag.of("of", of),
                server -> figure.applyAsLong(server.stats()));
    }
}
