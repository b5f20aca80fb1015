package org.trueasync.internal.grpc;

import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import java.util.concurrent.Executor;
import org.trueasync.http.HttpClient;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/**
 * What all calls of a channel share.
 *
 * @param origin scheme, host and port
 * @param maxMessageBytes of a message that comes
 * @param loop where the calls are
 * @param executor of that loop
 */
public record ChannelSettings(
        HttpClient client,
        String origin,
        int maxMessageBytes,
        CompressorRegistry compressors,
        DecompressorRegistry decompressors,
        Loop loop,
        Executor executor) {
    /** Makes them for the runtime of the caller. */
    public static ChannelSettings of(HttpClient client, String origin, int maxMessageBytes, Executor executor) {
        return new ChannelSettings(
                client,
                origin,
                maxMessageBytes,
                CompressorRegistry.getDefaultInstance(),
                DecompressorRegistry.getDefaultInstance(),
                Runtimes.here("GrpcChannel"),
                executor);
    }

    boolean isSecure() {
        return origin.startsWith("https:");
    }

    /** Host and port. */
    public String authority() {
        return origin.substring(origin.indexOf("//") + 2);
    }
}
