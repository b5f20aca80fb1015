/**
 * HTTP/2 (RFC 9113): the frames of a connection become streams, for the server's side and the client's, which share
 * frames, windows and states. The frames are parsed by Jetty; heads are unpacked here, with Jetty's table and codes of
 * HPACK.
 */
@NullMarked
package org.trueasync.internal.http.h2;

import org.jspecify.annotations.NullMarked;
