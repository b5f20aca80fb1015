/** The loop's queues: who runs next, what other threads have left, jobs that must not be lost for want of memory, and how long to look before sleeping. They know nothing of what they hold. */
@NullMarked
package org.trueasync.internal.queue;

import org.jspecify.annotations.NullMarked;
