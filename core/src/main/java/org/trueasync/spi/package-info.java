/**
 * What extension authors implement or call: events and the waker that connects coroutines to them, microtasks, switch
 * handlers, and the reactor with its handles. This package has no native code. Its only implementations are base
 * classes and what all reactors share. It reaches the kernel through {@link org.trueasync.spi.SchedulerProvider}.
 * Nothing is null unless it says so.
 *
 * <p>Threads: as in {@link org.trueasync}; each type says its rule. Types that an extension implements are called on
 * the loop thread.
 */
@NullMarked
package org.trueasync.spi;

import org.jspecify.annotations.NullMarked;
