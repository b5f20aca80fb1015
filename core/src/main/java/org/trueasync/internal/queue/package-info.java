/**
 * The loop's queues: the run queue, microtasks, entries that other threads have left, jobs that must not be lost if
 * memory runs out, and idle stacks. Also how far to read ahead, and how long to spin before sleeping. Apart from the
 * queue of microtasks, they know nothing of their entries.
 */
@NullMarked
package org.trueasync.internal.queue;

import org.jspecify.annotations.NullMarked;
