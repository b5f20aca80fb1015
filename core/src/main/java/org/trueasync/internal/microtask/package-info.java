/** What only the scheduler may do with a microtask. Depends on the JDK alone. */
@NullMarked
package org.trueasync.internal.microtask;

import org.jspecify.annotations.NullMarked;
