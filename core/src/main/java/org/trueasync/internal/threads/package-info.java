/**
 * Everything that crosses threads: runtimes on threads of their own, and channels and pools between runtimes and
 * threads. All other objects belong to one loop, and refuse calls from other threads.
 *
 * <p>No thread here waits for a lock; a few calls that need their answer at once spin. State that several threads
 * change is behind an {@link org.trueasync.internal.threads.FlatCombiner}. A coroutine that has to wait is woken
 * through its own loop's remote queue.
 */
@NullMarked
package org.trueasync.internal.threads;

import org.jspecify.annotations.NullMarked;
