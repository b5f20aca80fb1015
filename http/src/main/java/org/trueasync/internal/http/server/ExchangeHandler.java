package org.trueasync.internal.http.server;

/** What a server does with each request. */
public interface ExchangeHandler {
    /**
     * Handles a request; in its coroutine.
     *
     * @throws Exception what becomes the status 500, if nothing has been written
     */
    void handle(ExchangeCore exchange) throws Exception;

    /** Makes the error that a program sees where its request is refused in the middle. */
    RuntimeException failure(int status, String text);

    /** Returns the status that an error stands for; 0 if it is just an error. */
    int statusOf(Throwable error);
}
