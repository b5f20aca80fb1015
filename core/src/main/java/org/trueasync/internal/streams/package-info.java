/**
 * JDK streams that block their thread until the other side acts: the standard streams, the pipes of child processes.
 */
@NullMarked
package org.trueasync.internal.streams;

import org.jspecify.annotations.NullMarked;
