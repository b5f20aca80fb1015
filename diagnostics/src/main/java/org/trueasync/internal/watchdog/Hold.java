package org.trueasync.internal.watchdog;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Something that has held a loop for longer than the limit.
 *
 * @param begin when, to a fraction of the limit
 * @param soFar how long, when it was last looked at; it ended at most that fraction later
 * @param holder what has held it, for a person to read
 * @param stack of the thread that has held it, innermost frame first
 */
public record Hold(Instant begin, Duration soFar, String holder, List<StackTraceElement> stack) {}
