/**
 * Tests of code on coroutines, without sleeping and without luck: {@link org.trueasync.testkit.VirtualTime} runs a body
 * in virtual time, {@link org.trueasync.testkit.Schedules} runs it in many orders and names the one that fails.
 */
@NullMarked
package org.trueasync.testkit;

import org.jspecify.annotations.NullMarked;
