package org.trueasync.http;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;

/** An error that has a status: thrown by a handler it becomes the response, and is not reported. */
public class HttpException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** What the response says. */
    private final int status;

    private transient @Nullable Map<String, Object> members;
    private transient @Nullable Headers headers;

    /**
     * Makes an error for the peer.
     *
     * @param status 400 to 599
     * @param message a line of text for the peer
     * @throws IllegalArgumentException if the status is out of range
     */
    public HttpException(int status, String message) {
        super(message);
        if (status < 400 || status > 599)
            throw new IllegalArgumentException("status of an error must be 400 to 599, got " + status);
        this.status = status;
    }

    /**
     * Adds a member to its {@linkplain HttpServer.Builder#problemDetails problem details}: {@code type}, {@code title}
     * or {@code instance} of the standard, or one of the program's own. Returns this.
     *
     * @param member its name; {@code status} and {@code detail} are the exception's own
     * @param value a text, a number, a boolean, or whatever {@link String#valueOf} makes a text
     */
    public HttpException with(String member, Object value) {
        Objects.requireNonNull(value, "value");
        if (member.equals("status") || member.equals("detail"))
            throw new IllegalArgumentException(member + " is given by the exception's status and message");
        if (members == null) members = new LinkedHashMap<>();
        members.put(member, value);
        return this;
    }

    /**
     * Adds a header field to the response: {@code Retry-After} for instance. Returns this.
     *
     * @param name a token
     * @param value without line ends
     * @throws IllegalArgumentException as {@link Headers#add}
     */
    public HttpException header(String name, String value) {
        if (headers == null) headers = new Headers();
        headers.add(name, value);
        return this;
    }

    Map<String, Object> members() {
        return members == null ? Map.of() : members;
    }

    Fields fields() {
        return headers == null ? new Fields(0) : headers.fields();
    }

    /** Returns the status, 400 to 599. */
    public int status() {
        return status;
    }
}
