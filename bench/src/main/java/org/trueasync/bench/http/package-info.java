/**
 * HTTP: a text of five bytes, one request in flight for each connection. Well-known servers, unchanged but for the
 * executor of their handlers, and a fixed reply.
 */
package org.trueasync.bench.http;
