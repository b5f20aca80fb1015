/** Per-coroutine output: one of the two uses of switch handlers that the design names. */
@NullMarked
package org.trueasync.internal.output;

import org.jspecify.annotations.NullMarked;
