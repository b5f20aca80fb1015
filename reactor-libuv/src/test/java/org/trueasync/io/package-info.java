/** TCP of coroutines on libuv, and what can go wrong there. */
package org.trueasync.io;
