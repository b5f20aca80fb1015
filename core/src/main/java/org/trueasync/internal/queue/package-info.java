/**
 * The loop's queues: the run queue, entries that other threads have left, jobs that must not be lost if memory runs
 * out, and idle stacks. Also how far to read ahead, and how long to spin before sleeping. They know nothing of their
 * entries.
 */
@NullMarked
package org.trueasync.internal.queue;

import org.jspecify.annotations.NullMarked;
