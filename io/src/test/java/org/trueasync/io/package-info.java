/** Input and output of coroutines, and what can go wrong there; run by each reactor's module, on its reactor. */
package org.trueasync.io;
