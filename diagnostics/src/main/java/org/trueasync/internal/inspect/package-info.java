/**
 * Answers questions about this process, asked by the {@code trueasync} command through a Unix socket that only the user
 * can open: which coroutines there are, what they wait for, why the process has not ended.
 */
@NullMarked
package org.trueasync.internal.inspect;

import org.jspecify.annotations.NullMarked;
