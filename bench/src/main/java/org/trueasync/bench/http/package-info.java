/**
 * HTTP: our server beside those of others, and servers of others with their handlers on our loop. The client is
 * {@link org.trueasync.bench.load.LoadClient}, one request in flight for each connection.
 */
package org.trueasync.bench.http;
