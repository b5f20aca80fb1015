/**
 * The implementation of {@link org.trueasync.io.AsyncFile}: requests that wait their turn, calls on helper threads with
 * buffers of their own, locks.
 */
@NullMarked
package org.trueasync.internal.file;

import org.jspecify.annotations.NullMarked;
