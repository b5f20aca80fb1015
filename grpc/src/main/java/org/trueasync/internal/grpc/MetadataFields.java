package org.trueasync.internal.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.trueasync.http.Headers;

/** Metadata as fields of HTTP: values of names that end with {@code -bin} are bytes, in base 64. */
final class MetadataFields {
    /** What HTTP and gRPC themselves say by fields: no program sets them as metadata. */
    private static final Set<String> RESERVED = Set.of(
            "content-type",
            "content-length",
            "te",
            "host",
            "connection",
            "transfer-encoding",
            "user-agent",
            "grpc-encoding",
            "grpc-accept-encoding",
            "grpc-timeout",
            "grpc-status",
            "grpc-message");

    private MetadataFields() {}

    static Metadata of(Headers fields) {
        var metadata = new Metadata();
        for (Map.Entry<String, String> field : fields) {
            String name = field.getKey().toLowerCase(Locale.ROOT);
            if (isOfHttp(name)) continue;
            if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                var key = Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
                // several may have been joined on the way
                for (String value : field.getValue().split(",", -1)) metadata.put(key, bytes(name, value.strip()));
            } else metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), field.getValue());
        }
        return metadata;
    }

    private static boolean isOfHttp(String name) {
        return name.equals("host")
                || name.equals("te")
                || name.equals("content-length")
                || name.equals("grpc-status")
                || name.equals("grpc-message");
    }

    private static byte[] bytes(String name, String value) {
        try {
            return Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            throw Status.INTERNAL
                    .withDescription("the value of metadata " + name + " is no base 64")
                    .asRuntimeException();
        }
    }

    /** Gives all that may be sent, by name and value. */
    static void each(Metadata metadata, BiConsumer<String, String> to) {
        for (String name : metadata.keys()) {
            if (RESERVED.contains(name)) continue;
            if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                var key = Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
                for (byte[] value : Objects.requireNonNull(metadata.getAll(key)))
                    to.accept(name, Base64.getEncoder().withoutPadding().encodeToString(value));
            } else {
                var key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
                for (String value : Objects.requireNonNull(metadata.getAll(key))) to.accept(name, value);
            }
        }
    }
}
