/**
 * The loop's queues: the run queue, microtasks, entries that other threads have left, jobs that must not be lost if
 * memory runs out, and idle stacks. Also how far to read ahead, and how long to spin before sleeping. Apart from the
 * queue of microtasks, they know nothing of their entries.
 *
 * <p>The nodes of the intrusive list have a superclass, not an interface: the accessors of an interface would be as
 * many lines as the links that they replace, and megamorphic calls on hot paths. So some classes keep links of their
 * own: an event's callbacks (a notification puts markers between them), and classes that have another superclass, which
 * are waiters (see {@code internal.await.WaitQueue}), coroutines in their scope, tasks in their group, and references
 * of the garbage collector.
 */
@NullMarked
package org.trueasync.internal.queue;

import org.jspecify.annotations.NullMarked;
