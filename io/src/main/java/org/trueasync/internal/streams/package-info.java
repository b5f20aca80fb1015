/**
 * Makes JDK streams suspend only the calling coroutine where they would block its thread until the other side acts: the
 * standard streams, the pipes of child processes.
 */
@NullMarked
package org.trueasync.internal.streams;

import org.jspecify.annotations.NullMarked;
