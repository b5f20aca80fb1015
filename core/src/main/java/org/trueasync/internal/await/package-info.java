/** Waiting for one thing or for many; what the {@code await} family of {@link org.trueasync.Async} is made of. */
@NullMarked
package org.trueasync.internal.await;

import org.jspecify.annotations.NullMarked;
