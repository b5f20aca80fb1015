/**
 * TLS over a stream: the JDK's engine turned into reads and writes that suspend the calling coroutine only. What a handshake computes runs on helper
 * threads, records on the loop. Knows {@code internal.io} and no reactor.
 */
@NullMarked
package org.trueasync.internal.tls;

import org.jspecify.annotations.NullMarked;
