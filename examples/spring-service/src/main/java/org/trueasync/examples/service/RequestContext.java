package org.trueasync.examples.service;

import io.micrometer.context.ContextRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Gives each request what its code finds without an argument: a span, a trace in the log, a number. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RequestContext extends OncePerRequestFilter {
    /** The number of the request that the code runs for. */
    static final ScopedValue<Long> NUMBER = ScopedValue.newInstance();

    /** The shop that the request is for. */
    static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    static {
        // beside what libraries register themselves: the log's MDC, OpenTelemetry's context, Security's user
        ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
    }

    private final AtomicLong requests = new AtomicLong();
    private final Tracer tracer;

    RequestContext(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Span span = tracer.spanBuilder(request.getMethod() + " " + request.getRequestURI())
                .setSpanKind(SpanKind.SERVER)
                .startSpan();
        TENANT.set(request.getHeader("X-Tenant"));
        try (var _ = span.makeCurrent();
                var _ = MDC.putCloseable("trace", span.getSpanContext().getTraceId())) {
            ScopedValue.where(NUMBER, requests.incrementAndGet()).call(() -> {
                chain.doFilter(request, response);
                return null;
            });
        } catch (ServletException | IOException | RuntimeException e) {
            span.recordException(e);
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        } finally {
            TENANT.remove();
            span.end();
        }
    }
}
