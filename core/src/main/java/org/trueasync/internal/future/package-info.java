/**
 * Futures: the implementation behind {@link org.trueasync.FutureState}, the write side, and
 * {@link org.trueasync.Future}, the read side.
 */
@NullMarked
package org.trueasync.internal.future;

import org.jspecify.annotations.NullMarked;
