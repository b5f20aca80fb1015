/** Calls that block their thread, made on helper threads so that only the calling coroutine waits for them. */
@NullMarked
package org.trueasync.internal.work;

import org.jspecify.annotations.NullMarked;
