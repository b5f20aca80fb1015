/** Tests of what gRPC is on the wire. */
@NullMarked
package org.trueasync.internal.grpc;

import org.jspecify.annotations.NullMarked;
