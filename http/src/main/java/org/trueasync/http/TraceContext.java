package org.trueasync.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Trace;

/**
 * The trace (W3C Trace Context) of which the work under way is a part: services that call each other write its number
 * into their logs, and so does a tracing system into its spans. {@link HttpFilters#trace} reads or begins it, for a
 * handler and all that it starts; {@link HttpClient} sends it. It does not change. Any thread.
 */
public final class TraceContext {
    private final Trace trace;

    private TraceContext(Trace trace) {
        this.trace = trace;
    }

    /**
     * Returns the trace of the request for which the caller works: in its handler, in coroutines, tasks and threads
     * that this has started. Null if there is none.
     */
    public static @Nullable TraceContext current() {
        return Trace.CURRENT.isBound() ? new TraceContext(Trace.CURRENT.get()) : null;
    }

    /** Returns its number, the same in all services: 32 hexadecimal digits. */
    public String traceId() {
        return trace.id();
    }

    /** Returns the number of this request within the trace: 16 hexadecimal digits. */
    public String spanId() {
        return trace.span();
    }

    /** True if a service before this one, or this one as the first, records the trace. */
    public boolean isSampled() {
        return trace.flags().endsWith("1") || trace.flags().endsWith("3");
    }

    /**
     * Returns the header fields that hand it on, for a client that is not {@link HttpClient}: {@code traceparent} with
     * a number for this call, {@code tracestate} and {@code baggage} if there are any. Others at each call.
     */
    public Map<String, String> headers() {
        return trace.fields();
    }

    @Override
    public String toString() {
        return "TraceContext " + trace.id() + " " + trace.span();
    }
}
