/**
 * Runs an action for each item of a source, in as many coroutines as that needs: the implementation of
 * {@code Async.iterate}.
 */
@NullMarked
package org.trueasync.internal.iterate;

import org.jspecify.annotations.NullMarked;
