package org.trueasync.internal.context;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import io.micrometer.context.integration.Slf4jThreadLocalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.context.OpenTelemetryAccessor;
import org.trueasync.spi.ContextPropagator;

/**
 * Hands on the thread locals that are registered with Micrometer's {@link ContextRegistry}. Registers those of SLF4J
 * and OpenTelemetry if they are on the path and nobody has registered them; libraries register their own as services.
 */
public final class RegisteredThreadLocals implements ContextPropagator {
    private final ContextRegistry registry = ContextRegistry.getInstance();
    /** A view. */
    private final List<ThreadLocalAccessor<?>> accessors = registry.getThreadLocalAccessors();

    /** For {@link java.util.ServiceLoader}. */
    public RegisteredThreadLocals() {
        if (hasMdc()) register(Slf4jThreadLocalAccessor::new);
        register(OpenTelemetryAccessor::new);
    }

    /**
     * The MDC is the logging library's. Without one SLF4J, which other libraries bring along, has none, and the first
     * call of it prints a warning. So it is looked for as SLF4J 2 and 1 do it.
     */
    private static boolean hasMdc() {
        ClassLoader loader = Slf4jThreadLocalAccessor.class.getClassLoader();
        return System.getProperty("slf4j.provider") != null
                || loader.getResource("META-INF/services/org.slf4j.spi.SLF4JServiceProvider") != null
                || loader.getResource("org/slf4j/impl/StaticMDCBinder.class") != null;
    }

    private void register(Supplier<ThreadLocalAccessor<?>> made) {
        try {
            ThreadLocalAccessor<?> accessor = made.get();
            accessor.getValue(); // fails without the library
            if (accessors.stream().noneMatch(known -> known.key().equals(accessor.key())))
                registry.registerThreadLocalAccessor(accessor);
        } catch (LinkageError withoutTheLibrary) {
            // nothing to hand on
        }
    }

    /** A value and where it belongs. */
    private record Value(ThreadLocalAccessor<Object> accessor, Object value) {}

    @Override
    public @Nullable Object capture() {
        Value[] values = null;
        int count = 0;
        for (int i = 0; i < accessors.size(); i++) {
            ThreadLocalAccessor<Object> accessor = accessor(i);
            if (accessor == null) continue;
            Object value = accessor.getValue();
            if (value == null) continue;
            if (values == null) values = new Value[accessors.size() - i];
            else if (count == values.length) values = Arrays.copyOf(values, count + 1);
            values[count++] = new Value(accessor, value);
        }
        return values == null || count == values.length ? values : Arrays.copyOf(values, count);
    }

    /** By index: an iterator would be garbage of every spawn. Null if it has been removed meanwhile. */
    @SuppressWarnings("unchecked")
    private @Nullable ThreadLocalAccessor<Object> accessor(int index) {
        try {
            return (ThreadLocalAccessor<Object>) accessors.get(index);
        } catch (IndexOutOfBoundsException removed) {
            return null;
        }
    }

    @Override
    public Map<String, String> toText(Object captured) {
        var text = new HashMap<String, String>();
        for (Value value : (Value[]) captured) {
            TextForm form = TextForm.of(value.accessor.key());
            if (form != null) form.write(value.value, text);
        }
        return text;
    }

    @Override
    public @Nullable Object fromText(Map<String, String> text) {
        var values = new ArrayList<Value>();
        for (int i = 0; i < accessors.size(); i++) {
            ThreadLocalAccessor<Object> accessor = accessor(i);
            if (accessor == null) continue;
            TextForm form = TextForm.of(accessor.key());
            Object value = form == null ? null : form.read(text);
            if (value != null) values.add(new Value(accessor, value));
        }
        return values.isEmpty() ? null : values.toArray(new Value[0]);
    }

    @Override
    public void give(Object captured) {
        for (Value value : (Value[]) captured) value.accessor.setValue(value.value);
    }

    @Override
    public void takeBack(@Nullable Object given) {
        if (given != null) {
            Value[] values = (Value[]) given;
            for (int i = values.length - 1; i >= 0; i--) values[i].accessor.restore();
        }
        for (int i = 0; i < accessors.size(); i++) {
            ThreadLocalAccessor<Object> accessor = accessor(i);
            if (accessor != null && accessor.getValue() != null) accessor.setValue();
        }
    }
}
