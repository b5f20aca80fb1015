/**
 * Waits for one thing or for several: the implementation of the {@code await} methods of {@link org.trueasync.Async}.
 */
@NullMarked
package org.trueasync.internal.await;

import org.jspecify.annotations.NullMarked;
