/**
 * The client's inside: a pool of connections for each origin, and one exchange for each request. The caller's coroutine
 * writes and reads; only a body that may be long is written by a coroutine of its own. The parser is Jetty's.
 */
@NullMarked
package org.trueasync.internal.http.client;

import org.jspecify.annotations.NullMarked;
