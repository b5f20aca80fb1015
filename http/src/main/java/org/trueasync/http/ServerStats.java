package org.trueasync.http;

import org.trueasync.internal.http.server.ServerCounters;

/**
 * The figures of a server, since its start.
 *
 * @param acceptedConnections connections so far
 * @param openConnections connections now
 * @param refusedConnections beyond the largest number of connections
 * @param failedHandshakes of TLS: one side refused the other, or the peer left or speaks no TLS; those that take too
 *     long are among {@code headerTimeouts}
 * @param requests requests with a complete head so far
 * @param runningRequests requests now, those that wait for their turn included
 * @param queuedRequests requests that wait for their turn now
 * @param refusedRequests answered 503, as too many were under way
 * @param ok responses with a status of 2xx
 * @param redirects responses with a status of 3xx
 * @param clientErrors responses with a status of 4xx, those of the server itself included
 * @param serverErrors responses with a status of 5xx, those of the server itself included
 * @param handlerFailures errors that left a handler and became 500
 * @param abortedResponses responses that did not reach their end, as the client left or the handler failed
 * @param cancelledRequests handlers that were cancelled, as the client left or the server ended
 * @param malformedRequests requests that are no good HTTP
 * @param tooLargeBodies bodies beyond the largest size
 * @param idleTimeouts connections closed as no request came
 * @param headerTimeouts heads, or handshakes of TLS, that did not come in time
 * @param bodyTimeouts bodies that did not come in time
 * @param writeTimeouts connections cut as the peer did not read
 * @param requestTimeouts handlers that took too long
 * @param bytesRead bytes of requests
 * @param bytesWritten bytes of responses
 */
public record ServerStats(
        long acceptedConnections,
        int openConnections,
        long refusedConnections,
        long failedHandshakes,
        long requests,
        int runningRequests,
        int queuedRequests,
        long refusedRequests,
        long ok,
        long redirects,
        long clientErrors,
        long serverErrors,
        long handlerFailures,
        long abortedResponses,
        long cancelledRequests,
        long malformedRequests,
        long tooLargeBodies,
        long idleTimeouts,
        long headerTimeouts,
        long bodyTimeouts,
        long writeTimeouts,
        long requestTimeouts,
        long bytesRead,
        long bytesWritten) {
    static ServerStats of(ServerCounters c) {
        return new ServerStats(
                c.accepted,
                c.open,
                c.refusedConnections,
                c.failedHandshakes,
                c.requests,
                c.running,
                c.queued,
                c.refusedRequests,
                c.byClass[2],
                c.byClass[3],
                c.byClass[4],
                c.byClass[5],
                c.failures,
                c.aborted,
                c.cancelled,
                c.malformed,
                c.tooLarge,
                c.idleTimeouts,
                c.headTimeouts,
                c.bodyTimeouts,
                c.writeTimeouts,
                c.requestTimeouts,
                c.bytesIn,
                c.bytesOut);
    }
}
