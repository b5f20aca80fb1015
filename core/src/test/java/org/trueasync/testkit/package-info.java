/**
 * What every reactor must pass. A reactor's own tests extend the abstract classes here and give them a {@link org.trueasync.testkit.ReactorKit}; parts
 * that need sockets or descriptors are skipped, visibly, where the kit says that there are none.
 *
 * <p>Not yet: E25, the NIO reactor's own way of polling.
 */
package org.trueasync.testkit;
