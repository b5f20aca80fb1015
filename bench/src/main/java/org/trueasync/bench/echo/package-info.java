/**
 * TCP echo: 64-byte messages, one in flight for each connection. Server and client are two processes, each on a cpu of
 * its own. The client is the same for every server.
 */
package org.trueasync.bench.echo;
