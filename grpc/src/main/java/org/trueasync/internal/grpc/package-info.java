/** gRPC over an exchange of HTTP/2: messages, metadata and statuses, and calls between them and grpc-java's API. */
@NullMarked
package org.trueasync.internal.grpc;

import org.jspecify.annotations.NullMarked;
