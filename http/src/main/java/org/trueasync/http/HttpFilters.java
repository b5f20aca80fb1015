package org.trueasync.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.diagnostics.Ledger;

/**
 * Filters for services: who asks, what browsers shall not do, and which requests were slow.
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
        if (realm.chars().anyMatch(c -> c < ' ' || c >= 0x7f || c == '"' || c == '\\'))
            throw new IllegalArgumentException(
                    "realm must be ASCII without quotes and backslashes, got '" + realm + "'");
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
        if (limit.isNegative() || limit.isZero()) throw new IllegalArgumentException("limit must be > 0, got " + limit);
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
