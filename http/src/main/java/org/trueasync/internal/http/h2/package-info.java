/**
 * HTTP/2 (RFC 9113): the frames of a connection become streams, each of which one coroutine serves. Parsing and HPACK
 * are Jetty's.
 */
@NullMarked
package org.trueasync.internal.http.h2;

import org.jspecify.annotations.NullMarked;
