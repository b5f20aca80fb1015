/**
 * An HTTP server and client for coroutines: plain blocking code, one coroutine for each connection.
 *
 * {@snippet :
 * HttpServer.listen(8080, exchange -> exchange.respond("hello " + exchange.path()));
 * }
 */
@NullMarked
package org.trueasync.http;

import org.jspecify.annotations.NullMarked;
