package org.trueasync.internal.grpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.DnsException;
import org.trueasync.InputOutputException;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.http.Headers;
import org.trueasync.http.HttpResponse;

/** The status of a call as its client learns it. */
final class Statuses {
    private Statuses() {}

    /** What the server says. */
    static Status of(Headers fields) {
        String code = fields.get("grpc-status");
        if (code == null) return Status.UNKNOWN.withDescription("the response has no grpc-status");
        Status status;
        try {
            status = Status.fromCodeValue(Integer.parseInt(code));
        } catch (NumberFormatException e) {
            return Status.UNKNOWN.withDescription("grpc-status is no number: " + code);
        }
        String text = fields.get("grpc-message");
        return text == null ? status : status.withDescription(StatusText.decode(text));
    }

    /** What a response says that is none of gRPC; null if it is one. */
    static @Nullable Status ofHttp(HttpResponse response) {
        String type = response.header("content-type");
        int code = response.status();
        boolean isGrpc = type != null && type.startsWith("application/grpc");
        if (isGrpc && (code == 200 || response.headers().has("grpc-status"))) return null;
        Status status =
                switch (code) {
                    case 400, 431 -> Status.INTERNAL;
                    case 401 -> Status.UNAUTHENTICATED;
                    case 403 -> Status.PERMISSION_DENIED;
                    case 404 -> Status.UNIMPLEMENTED;
                    case 429, 502, 503, 504 -> Status.UNAVAILABLE;
                    default -> Status.UNKNOWN;
                };
        return status.withDescription(response + " is no response of gRPC: content-type " + type);
    }

    /** What an error on the way means. */
    static Status of(Throwable error) {
        Throwable cause = error instanceof IOException && error.getCause() != null ? error.getCause() : error;
        return switch (cause) {
            case StatusRuntimeException e -> e.getStatus();
            case StatusException e -> e.getStatus();
            case AsyncCancellation e ->
                Status.CANCELLED.withDescription("the call was cancelled").withCause(e);
            case InputOutputException e ->
                ofCode(e).withDescription(e.getMessage()).withCause(e);
            case DnsException e ->
                Status.UNAVAILABLE.withDescription(e.getMessage()).withCause(e);
            case ServiceUnavailableException e ->
                Status.UNAVAILABLE.withDescription(e.getMessage()).withCause(e);
            default -> Status.UNKNOWN.withDescription(cause.toString()).withCause(cause);
        };
    }

    private static Status ofCode(InputOutputException error) {
        return error.errno().equals("EPROTO") ? Status.INTERNAL : Status.UNAVAILABLE;
    }

    /** True if no connection could be made, so that the server knows nothing of the call. */
    static boolean isUnreachable(RuntimeException error) {
        return error instanceof DnsException
                || (error instanceof InputOutputException e
                        && switch (e.errno()) {
                            case "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT" -> true;
                            default -> false;
                        });
    }
}
