/**
 * What crosses threads: runtimes on threads of their own, channels between runtimes and threads. Everything else belongs to one loop, and says so when
 * another thread touches it.
 *
 * <p>No thread here ever waits for a lock. State that several threads change is behind an {@link org.trueasync.internal.threads.FlatCombiner}; who has to wait
 * is woken through its own loop's inbox.
 */
@NullMarked
package org.trueasync.internal.threads;

import org.jspecify.annotations.NullMarked;
