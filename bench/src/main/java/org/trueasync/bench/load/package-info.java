/**
 * The measurement of a server's processor time, under the load of a client that is the same for all servers. On each of
 * its connections the client sends a message, waits for the answer, and sends the next message.
 */
package org.trueasync.bench.load;
