/**
 * The API for users: {@link org.trueasync.Async}, the types of what its methods take and return, the classes for
 * coordination, pools and threads, and the exceptions. Made for {@code import static org.trueasync.Async.*}. Sockets
 * are in {@code org.trueasync.io}; interfaces for extensions are in {@link org.trueasync.spi}. Nothing is null unless
 * its type or documentation says so.
 *
 * <p>Threads: an object that is made in a runtime belongs to its loop thread; on any other thread its methods throw
 * {@link org.trueasync.AsyncException}. Any thread may call {@code toString}, read values that never change, and take a
 * snapshot (states, counts, {@code isClosed}), which was true a moment ago. Each type says in its javadoc which rule it
 * follows, and names the exceptions to it. Builders, and objects that need no runtime, belong to whoever made them.
 */
@NullMarked
package org.trueasync;

import org.jspecify.annotations.NullMarked;
