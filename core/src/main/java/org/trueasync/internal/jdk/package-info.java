/**
 * Uses internals of the JDK: virtual threads on a scheduler of our own, the polling of their sockets and the timing of
 * their waits, descriptors, holders of locks, stacks of parked threads, interrupts, what a thread hands down to others,
 * and the room on a stack. Knows neither coroutines nor loops; a JDK that changes these things changes this package.
 */
@NullMarked
package org.trueasync.internal.jdk;

import org.jspecify.annotations.NullMarked;
