/**
 * How errors are asked about themselves, put together, printed and thrown. An error is the program's own code: {@link org.trueasync.internal.error.Causes} is where
 * that can do no harm. Depends on the JDK alone; what it needs of the kernel stands in {@link org.trueasync.internal.error.ErrorHost}. What reports say of
 * a failed coroutine is in {@code internal.failure}.
 */
@NullMarked
package org.trueasync.internal.error;

import org.jspecify.annotations.NullMarked;
