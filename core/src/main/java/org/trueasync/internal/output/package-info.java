/** Output of one coroutine, captured by means of switch handlers. */
@NullMarked
package org.trueasync.internal.output;

import org.jspecify.annotations.NullMarked;
