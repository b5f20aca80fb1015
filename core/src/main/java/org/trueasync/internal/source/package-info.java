/** Events that {@link org.trueasync.spi.Events} makes and that have no other home. */
@NullMarked
package org.trueasync.internal.source;

import org.jspecify.annotations.NullMarked;
