/** Streams of the JDK that block their thread for as long as the other side likes: the standard streams, the pipes of child processes. */
@NullMarked
package org.trueasync.internal.streams;

import org.jspecify.annotations.NullMarked;
