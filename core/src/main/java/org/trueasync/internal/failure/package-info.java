/**
 * Failures of coroutines and of runs: what is reported about them and when, the error that a run throws in the end, and
 * the cancellation reasons that follow from a failure. Also warnings about outcomes that nobody took. Uses coroutines
 * by their public types, and does not depend on the kernel, which decides where an error goes.
 */
@NullMarked
package org.trueasync.internal.failure;

import org.jspecify.annotations.NullMarked;
