/**
 * What JDK code and libraries do on our threads, as far as the loop serves it or has to know: sockets that the loop
 * polls, ends of waits that it times, virtual threads that libraries start, the interrupts that end waits in JDK code,
 * the calls in which libraries wait. Also the polling of descriptors for extensions: one watch of the reactor for each
 * descriptor, shared by the proxies of all its waiters. Stands on {@code internal.jdk}, timers and reactors, and does
 * not know the kernel: the kernel tells it what waits.
 */
@NullMarked
package org.trueasync.internal.foreign;

import org.jspecify.annotations.NullMarked;
