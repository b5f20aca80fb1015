/** The tasks that coroutines run. */
@NullMarked
package org.trueasync.internal.task;

import org.jspecify.annotations.NullMarked;
