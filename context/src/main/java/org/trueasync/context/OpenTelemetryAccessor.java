package org.trueasync.context;

import io.micrometer.context.ThreadLocalAccessor;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * OpenTelemetry's current context, span and baggage, as a registered thread local. Where OpenTelemetry's API is on the
 * path, this module registers it by itself. It works beside OpenTelemetry's Java agent too, which answers for the API.
 *
 * <p>Any thread.
 */
public final class OpenTelemetryAccessor implements ThreadLocalAccessor<Context> {
    /** The key under which it is registered. */
    public static final String KEY = "opentelemetry.context";

    /** Creates one; it has no state. */
    public OpenTelemetryAccessor() {}

    @Override
    public Object key() {
        return KEY;
    }

    /** The current context; null if that is the root, which has no values. */
    @Override
    public @Nullable Context getValue() {
        Context current = Context.current();
        return current == Context.root() ? null : current;
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // who sets a thread local through an accessor resets it through it
    public void setValue(Context value) {
        value.makeCurrent();
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker")
    public void setValue() {
        Context.root().makeCurrent();
    }
}
