package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;

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

    /**
     * Returns what an error is answered with.
     *
     * @param status it may be another one than {@link #statusOf}: what is no such error is 500
     * @param text for the peer
     * @return null for the text alone
     */
    default @Nullable ErrorAnswer answerTo(Throwable error, int status, String text) {
        return null;
    }

    /**
     * What an error is answered with.
     *
     * @param fields beside those of the body
     * @param body null for the text alone
     */
    record ErrorAnswer(
            Fields fields,
            @Nullable String contentType,
            @Nullable ByteBuffer body) {}
}
