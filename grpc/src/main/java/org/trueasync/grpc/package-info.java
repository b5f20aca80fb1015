/**
 * gRPC services and calls as coroutines. Services, stubs, metadata, statuses and interceptors are those of grpc-java
 * ({@code io.grpc}); its transports, Netty among them, are not needed.
 */
@NullMarked
package org.trueasync.grpc;

import org.jspecify.annotations.NullMarked;
