/** What {@link org.trueasync.spi.Events} makes: events that have no other home, and the door to those that have. */
@NullMarked
package org.trueasync.internal.provider;

import org.jspecify.annotations.NullMarked;
