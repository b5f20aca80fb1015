package org.trueasync.internal.event;

import java.util.concurrent.Executor;

/**
 * Where code goes on that follows an event of a loop.
 *
 * @param coroutines runs the user's code, which may wait; on the loop thread
 * @param loop takes actions of any thread to the loop; they only queue things
 */
public record Continuations(Executor coroutines, Executor loop) {}
