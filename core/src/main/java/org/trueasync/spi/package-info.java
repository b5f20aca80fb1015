/**
 * What extension authors implement or call: events and the waker that ties coroutines to them, microtasks, switch handlers, and the reactor
 * with its handles. Nothing native lives here, and of implementations only what is the same in every reactor; the kernel is reached through {@link
 * org.trueasync.spi.SchedulerProvider}. Nothing is null unless it says so.
 *
 * <p>Threads: as in {@link org.trueasync}; each type says its rule. What an extension implements is called on the loop thread.
 */
@NullMarked
package org.trueasync.spi;

import org.jspecify.annotations.NullMarked;
