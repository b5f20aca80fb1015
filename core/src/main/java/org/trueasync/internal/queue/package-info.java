/** The loop's queues: who runs next, what other threads have left, and jobs that must not be lost for want of memory. They know nothing of what they hold. */
@NullMarked
package org.trueasync.internal.queue;

import org.jspecify.annotations.NullMarked;
