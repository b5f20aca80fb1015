/**
 * The intrusive list, which depends on nothing. Its nodes have a superclass, not an interface: the accessors of an
 * interface would be as many lines as the links that they replace, and megamorphic calls on hot paths. So some classes
 * keep links of their own: an event's callbacks (a notification puts markers between them), and classes that have
 * another superclass, which are waiters (see {@code internal.await.WaitQueue}), coroutines in their scope, tasks in
 * their group, and references of the garbage collector.
 */
@NullMarked
package org.trueasync.internal.list;

import org.jspecify.annotations.NullMarked;
