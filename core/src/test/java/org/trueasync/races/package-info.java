/**
 * The races among the pitfalls, each explored in tens of thousands of orders. A failure names its seed;
 * {@code Schedules.replay} repeats it.
 */
package org.trueasync.races;
