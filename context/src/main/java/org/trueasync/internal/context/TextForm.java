package org.trueasync.internal.context;

import io.micrometer.context.integration.Slf4jThreadLocalAccessor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.context.OpenTelemetryAccessor;

/**
 * How the values of one accessor are written as text, for another process: the MDC, OpenTelemetry's trace and baggage,
 * and values that are strings. Others, a user with his rights for instance, stay in their process.
 */
interface TextForm {
    /** Adds a value to the text; nothing if it has no such form. */
    void write(Object value, Map<String, String> text);

    /** Reads a value; null if the text has none. */
    @Nullable
    Object read(Map<String, String> text);

    /** The form of the accessor with this key; null if it has none. */
    static @Nullable TextForm of(Object key) {
        if (key.equals(Slf4jThreadLocalAccessor.KEY)) return MdcText.INSTANCE;
        if (key.equals(OpenTelemetryAccessor.KEY)) return OfOpenTelemetry.FORM;
        return new Text("local:" + key);
    }

    /** A class of its own, as OpenTelemetry's API may be missing. */
    final class OfOpenTelemetry {
        static final @Nullable TextForm FORM = find();

        private OfOpenTelemetry() {}

        private static @Nullable TextForm find() {
            try {
                return new W3cText();
            } catch (LinkageError withoutTheApi) {
                return null;
            }
        }
    }

    /** A string as it is. */
    record Text(String key) implements TextForm {
        @Override
        public void write(Object value, Map<String, String> text) {
            if (value instanceof String string) text.put(key, string);
        }

        @Override
        public @Nullable Object read(Map<String, String> text) {
            return text.get(key);
        }
    }

    /** Each entry of the MDC. */
    enum MdcText implements TextForm {
        INSTANCE;

        private static final String PREFIX = "mdc:";

        @Override
        public void write(Object value, Map<String, String> text) {
            ((Map<?, ?>) value).forEach((key, entry) -> {
                if (entry instanceof String string) text.put(PREFIX + key, string);
            });
        }

        @Override
        public @Nullable Object read(Map<String, String> text) {
            var entries = new HashMap<String, String>();
            text.forEach((key, entry) -> {
                if (key.startsWith(PREFIX)) entries.put(key.substring(PREFIX.length()), entry);
            });
            return entries.isEmpty() ? null : entries;
        }
    }
}
