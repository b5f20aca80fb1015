/** Tests of gRPC with grpc-java's own client. */
@NullMarked
package org.trueasync.grpc;

import org.jspecify.annotations.NullMarked;
