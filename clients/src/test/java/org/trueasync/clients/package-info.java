/** Clients of databases and brokers, in coroutines on the loop, against real servers that the tests start. */
@NullMarked
package org.trueasync.clients;

import org.jspecify.annotations.NullMarked;
