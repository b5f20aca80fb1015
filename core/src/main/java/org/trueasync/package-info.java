/**
 * What users import: {@link org.trueasync.Async}, {@link org.trueasync.Coroutine}, and the exceptions. Made for {@code import static
 * org.trueasync.Async.*}. Sockets are in {@link org.trueasync.io}; what extensions need is in {@link org.trueasync.spi}. Nothing is null
 * unless it says so.
 *
 * <p>Threads: what is made in a runtime belongs to its loop thread, and methods that wait for, change or look into it throw
 * {@link org.trueasync.AsyncException} on any other. Any thread may call {@code toString}, ask what never changes, and take a snapshot (states, counts,
 * {@code isClosed}): it was true a moment ago. Each type says in its javadoc which it is, and names its exceptions. Builders, and what needs no runtime, belong to whoever made
 * them.
 */
@NullMarked
package org.trueasync;

import org.jspecify.annotations.NullMarked;
