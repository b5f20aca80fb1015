/** The client of all servers: it sends, waits for the answer, and sends again, on each of its connections; and what a server's processor time is. */
package org.trueasync.bench.load;
