/**
 * The loop's queues: who runs next, what other threads have left, jobs that must not be lost for want of memory, stacks that are idle; how far to look ahead, and how long before
 * sleeping. They know nothing of what they hold.
 */
@NullMarked
package org.trueasync.internal.queue;

import org.jspecify.annotations.NullMarked;
