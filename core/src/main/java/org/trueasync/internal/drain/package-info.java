/** The drain of a run: what is under way may finish before a shutdown cancels the coroutines. */
@NullMarked
package org.trueasync.internal.drain;

import org.jspecify.annotations.NullMarked;
