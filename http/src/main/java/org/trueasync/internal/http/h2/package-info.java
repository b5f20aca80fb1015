/**
 * HTTP/2 (RFC 9113): the frames of a connection become streams, each of which one coroutine serves. The frames are
 * parsed by Jetty; heads are unpacked here, with Jetty's table and codes of HPACK.
 */
@NullMarked
package org.trueasync.internal.http.h2;

import org.jspecify.annotations.NullMarked;
