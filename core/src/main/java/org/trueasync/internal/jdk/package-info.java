/**
 * What the JDK keeps to itself: virtual threads on a scheduler of our own, who polls their sockets and times their waits, who holds which lock, where a parked thread stands, who interrupts it, what it hands down to others, whether the stack has
 * room. Knows neither coroutines nor loops; a JDK that changes these things changes this package.
 */
@NullMarked
package org.trueasync.internal.jdk;

import org.jspecify.annotations.NullMarked;
