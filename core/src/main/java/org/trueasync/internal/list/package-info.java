/**
 * The intrusive list, which depends on nothing. Its nodes are a superclass: accessors in an interface would be as many lines as the links that they replace, and calls of
 * many kinds on hot paths. So what has another superclass already keeps links of its own: an event's callbacks (their rounds are nodes too), waiters (which are
 * events, see {@code internal.await.WaitQueue}), coroutines in their scope, tasks in their group, and references of the garbage collector.
 */
@NullMarked
package org.trueasync.internal.list;

import org.jspecify.annotations.NullMarked;
