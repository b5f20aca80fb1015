/**
 * What users import: {@link org.trueasync.Async}, {@link org.trueasync.Coroutine}, and the exceptions. Made for {@code import static
 * org.trueasync.Async.*}. Sockets are in {@link org.trueasync.io}; what extensions need is in {@link org.trueasync.spi}. Nothing is null
 * unless it says so.
 */
@NullMarked
package org.trueasync;

import org.jspecify.annotations.NullMarked;
