package org.trueasync.internal.event;

import java.util.concurrent.Executor;

/**
 * The executors for what follows an event of a loop.
 *
 * @param coroutines runs the user's code in coroutines, on the loop thread; it may wait
 * @param loop runs actions on the loop thread, from any thread; they must not wait
 */
public record Continuations(Executor coroutines, Executor loop) {}
