package org.trueasync.internal.http.client;

import java.net.URI;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Fields;

/** Where a response leads to (RFC 9110, 15.4). */
final class Redirects {
    private Redirects() {}

    /**
     * Returns the request that follows; null if the response is the answer: it is no redirect, it leads from https to
     * http, or it asks for a body that can't be sent again.
     */
    static @Nullable ClientRequest next(ClientRequest request, ClientExchange exchange) {
        String location = exchange.fields().get(HttpHeader.LOCATION);
        if (location == null) return null;
        String method;
        switch (exchange.status()) {
            case 301, 302 -> method = request.method.equals("POST") ? "GET" : request.method;
            case 303 -> method = request.isHead() ? "HEAD" : "GET";
            case 307, 308 -> method = request.method;
            default -> {
                return null;
            }
        }
        boolean keepsBody = method.equals(request.method);
        if (keepsBody && !request.body.isRepeatable()) return null;
        ClientRequest next = follow(
                request,
                location,
                method,
                copy(request.fields, !keepsBody, false),
                keepsBody ? request.body : RequestBody.NONE);
        if (request.origin.secure() && !next.origin.secure()) return null;
        if (next.origin.equals(request.origin)) return next;
        return next.with(next.method, next.uri, copy(next.fields, false, true), next.body);
    }

    private static ClientRequest follow(
            ClientRequest request, String location, String method, Fields fields, RequestBody body) {
        try {
            return request.with(method, resolved(request.uri, location), fields, body);
        } catch (IllegalArgumentException e) {
            throw new InputOutputException(
                    request + ": it redirects to " + Checks.quoted(location) + ": " + e.getMessage(), "EPROTO", e);
        }
    }

    /**
     * A reference, seen from a URI (RFC 3986, 5.2.2). {@link URI#resolve} loses the last part of the path for a query
     * alone, and the path for an empty reference.
     */
    private static URI resolved(URI base, String location) {
        boolean keepsPath = location.isEmpty() || location.startsWith("?") || location.startsWith("#");
        if (!keepsPath) return base.resolve(location);
        String all = base.toString();
        int fragment = all.indexOf('#');
        if (fragment >= 0) all = all.substring(0, fragment);
        int query = all.indexOf('?');
        return URI.create((location.startsWith("?") && query >= 0 ? all.substring(0, query) : all) + location);
    }

    /** What must not go to another origin: credentials, and the name of this one. */
    private static Fields copy(Fields fields, boolean withoutBody, boolean elsewhere) {
        var copy = new Fields(fields.size() + 2);
        for (HttpField field : fields) {
            HttpHeader header = field.getHeader();
            boolean isOfOrigin =
                    header == HttpHeader.AUTHORIZATION || header == HttpHeader.COOKIE || header == HttpHeader.HOST;
            boolean isOfBody = field.getLowerCaseName().startsWith("content-");
            if (!(elsewhere && isOfOrigin) && !(withoutBody && isOfBody)) copy.add(field);
        }
        return copy;
    }
}
