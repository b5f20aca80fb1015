/** Queries of a real database: the server, the loads and their suite. */
package org.trueasync.bench.database;
