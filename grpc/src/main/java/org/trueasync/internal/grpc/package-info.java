/**
 * gRPC over exchanges of HTTP/2, on both sides: messages, metadata and statuses, and calls between them and grpc-java's
 * API.
 */
@NullMarked
package org.trueasync.internal.grpc;

import org.jspecify.annotations.NullMarked;
