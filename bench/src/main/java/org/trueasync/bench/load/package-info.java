/**
 * The client of all servers, which sends, waits for the answer, and sends again, on each of its connections; and the
 * measurement of a server's processor time.
 */
package org.trueasync.bench.load;
