/**
 * The run or scope to which something belongs that needs nothing else from the kernel. Depends on the JDK alone; the
 * kernel installs what finds the run here.
 */
@NullMarked
package org.trueasync.internal.owner;

import org.jspecify.annotations.NullMarked;
