package org.trueasync.internal.event;

import java.util.concurrent.Executor;

/**
 * The executors for what follows an event of a loop.
 *
 * @param coroutineExecutor runs the user's code in coroutines, on the loop thread; it may wait
 * @param loopExecutor runs actions on the loop thread, from any thread; they must not wait
 */
public record Continuations(Executor coroutineExecutor, Executor loopExecutor) {}
