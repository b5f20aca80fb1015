/**
 * Watching folders: what is noticed waits, bounded, for coroutines that take it. Here are the merging, the quiet windows and the sub-folders; what the
 * system tells comes from the reactor's {@link org.trueasync.spi.WatchHandle}.
 */
@NullMarked
package org.trueasync.internal.watch;

import org.jspecify.annotations.NullMarked;
