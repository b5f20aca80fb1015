/**
 * Tells an object to which run or scope it belongs, if the object needs nothing else from the kernel. Depends on the
 * JDK alone; the kernel installs the finder of the run.
 */
@NullMarked
package org.trueasync.internal.owner;

import org.jspecify.annotations.NullMarked;
