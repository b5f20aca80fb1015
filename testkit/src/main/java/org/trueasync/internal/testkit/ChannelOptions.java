package org.trueasync.internal.testkit;

import java.net.SocketOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of a channel of a simulated host: they are kept. */
final class ChannelOptions {
    private final Map<SocketOption<?>, Object> values = new LinkedHashMap<>();

    /** @param defaults the options that there are */
    ChannelOptions(Map<SocketOption<?>, ?> defaults) {
        values.putAll(defaults);
    }

    Set<SocketOption<?>> supported() {
        return Set.copyOf(values.keySet());
    }

    <T> void set(SocketOption<T> name, @Nullable T value) {
        require(name);
        if (!name.type().isInstance(value))
            throw new IllegalArgumentException("not a value for " + name + ": " + value);
        values.put(name, value);
    }

    @SuppressWarnings("unchecked")
    <T> T get(SocketOption<T> name) {
        require(name);
        return (T) Objects.requireNonNull(values.get(name));
    }

    private void require(SocketOption<?> name) {
        if (!values.containsKey(Objects.requireNonNull(name)))
            throw new UnsupportedOperationException("'" + name + "' not supported");
    }
}
