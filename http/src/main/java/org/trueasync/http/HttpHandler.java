package org.trueasync.http;

/** Answers requests. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Answers a request. Called in a coroutine of its own, so it may wait and spawn; what it spawns ends with it. If it
     * returns without a response, the response is empty, with the status that was set, or 200.
     *
     * @param exchange the request, and what answers it; of no use after the return
     * @throws HttpException to answer with its status
     * @throws Exception another error: the response is 500 without a word about it, or cut if it has begun; the error
     *     is reported once
     */
    void handle(Exchange exchange) throws Exception;
}
