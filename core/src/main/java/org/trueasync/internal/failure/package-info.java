/**
 * Failures of coroutines and of runs: what people are told of them and when, what a run throws in the end, what others that are cancelled for it see. Knows coroutines as their users
 * do, and nothing of the kernel; what becomes of an error is decided there.
 */
@NullMarked
package org.trueasync.internal.failure;

import org.jspecify.annotations.NullMarked;
