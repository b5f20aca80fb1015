package org.trueasync.internal.context;

import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * OpenTelemetry's context as HTTP headers have it. Source: W3C, Trace Context (2021) and Baggage.
 */
final class W3cText implements TextForm {
    private static final String PREFIX = "w3c:";

    private final TextMapPropagator propagator =
            TextMapPropagator.composite(W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance());

    private enum Reader implements TextMapGetter<Map<String, String>> {
        INSTANCE;

        @Override
        public @Nullable String get(@Nullable Map<String, String> text, String key) {
            return text == null ? null : text.get(PREFIX + key);
        }
    }

    @Override
    public void write(Object value, Map<String, String> text) {
        propagator.inject((Context) value, text, (headers, key, header) -> {
            if (headers != null) headers.put(PREFIX + key, header);
        });
    }

    @Override
    public @Nullable Object read(Map<String, String> text) {
        Context read = propagator.extract(Context.root(), text, Reader.INSTANCE);
        return read == Context.root() ? null : read;
    }
}
