/** What a coroutine is given to do. */
@NullMarked
package org.trueasync.internal.task;

import org.jspecify.annotations.NullMarked;
