/**
 * The server's inside: one coroutine for each connection, which reads; one for each request, which runs the handler and
 * writes. The parser is Jetty's.
 */
@NullMarked
package org.trueasync.internal.http.server;

import org.jspecify.annotations.NullMarked;
