/**
 * How a cancellation reaches whatever a coroutine waits for: every kind of wait against every way of asking. Run on
 * each reactor, by a class in its module.
 */
package org.trueasync.cancellation;
