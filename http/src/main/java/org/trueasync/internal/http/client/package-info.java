/**
 * The client's inside: a pool for each origin, of connections of HTTP/1 or of places on shared ones of HTTP/2, and one
 * exchange for each request. The caller's coroutine writes and reads; only a body that may be long is written by a
 * coroutine of its own. The parser is Jetty's.
 */
@NullMarked
package org.trueasync.internal.http.client;

import org.jspecify.annotations.NullMarked;
