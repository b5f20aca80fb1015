package org.trueasync.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trueasync.diagnostics.Ledger;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Trace;
import org.trueasync.internal.time.TimeLimits;

/**
 * Filters for services: who asks, what browsers shall not do, which requests were slow, and what logs are found by.
 *
 * @see CorsFilter
 * @see RateLimitFilter
 */
public final class HttpFilters {
    private static final String[][] SECURITY = {
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "strict-origin-when-cross-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
    };

    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._:=+/-]{1,128}");

    private HttpFilters() {}

    /** Checks a name and a password. */
    @FunctionalInterface
    public interface PasswordCheck {
        /**
         * Returns who it is; null to refuse.
         *
         * @param user as the client sends it, without a colon
         * @param password as the client sends it; compare hashes of it, by {@link java.security.MessageDigest#isEqual}
         * @throws Exception as {@link HttpHandler#handle}
         */
        @Nullable
        Principal check(String user, String password) throws Exception;
    }

    /** Checks a token. */
    @FunctionalInterface
    public interface TokenCheck {
        /**
         * Returns who it is; null to refuse.
         *
         * @param token as the client sends it
         * @throws Exception as {@link HttpHandler#handle}
         */
        @Nullable
        Principal check(String token) throws Exception;
    }

    /**
     * Lets requests through that have a name and a password (Basic, RFC 7617); {@link Exchange#principal} is who asks.
     * Others get 401, by which browsers ask their user. Use it over TLS alone.
     *
     * @param realm what browsers show
     * @param check called in the coroutine of the request; may wait
     * @throws IllegalArgumentException if the realm may not stand in a head
     */
    public static HttpFilter basic(String realm, PasswordCheck check) {
        Objects.requireNonNull(check, "check");
        String challenge = "Basic realm=" + quoted(realm) + ", charset=\"UTF-8\"";
        return (exchange, next) -> {
            String both = decoded(credentials(exchange, "Basic"));
            int colon = both == null ? -1 : both.indexOf(':');
            Principal who =
                    both == null || colon < 0 ? null : check.check(both.substring(0, colon), both.substring(colon + 1));
            if (who == null) throw unauthorized(challenge);
            next.handle(exchange.principal(who));
        };
    }

    /**
     * Lets requests through that have a token ({@code Authorization: Bearer}, RFC 6750); {@link Exchange#principal} is
     * who asks. Others get 401.
     *
     * @param realm for programs that ask
     * @param check called in the coroutine of the request; may wait
     * @throws IllegalArgumentException if the realm may not stand in a head
     */
    public static HttpFilter bearer(String realm, TokenCheck check) {
        Objects.requireNonNull(check, "check");
        String challenge = "Bearer realm=" + quoted(realm);
        return (exchange, next) -> {
            String token = credentials(exchange, "Bearer");
            if (token == null) throw unauthorized(challenge);
            Principal who = check.check(token);
            if (who == null) throw unauthorized(challenge + ", error=\"invalid_token\"");
            next.handle(exchange.principal(who));
        };
    }

    private static HttpException unauthorized(String challenge) {
        return new HttpException(401, "who are you?").header("WWW-Authenticate", challenge);
    }

    private static String quoted(String realm) {
        if (Objects.requireNonNull(realm, "realm").chars().anyMatch(c -> c < ' ' || c >= 0x7f || c == '"' || c == '\\'))
            throw new IllegalArgumentException(
                    "realm must be ASCII without quotes and backslashes, got " + Checks.quoted(realm));
        return '"' + realm + '"';
    }

    private static @Nullable String credentials(Exchange exchange, String scheme) {
        String field = exchange.header("Authorization");
        if (field == null || !field.regionMatches(true, 0, scheme + " ", 0, scheme.length() + 1)) return null;
        return field.substring(scheme.length() + 1).strip();
    }

    private static @Nullable String decoded(@Nullable String credentials) {
        if (credentials == null) return null;
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(credentials)))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return null;
        }
    }

    /**
     * Makes each request a part of a trace (W3C Trace Context): the one that its {@code traceparent} names, or a new
     * one that is sampled, if that is missing or malformed. In the handler, and in all that it starts, {@link
     * TraceContext#current} is the trace, and {@link HttpClient} hands it on, with {@code tracestate} and
     * {@code baggage}. The access log has its number. With {@code trueasync-context} and OpenTelemetry's API on the
     * path, OpenTelemetry's current context is what the request has brought, so that the spans of others are in the
     * same trace.
     */
    public static HttpFilter trace() {
        return (exchange, next) -> {
            Trace trace = Trace.begin(exchange.core().request().fields());
            exchange.core().request().trace(trace);
            ScopedValue.where(Trace.CURRENT, trace).call(() -> {
                next.handle(exchange);
                return trace;
            });
        };
    }

    /**
     * Gives each request a number for logs and for people who ask for help: the client's {@code X-Request-Id}, or a new
     * one if that is missing, longer than 128, or has more than letters, digits and {@code ._:=+/-}. The response has
     * it too, whatever becomes of the request, and so has the access log; {@link Exchange#requestId} returns it.
     */
    public static HttpFilter requestId() {
        return (exchange, next) -> {
            List<String> sent = exchange.headers().all("X-Request-Id");
            boolean isSane =
                    sent.size() == 1 && REQUEST_ID.matcher(sent.getFirst()).matches();
            exchange.header("X-Request-Id", isSane ? sent.getFirst() : Trace.newId());
            next.handle(exchange);
        };
    }

    /**
     * Tells browsers to take content for what it says it is ({@code nosniff}), to show no page in a frame of another
     * ({@code X-Frame-Options}), to tell other sites the origin alone ({@code Referrer-Policy}), to keep windows of
     * other sites apart ({@code Cross-Origin-Opener-Policy}), and, if the client uses TLS, to use nothing else for a
     * year ({@code Strict-Transport-Security}). A handler that sets one of these fields replaces it. What scripts and
     * images a page may load ({@code Content-Security-Policy}) depends on the page, and is its handler's.
     */
    public static HttpFilter securityHeaders() {
        return (exchange, next) -> {
            for (String[] field : SECURITY) exchange.header(field[0], field[1]);
            if (exchange.scheme().equals("https")) exchange.header("Strict-Transport-Security", "max-age=31536000");
            next.handle(exchange);
        };
    }

    /**
     * Tells which requests were slow, and what each has spent its time on: {@code GET /report 200, 612 ms: 480 ms pool
     * (acquire from Pool 'db'), 132 ms running}.
     *
     * @param limit above 0; what takes as long or longer is told, up to the end of the handler
     * @param log gets the line, in the coroutine of the request; may wait
     */
    public static HttpFilter slowRequests(Duration limit, Consumer<String> log) {
        TimeLimits.positive(limit, "limit");
        Objects.requireNonNull(log, "log");
        return (exchange, next) -> {
            Ledger ledger = exchange.ledger();
            try {
                next.handle(exchange);
            } finally {
                if (ledger.total().compareTo(limit) >= 0)
                    log.accept(exchange.method() + ' ' + exchange.path() + ' ' + exchange.status() + ", " + ledger);
            }
        };
    }
}
