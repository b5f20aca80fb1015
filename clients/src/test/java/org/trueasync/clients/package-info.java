/**
 * Other people's libraries in coroutines on the loop: clients of databases and brokers, against real servers that the
 * tests start; limits and retries.
 */
@NullMarked
package org.trueasync.clients;

import org.jspecify.annotations.NullMarked;
