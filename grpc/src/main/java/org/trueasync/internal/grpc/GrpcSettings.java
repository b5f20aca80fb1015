package org.trueasync.internal.grpc;

import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.DecompressorRegistry;

/**
 * What all calls of a handler share.
 *
 * @param context where their contexts begin
 * @param maxMessageBytes of a message that comes
 */
public record GrpcSettings(
        Context context, int maxMessageBytes, CompressorRegistry compressors, DecompressorRegistry decompressors) {}
