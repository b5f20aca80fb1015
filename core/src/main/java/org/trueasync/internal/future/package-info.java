/** Futures: what the write side {@link org.trueasync.FutureState} and the read side {@link org.trueasync.Future} are thin handles of. */
@NullMarked
package org.trueasync.internal.future;

import org.jspecify.annotations.NullMarked;
