/**
 * TLS over a stream: the JDK's engine behind reads and writes that suspend the calling coroutine only. Handshakes are
 * computed on helper threads, records on the loop thread. Knows {@code internal.io} and no reactor.
 */
@NullMarked
package org.trueasync.internal.tls;

import org.jspecify.annotations.NullMarked;
