package org.trueasync.http;

import java.util.Objects;

/**
 * Does something around a handler: looks at a request before, refuses it, sets header fields, turns errors into
 * answers.
 *
 * {@snippet class="org.trueasync.http.snippets.Routing" region="filter" :
 * HttpFilter missing = (exchange, next) -> {
 *     try {
 *         next.handle(exchange);
 *     } catch (NoSuchElementException e) {
 *         throw new HttpException(404, "there is no " + exchange.path());
 *     }
 * };
 * HttpServer.listen(8080, missing.around(routes));
 * }
 */
@FunctionalInterface
public interface HttpFilter {
    /**
     * Called instead of the handler, in the coroutine of the request.
     *
     * @param exchange the request, and what answers it
     * @param next the handler, or the next filter around it; not called if this one has answered
     * @throws Exception as {@link HttpHandler#handle}
     */
    void handle(Exchange exchange, HttpHandler next) throws Exception;

    /**
     * Returns a handler with this around it.
     *
     * @param handler what is called next
     */
    default HttpHandler around(HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return exchange -> handle(exchange, handler);
    }
}
