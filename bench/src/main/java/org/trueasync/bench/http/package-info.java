/**
 * HTTP: requests for a text of five bytes, one in flight for each connection. The servers are well-known ones,
 * unchanged but for the executor of their handlers, and a fixed reply.
 */
package org.trueasync.bench.http;
