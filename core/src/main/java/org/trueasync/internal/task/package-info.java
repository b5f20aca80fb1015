/** The tasks that coroutines run, and what kinds of coroutine there are. */
@NullMarked
package org.trueasync.internal.task;

import org.jspecify.annotations.NullMarked;
