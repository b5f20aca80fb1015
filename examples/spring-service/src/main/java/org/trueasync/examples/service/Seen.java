package org.trueasync.examples.service;

import io.opentelemetry.api.trace.Span;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * What the code finds of its request without an argument, where it runs.
 *
 * @param trace of the log's lines, out of the MDC
 * @param span the trace of OpenTelemetry's current span
 * @param user of Spring Security
 * @param tenant a thread-local of the program's own
 * @param number a {@link ScopedValue}
 */
record Seen(
        @Nullable String trace,
        String span,
        @Nullable String user,
        @Nullable String tenant,
        long number) {
    static Seen here() {
        Authentication user = SecurityContextHolder.getContext().getAuthentication();
        return new Seen(
                MDC.get("trace"),
                Span.current().getSpanContext().getTraceId(),
                user == null ? null : user.getName(),
                RequestContext.TENANT.get(),
                RequestContext.NUMBER.orElse(-1L));
    }
}
