/**
 * The scheduler, its coroutines and their scopes. Other packages use the public methods of
 * {@link org.trueasync.internal.kernel.Loop}, and keep their own state of a loop in a
 * {@link org.trueasync.internal.kernel.LoopLocal}. Read from top to bottom:
 * {@link org.trueasync.internal.kernel.Loop} (the tick), the
 * {@link org.trueasync.internal.kernel.EventLoop loop's frame}, the
 * {@link org.trueasync.internal.queue.RunQueue run queue},
 * {@link org.trueasync.internal.kernel.ExecutionContext execution contexts} and their pool, the
 * {@link org.trueasync.internal.kernel.WaitState wait} of a coroutine, the
 * {@link org.trueasync.internal.kernel.CoroutineImpl coroutine}, the
 * {@link org.trueasync.internal.kernel.CoroutineScope scope}, and what happens at the end: unhandled errors, deadlock,
 * shutdown. The packages below do not depend on the kernel: those for JDK code on a loop, for reports of failures, for
 * queues and timers. Everything is for the loop thread unless it says otherwise.
 */
@NullMarked
package org.trueasync.internal.kernel;

import org.jspecify.annotations.NullMarked;
