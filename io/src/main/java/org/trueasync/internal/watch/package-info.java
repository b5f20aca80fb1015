/**
 * Watching folders: changes are kept, up to a limit, until coroutines take them. This package does the merging, the
 * quiet times and the sub-folders; the system's reports come from the reactor's {@link org.trueasync.spi.WatchHandle}.
 */
@NullMarked
package org.trueasync.internal.watch;

import org.jspecify.annotations.NullMarked;
