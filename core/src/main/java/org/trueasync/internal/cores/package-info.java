/**
 * The same program on several cores: runtimes that begin and end together, and calls from one to another. Each is the runtime of a thread of its own, as in
 * {@link org.trueasync.internal.threads}; nothing but calls crosses from one to another.
 */
@NullMarked
package org.trueasync.internal.cores;

import org.jspecify.annotations.NullMarked;
