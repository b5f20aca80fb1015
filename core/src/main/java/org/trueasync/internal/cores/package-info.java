/**
 * The same program on several cores: runtimes that begin and end together, and calls from one to another. The first one
 * is the caller's, each other one the runtime of a thread of its own, as in {@code internal.threads}.
 * Nothing but calls crosses from one to another.
 */
@NullMarked
package org.trueasync.internal.cores;

import org.jspecify.annotations.NullMarked;
