/**
 * TCP echo: 64-byte messages, one in flight for each connection. Server and client are processes of their own, each on
 * a cpu of its own; the client is the same for every server.
 */
package org.trueasync.bench.echo;
